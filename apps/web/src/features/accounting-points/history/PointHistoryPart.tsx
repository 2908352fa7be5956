import { pointHistory, type AccountingPoint } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { formatDate, formatDateTime, useFormat, useNow } from "#lib/format";
import { useAllowed } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { EventDialog, removeEvent } from "./EventDialog.tsx";
import { HistoryLanes } from "./HistoryLanes.tsx";
import { Intervals } from "./Intervals.tsx";
import { LastSwap } from "./LastSwap.tsx";
import { intervalTitle, resourceOf, unitTitle } from "../points.ts";

export type PointHistory = ReplyOf<typeof pointHistory.history>;

/** Which device measured when, the ratios and events, and the readings of the last replacement. */
export function PointHistoryPart({ point }: { readonly point: AccountingPoint }) {
  const { t } = useTranslation("accountingPoints");
  const mayChange = useAllowed("6:update|6:access_all");
  const [isAdding, setAdding] = useState(false);
  const query = useCall(
    pointHistory.history,
    { body: { accounting_point_id: point.id } },
    { isQuiet: true, freshMs: 10_000 },
  );
  const { data } = query;
  const first = data?.devices[0];
  return (
    <section className="points-panel" aria-label={t("history.title")}>
      <header>
        <h2>{t("history.title")}</h2>
        <span className="quiet">
          {first === undefined
            ? ""
            : t("history.meters", {
                count: data?.devices.length ?? 0,
                since: formatDate(first.from, point.timezone),
              })}
        </span>
        <span className="points-panel-end">
          <span className="points-legend">
            <svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">
              <path d="M0-5 5 0 0 5-5 0z" />
            </svg>
            {t("event.verified")}
          </span>
          {mayChange ? (
            <Button icon="plus" onClick={() => setAdding(true)}>
              {t("history.add")}
            </Button>
          ) : null}
        </span>
      </header>
      {query.error && !data ? (
        <ErrorState
          title={t("failed")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : !data ? (
        <Skeleton height={148} />
      ) : (
        <History point={point} history={data} mayChange={mayChange} />
      )}
      {isAdding ? <EventDialog point={point} onClose={() => setAdding(false)} /> : null}
    </section>
  );
}

interface Props {
  readonly point: AccountingPoint;
  readonly history: PointHistory;
  readonly mayChange: boolean;
}

function History({ point, history, mayChange }: Props) {
  const { t } = useTranslation("accountingPoints");
  const { number } = useFormat();
  const now = useNow();
  const zone = point.timezone;
  const start = Math.min(now, ...history.devices.map(({ from }) => from));
  const eventText = ({ kind, ts, title, note }: PointHistory["events"][number]) =>
    [t(`event.${kind}`), formatDateTime(ts, zone), title, note].filter((each) => each !== "").join(", ");
  return (
    <>
      <HistoryLanes
        devices={history.devices.map((each) => ({
          id: each.id,
          title: intervalTitle(each),
          from_ts: each.from,
          to_ts: each.to,
        }))}
        ratios={history.ratios.map(({ from, to, ratio, title }, id) => ({
          id,
          title: t("history.ratio", { ratio: title === "" ? number(ratio) : title }),
          from_ts: from ?? start,
          to_ts: to,
        }))}
        events={history.events.map((event) => ({
          id: event.id,
          ts: event.ts,
          kind: event.kind,
          title: eventText(event),
        }))}
        now={now}
        zone={zone}
        resource={resourceOf(point).key}
      />
      <LastSwap point={point} history={history} />
      <Intervals point={point} devices={history.devices} />
      <Events point={point} history={history} mayChange={mayChange} eventText={eventText} />
      <Terms point={point} history={history} />
    </>
  );
}

/** Every event in words; those that a person has added can be removed. */
function Events(props: Props & { readonly eventText: (event: PointHistory["events"][number]) => string }) {
  const { point, history, mayChange, eventText } = props;
  const { t } = useTranslation("accountingPoints");
  if (history.events.length === 0) return null;
  return (
    <details className="points-details">
      <summary>{t("history.allEvents", { count: history.events.length })}</summary>
      <ul>
        {history.events.toReversed().map((event) => (
          <li key={event.id}>
            <span>{eventText(event)}</span>
            <small>{event.user ?? ""}</small>
            {mayChange && event.is_entered ? (
              <IconButton
                icon="trash"
                size="small"
                label={t("history.removeEvent", { event: eventText(event) })}
                onClick={() => void removeEvent(point.id, event.id)}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Consumers, suppliers, losses and other terms by interval: a change never touches an earlier one. */
function Terms({ point, history }: Pick<Props, "point" | "history">) {
  const { t } = useTranslation("accountingPoints");
  const { number, language } = useFormat();
  const zone = point.timezone;
  if (history.terms.length === 0) return null;
  const valueOf = ({ kind, number: value, title, standard }: PointHistory["terms"][number]): string => {
    if (standard !== null)
      return (["hour", "day", "month"] as const)
        .flatMap((part) => {
          const norm = standard[part];
          return norm === undefined
            ? []
            : [t(`fact.standardOf.${part}`, { value: number(norm), unit: unitTitle(point.unit, language) })];
        })
        .join(", ");
    if (kind === "loss" && value !== null) return `${number(value * 100)} %`;
    if (kind === "contract_power" && value !== null) return `${number(value)} ${unitTitle("kW", language)}`;
    return title;
  };
  return (
    <details className="points-details">
      <summary>{t("history.allTerms", { count: history.terms.length })}</summary>
      <ul>
        {history.terms.toReversed().map((term) => (
          <li key={term.id}>
            <span>
              <b>{t(`term.${term.kind}`)}</b> {valueOf(term)}
            </span>
            <span>
              {formatDate(term.from, zone)} –{" "}
              {term.to === null ? t("history.now") : formatDate(term.to, zone)}
            </span>
            <small>{[term.note, term.user ?? ""].filter((each) => each !== "").join(", ")}</small>
          </li>
        ))}
      </ul>
      <p>
        <StatusGlyph kind="ok" /> {t("history.termsStay")}
      </p>
    </details>
  );
}
