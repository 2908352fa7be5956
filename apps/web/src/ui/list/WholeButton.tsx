import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { BulkButton, type GridWhole } from "#ui/grid";

/** Selects all rows that the filter matches, on every page; pressed again only the ticked ones. */
export function WholeButton({ whole, total }: { readonly whole: GridWhole; readonly total: number }) {
  const { t } = useTranslation("grid");
  const { number } = useFormat();
  return (
    <BulkButton aria-pressed={whole.isWhole} onClick={whole.toggle}>
      {t("whole", { shown: number(total, 0) })}
    </BulkButton>
  );
}
