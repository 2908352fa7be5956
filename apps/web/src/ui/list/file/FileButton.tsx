import { useTranslation } from "react-i18next";
import { onDemand } from "#lib/load";
import { LazyMenuButton } from "../LazyMenuButton.tsx";
import type { ListInUse } from "../useList.ts";

interface Props<Row extends object, Context> {
  readonly list: ListInUse<Row, Context>;
  /** Ids of the visible columns, in order. */
  readonly shown: readonly string[];
}

const fileMenu = onDemand(() => import("./FileMenu.tsx"));

/** Saves the list as a file. */
export function FileButton<Row extends object, Context>({ list, shown }: Props<Row, Context>) {
  const { t } = useTranslation("grid");
  const { saved } = list;
  if (saved === undefined || list.source.every(({ files }) => files.length === 0)) return null;
  return (
    <span className="list-save">
      <LazyMenuButton icon="download" label={t("file.label")} load={fileMenu}>
        {({ FileMenu }) => <FileMenu list={list} saved={saved} shown={shown} />}
      </LazyMenuButton>
    </span>
  );
}
