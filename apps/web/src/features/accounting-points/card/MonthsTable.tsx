import { pointHistory, type AccountingPoint, type PointMonth } from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { amountDecimals } from "@metrum/vocabulary";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ignoreFailure, reasonOf, receive, useCall } from "#lib/call";
import { saveFile } from "#lib/csv";
import { formatDate, useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { Segmented } from "#ui/field";
import { Skeleton } from "#ui/skeleton";
import { snack } from "#ui/snackbar";
import { EmptyState, ErrorState } from "#ui/states";
import { Status, type StatusKind } from "#ui/status";
import { monthTitle } from "../monthTitle.ts";
import { unitTitle } from "../points.ts";
import { Recount } from "../Recount.tsx";

interface Props {
  readonly point: AccountingPoint;
  /** The month whose number is explained. */
  readonly chosen: string | null;
  readonly onMonth: (month: string) => void;
}

const shown = 13;

/** Consumption by calendar months; a number with a dotted line explains itself. */
export function MonthsTable({ point, chosen, onMonth }: Props) {
  const { t } = useTranslation("accountingPoints");
  const { language } = useFormat();
  const [withLosses, setLosses] = useState(false);
  const query = useCall(
    pointHistory.months,
    { body: { accounting_point_id: point.id, months: shown, with_loss_factor: withLosses } },
    { isQuiet: true, keepsPrevious: true },
  );
  const { data } = query;
  const unit = unitTitle(data?.unit ?? point.unit, language);
  return (
    <section className="points-panel points-months" aria-label={t("months.title")}>
      <header>
        <h2>{t("months.title")}</h2>
        <span className="quiet">{t("months.hint")}</span>
        <Recount of={{ accounting_point_id: String(point.id) }} />
        <span className="points-panel-end">
          {point.loss_factor === null ? null : (
            <Segmented
              name="losses"
              label={t("months.losses")}
              value={withLosses ? "with" : "without"}
              onValue={(value) => setLosses(value === "with")}
              options={[
                { value: "without", title: t("months.withoutLosses") },
                { value: "with", title: t("months.withLosses") },
              ]}
            />
          )}
          {data && data.months.length > 0 ? (
            <Button kind="quiet" icon="download" onClick={() => void saveMonths(point, withLosses, t)}>
              {t("months.excel")}
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
        <Skeleton height={260} />
      ) : data.months.length === 0 ? (
        <EmptyState title={t("months.none")} />
      ) : (
        <div className="points-months-scroll" role="region" aria-label={t("months.title")} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t("months.month")}</th>
                <th data-align="right">{t("months.start")}</th>
                <th data-align="right">{t("months.end")}</th>
                <th data-align="right">{t("months.ratio")}</th>
                <th data-align="right">{t("months.consumption", { unit })}</th>
                <th>{t("months.state")}</th>
              </tr>
            </thead>
            <tbody>
              {data.months.map((month) => (
                <Row
                  key={month.month}
                  month={month}
                  ratioDecimals={data.ratio_decimals}
                  zone={point.timezone}
                  isChosen={month.month === chosen}
                  onOpen={() => onMonth(month.month)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Row(props: {
  readonly month: PointMonth;
  readonly ratioDecimals: number;
  readonly zone: string;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}) {
  const { month, ratioDecimals, zone, isChosen, onOpen } = props;
  const { t } = useTranslation("accountingPoints");
  const { number, age } = useFormat();
  const textOf = (value: number | null, decimals = amountDecimals) =>
    value === null ? "—" : number(value, decimals);
  const { kind, text } = monthState(month, { t, age, number });
  const title = monthTitle(month.month, t);
  return (
    <tr data-chosen={isChosen ? "" : undefined}>
      <th scope="row">
        {month.state === "running"
          ? t("months.running", { title, day: formatDate(month.from + month.length_sec - 1, zone) })
          : title}
      </th>
      <td data-align="right">{textOf(month.start_value)}</td>
      <td data-align="right">{textOf(month.end_value)}</td>
      <td data-align="right">{textOf(month.ratio, ratioDecimals)}</td>
      <td data-align="right">
        <button
          type="button"
          className="points-explained"
          aria-label={t("months.explain", { title, value: textOf(month.consumption) })}
          aria-pressed={isChosen}
          onClick={onOpen}
        >
          {textOf(month.consumption)}
        </button>
      </td>
      <td>
        <Status kind={kind}>{text}</Status>
      </td>
    </tr>
  );
}

interface Words {
  readonly t: TFunction;
  readonly age: (seconds: number) => string;
  readonly number: (value: number, decimals?: number) => string;
}

/** State of a month in words: what is missing first, then what is special about it. */
export function monthState(
  month: PointMonth,
  { t, age, number }: Words,
): { readonly kind: StatusKind; readonly text: string } {
  const facts = [
    ...(month.carried === 0
      ? []
      : [t("accountingPoints:months.carried", { amount: number(month.carried, amountDecimals) })]),
    ...(month.devices > 1 ? [t("accountingPoints:months.meters", { count: month.devices })] : []),
    ...(month.is_ratio_changed ? [t("accountingPoints:months.ratioChanged")] : []),
    ...(month.is_rollover ? [t("accountingPoints:months.rollover")] : []),
    ...(month.is_reset ? [t("accountingPoints:months.reset")] : []),
    ...(month.is_interpolated ? [t("accountingPoints:months.interpolated")] : []),
    ...(month.is_closed ? [t("accountingPoints:months.closed")] : []),
    ...(month.now === null ? [] : [nowText(month.now, { t, number })]),
  ];
  const known = { known: age(month.known_sec), length: age(month.length_sec) };
  const first = t(`accountingPoints:months.is.${month.state}`, known);
  const kind = month.now !== null && month.state === "complete" ? "warn" : monthKinds[month.state];
  return { kind, text: [first, ...facts].join(", ") };
}

/** Registers of the months around a closed one are those of now: why they do not meet. */
function nowText(now: NonNullable<PointMonth["now"]>, { t, number }: Pick<Words, "t" | "number">): string {
  const textOf = (value: number | null, decimals = amountDecimals) =>
    value === null ? "—" : number(value, decimals);
  return t("accountingPoints:months.now", {
    amount: textOf(now.consumption),
    start: textOf(now.start_value),
    end: textOf(now.end_value),
  });
}

const monthKinds: Readonly<Record<PointMonth["state"], StatusKind>> = {
  complete: "ok",
  running: "off",
  partial: "warn",
  none: "alarm",
  estimated: "warn",
};

/** Its input takes a file beside the rest. */
const listed: Call = pointHistory.months;
/** Months of a file: all that the server tells at once. */
const savedMonths = 60;

/** The months as a workbook of the server. A refusal is shown by the call. */
async function saveMonths(point: AccountingPoint, withLosses: boolean, t: TFunction): Promise<void> {
  const columns = (
    [
      ["month", "month"],
      ["start", "start_value"],
      ["end", "end_value"],
      ["ratio", "ratio"],
      ["value", "consumption"],
      ["carried", "carried"],
      ["estimated", "estimated"],
      ["state", "state"],
    ] as const
  ).map(([name, of]) => ({
    title: t(`accountingPoints:months.file.${name}`),
    of: [of],
    ...(name === "state"
      ? {
          words: Object.fromEntries(
            Object.keys(monthKinds).map((state) => [state, t(`accountingPoints:months.short.${state}`)]),
          ),
        }
      : {}),
  }));
  const title = `${t("accountingPoints:months.title")}, ${point.name}`.slice(0, mostTitle);
  const file = { format: "xlsx" as const, title, zone: point.timezone, columns };
  const saved = await receive(listed, {
    body: { accounting_point_id: point.id, months: savedMonths, with_loss_factor: withLosses, file },
  }).catch(ignoreFailure);
  if (!saved) return;
  saveFile(saved.name, saved.content);
  snack(t("grid:file.saved", { name: saved.name }));
}

/** Characters of the title of a file. */
const mostTitle = 255;
