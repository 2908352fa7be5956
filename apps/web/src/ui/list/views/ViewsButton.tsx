import { useTranslation } from "react-i18next";
import { onDemand } from "#lib/load";
import { LazyMenuButton } from "../LazyMenuButton.tsx";
import type { ListInUse } from "../useList.ts";

interface Props<Row extends object, Context> {
  readonly list: ListInUse<Row, Context>;
  /** Ids of the visible columns, in order. */
  readonly shown: readonly string[];
}

const viewsMenu = onDemand(() => import("./ViewsMenu.tsx"));

/** Saved views of the list. */
export function ViewsButton<Row extends object, Context>({ list, shown }: Props<Row, Context>) {
  const { t } = useTranslation("grid");
  const { key, address, hasChooser, builtIn = [] } = list;
  if (key === undefined) return null;
  const cols = hasChooser ? shown : null;
  return (
    <span className="list-views">
      <LazyMenuButton icon="star" label={t("views")} load={viewsMenu}>
        {({ ViewsMenu }) => <ViewsMenu {...{ list: key, address, cols, builtIn }} />}
      </LazyMenuButton>
    </span>
  );
}
