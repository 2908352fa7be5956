import type { pointHistory, PointMonth } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import { dayOf, dayText, decimal, decimalOf, isEqual, resolveOne, startOfDay, textOf, type Ctx } from "#core";
import type { LossStep } from "#metering/messages";
import { billedTotals, closedSpans, type BilledTotal, type ClosedSpan } from "#accounting/closed-periods";
import { dayFlags, devicesOf, pointColumns, type PointDevice } from "../records/index.ts";
import { lastDayOf, lossOfMonth, lossSteps } from "../terms/index.ts";
import { mainRegister, ratioAt, ratiosFor, ratiosOf, registerWords, type RatioStep } from "../days/index.ts";
import {
  carriedGaps,
  dayRowsOfPoints,
  lengthToKnow,
  monthsOfPoint,
  registersOfPoint,
  type CarriedGap,
  type PointDay,
  type PointMonth as MonthTotal,
} from "../totals/index.ts";

interface Asked {
  readonly accounting_point_id: number;
  readonly field?: string | undefined;
  readonly months?: number | undefined;
  readonly with_loss_factor?: boolean | undefined;
}

const shownMonths = 12;

/** Consumption by months of the zone of the point, newest first. Problem: not_found. */
export async function monthsTable(ctx: Ctx, asked: Asked): Promise<ReplyOf<typeof pointHistory.months>> {
  const { db, scope } = ctx;
  const pointId = await resolveOne(ctx, "accountingPoint", asked.accounting_point_id);
  const { timezone: zone, resource_type_id } = await pointColumns(db, pointId);
  const field = asked.field ?? "main";
  const now = ctx.clock.now();
  const toMonth = dayText(dayOf(zone, now)).slice(0, 7);
  const fromMonth = monthBefore(toMonth, (asked.months ?? shownMonths) - 1);
  const totals = await monthsOfPoint(db, { pointId, field, fromMonth, toMonth });
  const spans = { from: startOfMonth(zone, fromMonth), to: startOfMonth(zone, monthBefore(toMonth, -1)) };
  const closed = await closedSpans(db, scope.companyId, { ...spans, zone });
  const billed = await billedMonths(ctx, closed, { pointId, field });
  const around: Around = {
    field,
    zone,
    at: now,
    closed,
    devices: await devicesOf(db, pointId),
    ratios: (await ratiosOf(db, [pointId])).get(pointId) ?? [],
    losses: asked.with_loss_factor ? await lossSteps(db, pointId) : [],
    ...(asked.with_loss_factor ? await daysOf(ctx, pointId, { field, fromMonth, toMonth }) : noDays),
  };
  const months = totals.toReversed().map((total) => {
    const ofBill = billed.get(total.month);
    const billedLoss = asked.with_loss_factor ? (ofBill?.loss ?? null) : null;
    return shownMonth(asBilled(total, ofBill), { ...around, billedLoss, now: differingFrom(total, ofBill) });
  });
  return {
    unit: registerWords({ resource_type_id, field }, ctx.language).unit,
    ratio_decimals: Math.max(0, ...months.map(({ ratio }) => decimalOf(ratio ?? 0).scale)),
    fields: await registersOfPoint(db, pointId),
    months,
  };
}

/** What closed months bill, whatever their days give now. */
async function billedMonths(
  { db, scope }: Ctx,
  closed: readonly ClosedSpan[],
  { pointId, field }: { readonly pointId: AccountingPointId; readonly field: string },
): Promise<ReadonlyMap<string, BilledTotal>> {
  const found = new Map<string, BilledTotal>();
  for (const { from_day, to_day } of closed) {
    const totals = await billedTotals(db, scope.companyId, { from_day, to_day, points: [pointId], field });
    const total = totals?.get(pointId);
    if (total) found.set(from_day.slice(0, 7), total);
  }
  return found;
}

function asBilled(now: MonthTotal, billed: BilledTotal | undefined): MonthTotal {
  if (!billed) return now;
  const { amount, estimated, carried, covered_sec, flags, status, start_value, end_value } = billed;
  return {
    ...now,
    ...{ amount, estimated, carried, coveredSec: covered_sec, flags, status },
    ...{ firstRegister: start_value, lastRegister: end_value },
  };
}

/** What the days of a closed month give now, where it is not what is billed. */
function differingFrom(now: MonthTotal, billed: BilledTotal | undefined): PointMonth["now"] {
  if (!billed) return null;
  const isSame =
    sameAmount(now.amount, billed.amount) &&
    now.firstRegister === billed.start_value &&
    now.lastRegister === billed.end_value;
  if (isSame) return null;
  return {
    consumption: now.amount === null ? null : Number(now.amount),
    start_value: now.firstRegister,
    end_value: now.lastRegister,
  };
}

const sameAmount = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : isEqual(decimal(a), decimal(b));

const noDays = { days: [], carried: [] };

/** Days and gaps that losses are computed of. */
async function daysOf(
  { db }: Ctx,
  pointId: AccountingPointId,
  of: { readonly field: string; readonly fromMonth: string; readonly toMonth: string },
): Promise<Pick<Around, "days" | "carried">> {
  const asked = { pointIds: [pointId], fromDay: `${of.fromMonth}-01`, toDay: lastDayOf(of.toMonth) };
  return {
    days: await dayRowsOfPoints(db, { ...asked, fields: [of.field] }),
    carried: (await carriedGaps(db, { ...asked, field: of.field })).get(pointId) ?? [],
  };
}

interface Around {
  readonly field: string;
  readonly zone: string;
  readonly at: number;
  readonly closed: readonly { readonly from: number; readonly to: number }[];
  readonly devices: readonly PointDevice[];
  readonly ratios: readonly RatioStep[];
  readonly losses: readonly LossStep[];
  readonly days: readonly PointDay[];
  readonly carried: readonly CarriedGap[];
}

interface AroundMonth extends Around {
  /** Null: the month is not closed, or its version was stored without losses. */
  readonly billedLoss: string | null;
  readonly now: PointMonth["now"];
}

function shownMonth(total: MonthTotal, around: AroundMonth): PointMonth {
  const { zone, at, now, closed, devices } = around;
  const { month, flags } = total;
  const [from, to] = [startOfMonth(zone, month), startOfMonth(zone, monthBefore(month, -1))];
  const expected = devices.length > 0 ? total.expectedSec : undefined;
  const length_sec = lengthToKnow({ from, to }, { now: at, expected });
  const has = (flag: number): boolean => (flags & flag) !== 0;
  return {
    month,
    from,
    to,
    start_value: total.firstRegister,
    end_value: total.lastRegister,
    ratio: Number(textOf(ratioAt(ratiosIn(around, to), to - 1))),
    consumption: total.amount === null ? null : Number(total.amount),
    estimated: Number(total.estimated),
    carried: Number(total.carried),
    loss: lossShown(month, around),
    known_sec: Math.min(total.coveredSec, length_sec),
    length_sec,
    state: stateOf(total, { isRunning: to > at, length_sec }),
    devices: devices.filter((each) => each.from_ts < to && (each.to_ts ?? Infinity) > from).length,
    is_reset: has(dayFlags.reset),
    is_rollover: has(dayFlags.rollover),
    is_ratio_changed: has(dayFlags.ratio),
    is_interpolated: has(dayFlags.rare),
    is_closed: closed.some((span) => span.from <= from && span.to >= to),
    now,
  };
}

/** The ratios that its main register is multiplied by; other registers are those of electricity meters. */
function ratiosIn({ field, devices, ratios }: Around, to: number): readonly RatioStep[] {
  const device = devices.findLast(({ from_ts }) => from_ts < to) ?? devices[0];
  return field !== mainRegister || !device ? ratios : ratiosFor(ratios, device.field);
}

/** Of a closed month what is billed, whatever its days give now. */
function lossShown(month: string, around: AroundMonth): number | null {
  if (around.billedLoss !== null) return Number(around.billedLoss);
  return around.losses.length === 0 ? null : Number(lossOfMonth(month, around));
}

function stateOf(
  { amount, estimated, coveredSec }: MonthTotal,
  { isRunning, length_sec }: { readonly isRunning: boolean; readonly length_sec: number },
): PointMonth["state"] {
  if (amount === null) return "none";
  if (isRunning) return "running";
  if (coveredSec < length_sec) return "partial";
  return Number(estimated) === 0 ? "complete" : "estimated";
}

/** `2026-03` some months earlier; later for a negative number. */
export function monthBefore(month: string, by: number): string {
  const [year = 1970, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 - by, 1)).toISOString().slice(0, 7);
}

export function startOfMonth(zone: string, month: string): number {
  return startOfDay(zone, Date.parse(`${month}-01T00:00:00Z`) / 86_400_000);
}
