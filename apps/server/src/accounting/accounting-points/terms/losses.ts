import type { AccountingPointId, CompanyId } from "@metrum/vocabulary";
import { decimal, plus, startOfDay, textOf, times, zero, type Db } from "#core";
import { lossOver, type LossStep } from "#metering/messages";
import { pointsWithLosses, termsOf } from "./termStore.ts";
import { carriedGaps, dayRowsOfPoints, type CarriedGap, type PointDay } from "../totals/index.ts";

/** Shares of losses of a point over time. */
export async function lossSteps(db: Db, pointId: AccountingPointId): Promise<LossStep[]> {
  return (await termsOf(db, { pointId, kind: "loss" })).map(({ from_ts, to_ts, number }) => ({
    from: from_ts,
    to: to_ts,
    share: String(number ?? 0),
  }));
}

const daySec = 86_400;
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / (daySec * 1000);

type LossDay = Pick<PointDay, "day" | "amount" | "gapAmount" | "gapDay">;

/**
 * Losses of a month by the rule of `lossOver`, exact as text; of a gap if the month contains it or it is among the
 * `carried` ones, which the month bills although they began before it.
 */
export function lossOfMonth(
  month: string,
  {
    days,
    losses,
    zone,
    carried = [],
  }: {
    readonly days: readonly LossDay[];
    readonly losses: readonly LossStep[];
    readonly zone: string;
    readonly carried?: readonly Pick<CarriedGap, "day">[];
  },
): string {
  let sum = zero;
  for (const { day, amount, gapAmount, gapDay } of days) {
    if (!day.startsWith(month)) continue;
    const to = startOfDay(zone, dayNumber(day) + 1);
    const add = (of: string, first: string): void => {
      const share = lossOver(losses, { from: startOfDay(zone, dayNumber(first)), to });
      if (share !== undefined) sum = plus(sum, times(decimal(of), decimal(share)));
    };
    if (amount !== null) add(amount, day);
    if (gapAmount === null || gapDay === null) continue;
    if (gapDay.startsWith(month) || carried.some((gap) => gap.day === day)) add(gapAmount, gapDay);
  }
  return textOf(sum);
}

/** Points whose days are read at once. */
const pointsAtOnce = 500;

/** Losses of all points of a company in a month (`2026-03`) by point; those without a share of losses are absent. */
export async function lossesOfMonth(
  db: Db,
  companyId: CompanyId,
  month: string,
): Promise<ReadonlyMap<AccountingPointId, string>> {
  const found = new Map<AccountingPointId, string>();
  const points = await pointsWithLosses(db, companyId, month);
  for (let at = 0; at < points.length; at += pointsAtOnce) {
    const part = points.slice(at, at + pointsAtOnce);
    const asked = { pointIds: part.map(({ id }) => id), fromDay: `${month}-01`, toDay: lastDayOf(month) };
    const rows = await dayRowsOfPoints(db, asked);
    const carried = await carriedGaps(db, { ...asked, field: "main" });
    const days = new Map<AccountingPointId, PointDay[]>(part.map(({ id }) => [id, []]));
    for (const row of rows) days.get(row.pointId)?.push(row);
    for (const { id, zone, losses } of part)
      found.set(
        id,
        lossOfMonth(month, { days: days.get(id) ?? [], losses, zone, carried: carried.get(id) ?? [] }),
      );
  }
  return found;
}

/** `2026-02-28` of `2026-02`. */
export function lastDayOf(month: string): string {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
