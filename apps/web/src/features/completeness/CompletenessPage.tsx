import { completeness } from "@metrum/contract/insight";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DeviceTabs } from "#carriers";
import { useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { isFiltered, useListState, type GridDefaults } from "#ui/grid";
import { ListPage } from "#ui/list";
import { BoardBar } from "./BoardBar.tsx";
import { BoardPart } from "./BoardPart.tsx";
import "./board.css";
import "./boardSide.css";
import { dayText, periodOf, viewOf } from "./completeness.ts";
import { Summary } from "./Summary.tsx";

const defaults: GridDefaults = {
  sort: null,
  size: 25,
  sortFields: [],
  filters: ["from", "to", "type", "resource", "model", "gateway"],
};

/** Devices by days: what was received, what is missing and why, and the request of exactly the missing values. */
export function CompletenessPage() {
  const { t } = useTranslation("completeness");
  const { number } = useFormat();
  const { zone } = useSession();
  const now = useNow();
  const { state, change, reset } = useListState(undefined, defaults);
  const today = dayText(now, zone);
  // Until midnight the view stays the same object.
  const view = useMemo(() => viewOf(state, { zone, today }), [state, zone, today]);
  const { data } = useCall(
    completeness.totals,
    { body: { ...periodOf(view.days, zone), filter: view.filter, msg_type: view.type } },
    { isQuiet: true, keepsPrevious: true },
  );
  return (
    <ListPage className="completeness" title={t("title")}>
      <DeviceTabs current="completeness" count={data ? number(data.total, 0) : ""} onReset={reset} />
      <BoardBar state={state} change={change} view={view} now={now} total={data?.total} />
      <p className="board-summary" aria-live="polite">
        {data ? <Summary total={data.total} totals={data.totals} days={view.days.length} /> : null}
      </p>
      <BoardPart
        key={JSON.stringify(view)}
        view={view}
        totals={data?.totals ?? undefined}
        onReset={isFiltered(state) ? reset : undefined}
      />
    </ListPage>
  );
}
