import { validation } from "@metrum/contract/accounting";
import { fileFormats, type Call, type FileFormat } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ignoreFailure, receive } from "#lib/call";
import { saveFile } from "#lib/csv";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { Menu } from "#ui/menu";
import { snack } from "#ui/snackbar";
import type { filterOf } from "./address.ts";

/** Answered as a file; its rows have no type here. */
const listed: Call = validation.list;

/** Saves the exceptions of the filter as a spreadsheet. */
export function SaveMenu({ filter }: { readonly filter: ReturnType<typeof filterOf> }) {
  const { t } = useTranslation(["validation", "grid"]);
  const { zone } = useSession();
  const [isBusy, setBusy] = useState(false);
  const columns = (
    [
      ["kind", ["kind_title"]],
      ["summary", ["summary"]],
      ["point", ["point_name"]],
      ["device", ["device_name"]],
      ["number", ["deviceID"]],
      ["place", ["place"]],
      ["from", ["startDate"]],
      ["to", ["stopDate"]],
      ["values", ["values"]],
      ["found", ["found_at"]],
    ] as const
  ).map(([name, of]) => ({
    title: t(`column.${name}`),
    of: [...of],
    ...(name === "from" || name === "to" || name === "found" ? { shows: "time" as const } : {}),
  }));
  const save = async (format: FileFormat): Promise<void> => {
    setBusy(true);
    try {
      const file = { format, title: t("title"), zone, columns };
      const { name, content } = await receive(listed, { body: { ...filter, file } });
      saveFile(name, content);
      snack(t("grid:file.saved", { name }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      label={t("save")}
      items={fileFormats.map((format) => ({
        id: format,
        title: t(`grid:file.${format}`),
        // The call has reported the failure.
        onSelect: () => void save(format).catch(ignoreFailure),
      }))}
      trigger={(props) => (
        <Button {...props} icon="download" isBusy={isBusy} disabled={isBusy}>
          {t("save")}
        </Button>
      )}
    />
  );
}
