import { sheetImports, type SheetImport } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { FormatMenu } from "./FormatMenu.tsx";

/** The refused rows with all their columns and the reason: corrected, the file can be imported as it is. */
export function ErrorFile({ imported }: { readonly imported: SheetImport }) {
  const { t } = useTranslation("sheetImports");
  const { id, headers, counts } = imported;
  if (counts.refused === 0) return null;
  return (
    <FormatMenu
      label={t("errorFile.action")}
      wanted={{
        call: sheetImports.rows,
        body: { id, outcome: "refused" },
        title: t("errorFile.title"),
        columns: [
          ...headers.map((title, at) => ({ title, of: [`cells.${String(at)}`] })),
          { title: t("column.reason"), of: ["reason"] },
        ],
      }}
    />
  );
}
