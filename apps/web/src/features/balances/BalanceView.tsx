import { balances, type Balance } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { presetRange, startOfMonth, type Range } from "#ui/dateRange";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";
import { Bars } from "./Bars.tsx";
import type { Step } from "./balances.ts";
import { Causes } from "./Causes.tsx";
import { Ledger } from "./Ledger.tsx";
import { PointsTable } from "./PointsTable.tsx";
import { dayBars, halfHourBars, monthBars } from "./bars.ts";
import { dateOf } from "./words.ts";

/** Key figures and ledger, the chart by day or month, the causes, and the points. */
export function BalanceView({
  balance,
  step,
  range,
}: {
  readonly balance: Balance;
  readonly step: Step;
  readonly range: Range;
}) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const words = { t, number };
  const { total, limit, group } = balance;
  return (
    <>
      <Ledger balance={balance} />
      <div className="balance-columns">
        <div className="balance-main">
          {step === "halfHours" ? <HalfHours balance={balance} range={range} /> : null}
          {step === "days" ? (
            <Bars
              title={t("byDay")}
              bars={dayBars(balance, words)}
              limit={limit.percent}
              hasLine
              lineTitle={t("sinceFirst", { day: dateOf(total.start_day) })}
              unit={group.unit}
            />
          ) : null}
          {step === "months" ? (
            <Bars
              title={t("byMonth")}
              bars={monthBars(balance.months, words)}
              limit={limit.percent}
              unit={group.unit}
            />
          ) : null}
          <PointsTable balance={balance} />
          <Trend group={balance.group.id} limit={limit.percent} zone={balance.group.timezone} />
        </div>
        <Causes balance={balance} />
      </div>
    </>
  );
}

/** The imbalance by half-hour, from power profiles: it is asked for only when it is looked at. */
function HalfHours({ balance, range }: { readonly balance: Balance; readonly range: Range }) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const { id, timezone: zone } = balance.group;
  const query = useCall(
    balances.halfHours,
    { params: { id: String(id) }, body: { startDate: range.start, stopDate: range.end + 1 } },
    { isQuiet: true, keepsPrevious: true },
  );
  if (!query.data)
    return query.error ? (
      <section className="balance-panel">
        <ErrorState
          title={t(query.error.code === "too_large" ? "halfHoursTooMany" : "failedBalance")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      </section>
    ) : (
      <Skeleton height={240} />
    );
  const { unit, half_hours } = query.data;
  return (
    <Bars
      title={t("byHalfHour")}
      bars={halfHourBars(half_hours, { t, number, zone, unit })}
      limit={balance.limit.percent}
      unit={unit}
    />
  );
}

/** The imbalance of the last twelve months. */
function Trend({
  group,
  limit,
  zone,
}: {
  readonly group: number;
  readonly limit: number;
  readonly zone: string;
}) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const { start: stop } = presetRange("thisMonth", zone, useNow());
  const from = startOfMonth(stop, zone, -12);
  const query = useCall(
    balances.noBalance,
    { params: { id: String(group) }, query: { startDate: String(from), stopDate: String(stop) } },
    { isQuiet: true, freshMs: 60_000 },
  );
  const months = query.data?.months;
  if (!months) return query.error ? <EmptyState title={t("noTrend")} /> : <Skeleton height={160} />;
  return <Bars title={t("trend")} bars={monthBars(months, { t, number })} limit={limit} isLow />;
}
