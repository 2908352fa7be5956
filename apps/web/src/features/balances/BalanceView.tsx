import { balances, type Balance } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat, useNow } from "#lib/format";
import { presetRange } from "#ui/dateRange";
import { Skeleton } from "#ui/skeleton";
import { EmptyState } from "#ui/states";
import { Bars } from "./Bars.tsx";
import type { Step } from "./balances.ts";
import { Causes } from "./Causes.tsx";
import { Ledger } from "./Ledger.tsx";
import { PointsTable } from "./PointsTable.tsx";
import { dayBars, monthBars } from "./bars.ts";
import { dateOf } from "./words.ts";

/** Key figures and ledger, the chart by day or month, the causes, and the points. */
export function BalanceView({ balance, step }: { readonly balance: Balance; readonly step: Step }) {
  const { t } = useTranslation("balances");
  const { number } = useFormat();
  const words = { t, number };
  const { total, limit, group } = balance;
  return (
    <>
      <Ledger balance={balance} />
      <div className="balance-columns">
        <div className="balance-main">
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

const yearSec = 365 * 86_400;

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
  const from = presetRange("thisMonth", zone, stop - yearSec + 86_400).start;
  const query = useCall(
    balances.noBalance,
    { params: { id: String(group) }, query: { startDate: String(from), stopDate: String(stop) } },
    { isQuiet: true, freshMs: 60_000 },
  );
  const months = query.data?.months;
  if (!months) return query.error ? <EmptyState title={t("noTrend")} /> : <Skeleton height={160} />;
  return <Bars title={t("trend")} bars={monthBars(months, { t, number })} limit={limit} isLow />;
}
