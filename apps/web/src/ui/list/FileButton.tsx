import { useState } from "react";
import { useTranslation } from "react-i18next";
import { onDemand } from "#lib/load";
import { IconButton } from "#ui/button";
import type { FileMenu } from "./FileMenu.tsx";
import type { ListInUse } from "./useList.ts";

interface Props<Row extends object, Context> {
  readonly list: ListInUse<Row, Context>;
  /** Ids of the visible columns, in order. */
  readonly shown: readonly string[];
}

const fileMenu = onDemand(() => import("./FileMenu.tsx"));

/** Opens the menu of files, which is loaded then: most visits to a list save none. */
export function FileButton<Row extends object, Context>({ list, shown }: Props<Row, Context>) {
  const { t } = useTranslation("grid");
  const [isBusy, setBusy] = useState(false);
  const [Loaded, setLoaded] = useState<typeof FileMenu>();
  const { saved } = list;
  if (saved === undefined || list.source.every(({ files }) => files.length === 0)) return null;
  const load = async () => {
    setBusy(true);
    const part = await fileMenu();
    setBusy(false);
    if (part !== null) setLoaded(() => part.FileMenu);
  };
  return (
    <span className="list-save">
      {Loaded ? (
        <Loaded list={list} saved={saved} shown={shown} />
      ) : (
        <IconButton
          icon="download"
          label={t("file.label")}
          aria-haspopup="menu"
          isBusy={isBusy}
          onClick={() => void load()}
        />
      )}
    </span>
  );
}
