import { isSameContent } from "@metrum/contract/core";
import { tasks } from "@metrum/contract/headend";
import { holeBounds, type HolePlan } from "@metrum/contract/metering";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { change } from "#ui/change";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { periodOf, type BoardRow, type Selection, type View } from "./completeness.ts";
import { DayDetail } from "./DayDetail.tsx";

/** The plan is requested once the selection has been still for this long. */
const stillMs = 300;

interface Props {
  readonly view: View;
  readonly selection: Selection;
  readonly total: number;
  readonly rowAt: (index: number) => BoardRow | undefined;
  readonly onClose: () => void;
}

/** The selected cells: what is missing in them, what of it can be requested, and the request. */
export function Selected(props: Props) {
  const { t } = useTranslation("completeness");
  const { number } = useFormat();
  const chosen = useChosen(props);
  const card = useRef<HTMLElement>(null);
  // On a narrow screen the card is below the board; until the button is up, scrolling would drag the selection.
  useEffect(() => {
    const show = () => card.current?.scrollIntoView({ block: "nearest" });
    addEventListener("mouseup", show, { once: true });
    return () => removeEventListener("mouseup", show);
  }, []);
  const { count, days, single } = chosen;
  return (
    <section className="board-card is-chosen" ref={card}>
      <header>
        <h2>{t("chosen")}</h2>
        <span>{t("chosenOf", { count, shown: number(count, 0), period: periodText(days) })}</span>
        <IconButton icon="close" label={t("unselect")} onClick={props.onClose} />
      </header>
      {single ? <DayDetail row={single} day={days[0] ?? ""} /> : null}
      {chosen.isTooMuch ? (
        <p>{t("tooMuch", { most: number(holeBounds.devices, 0) })}</p>
      ) : (
        <Planned chosen={chosen} />
      )}
    </section>
  );
}

type Chosen = ReturnType<typeof useChosen>;

/** The selection as a request. */
function useChosen({ view, selection: { rows, days }, total, rowAt }: Props) {
  const { zone } = useSession();
  const labels = view.days.slice(days.from, days.to + 1);
  const devices = rows === "all" ? undefined : rowsBetween(rows, rowAt);
  const count = rows === "all" ? total : rows.to - rows.from + 1;
  return {
    count,
    days: labels,
    single: count === 1 && labels.length === 1 ? devices?.[0] : undefined,
    isTooMuch: rows !== "all" && count > holeBounds.devices,
    isLoaded: devices === undefined || devices.length === count,
    body: {
      ...(devices ? { device_ids: devices.map(({ device_id }) => device_id) } : { filter: view.filter }),
      msg_types: [view.type],
      ...periodOf(labels, zone),
    },
  };
}

function Planned({ chosen: { body, isLoaded } }: { readonly chosen: Chosen }) {
  const { t } = useTranslation("completeness");
  const still = useStill(body);
  const query = useCall(
    tasks.planHoles,
    { body: still },
    { isQuiet: true, keepsPrevious: true, isEnabled: isLoaded },
  );
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    try {
      await change(() => exchange(tasks.askHoles, { body }), { refreshed: [tasks.list, tasks.planHoles] });
    } finally {
      setBusy(false);
    }
  };
  const plan = query.data?.plan;
  if (query.isError && !plan)
    return (
      <ErrorState
        title={t("failedPlan")}
        message={reasonOf(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  const isCurrent = still === body || isSameContent(still, body);
  const canAsk = plan !== undefined && plan.asked > 0 && isCurrent && !query.isPlaceholderData && !isBusy;
  return (
    <>
      {plan ? <Plan plan={plan} /> : <Skeleton height={96} />}
      <Button kind="primary" icon="download" disabled={!canAsk} onClick={() => void ask()}>
        {t("ask")}
      </Button>
    </>
  );
}

function Plan({ plan }: { readonly plan: HolePlan }) {
  const { t } = useTranslation("completeness");
  const { number } = useFormat();
  const { missing, asked, devices, requests, not_asked, devices_left_out } = plan;
  return (
    <>
      <p className="board-missing">
        <b>{number(missing, 0)}</b> {t("missing", { count: missing })}
      </p>
      <ul className="board-plan">
        <li>
          <StatusGlyph kind="ok" />
          <span>{t("askable")}</span>
          <b>{number(asked, 0)}</b>
        </li>
        {not_asked.map(({ why, title, missing: n }) => (
          <li key={why}>
            <StatusGlyph kind={why === "waiting" ? "pending" : why === "rejected" ? "alarm" : "off"} />
            <span>{title}</span>
            <b>{number(n, 0)}</b>
          </li>
        ))}
      </ul>
      {requests > 0 ? (
        <p>{t("requests", { count: requests, shown: number(requests, 0), devices: number(devices, 0) })}</p>
      ) : null}
      {devices_left_out > 0 ? (
        <p className="board-warning">
          <StatusGlyph kind="warn" />
          {t("leftOut", { count: devices_left_out, shown: number(devices_left_out, 0) })}
        </p>
      ) : null}
    </>
  );
}

function rowsBetween(
  { from, to }: { readonly from: number; readonly to: number },
  rowAt: Props["rowAt"],
): BoardRow[] {
  return Array.from({ length: Math.min(to - from + 1, holeBounds.devices) }, (_, at) =>
    rowAt(from + at),
  ).filter((row) => row !== undefined);
}

const shortDay = (day: string): string => `${day.slice(8)}.${day.slice(5, 7)}`;

function periodText(days: readonly string[]): string {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  return first === last ? shortDay(first) : `${shortDay(first)} – ${shortDay(last)}`;
}

/** The value, once it has been the same for a moment. */
function useStill<Value extends object>(value: Value): Value {
  const key = JSON.stringify(value);
  const [still, setStill] = useState({ key, value });
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    const timer = setTimeout(() => setStill({ key, value: latest.current }), stillMs);
    return () => clearTimeout(timer);
  }, [key]);
  return still.value;
}
