import { fileFormats, type FileFormat } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import { Menu } from "#ui/menu";
import { saveList } from "./saveList.ts";
import type { ListInUse, SavedCall } from "../useList.ts";
import { ignoreFailure } from "#lib/call";

interface Props<Row extends object, Context> {
  readonly list: ListInUse<Row, Context>;
  readonly saved: SavedCall;
  readonly shown: readonly string[];
}

/** Saves the whole list as filtered and sorted, with the visible columns in their order. */
export function FileMenu<Row extends object, Context>({ list, saved, shown }: Props<Row, Context>) {
  const { t } = useTranslation("grid");
  const [isBusy, setBusy] = useState(false);
  const total = "total" in saved ? saved.total : list.total;
  const save = async (format: FileFormat): Promise<void> => {
    setBusy(true);
    await saveList({ list, saved, shown, format }).finally(() => setBusy(false));
  };
  return (
    <Menu
      label={t("file.label")}
      startsOpen
      header={
        total === undefined ? null : (
          <p role="presentation">{t("file.rows", { count: total, shown: list.context.number(total, 0) })}</p>
        )
      }
      items={fileFormats.map((format) => ({
        id: format,
        title: t(`file.${format}`),
        isDisabled: total === 0,
        // The call has reported the failure.
        onSelect: () => void save(format).catch(ignoreFailure),
      }))}
      trigger={(props) => (
        <IconButton {...props} icon="download" label={t("file.label")} isBusy={isBusy} disabled={isBusy} />
      )}
    />
  );
}
