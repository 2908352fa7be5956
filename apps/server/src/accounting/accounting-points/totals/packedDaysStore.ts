import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { dayText, microIn, wholeIn, type Db } from "#core";

/** Consumption of a point in one day, as `point_day` has it: exact decimals, ratio included, losses not. */
export interface PackedDay {
  /** Days since the first day of the request. */
  readonly at: number;
  readonly amount: string | null;
  /** Seconds of the day that the amount does not cover. */
  readonly missingSec: number;
  /** Of a gap that ends in this day, from the day `gapFrom` on; a day before the request is negative. */
  readonly gapAmount: string | null;
  readonly gapFrom: number;
  readonly gapSec: number;
  /** Part of both amounts that rests on estimated or added values. */
  readonly estimated: string;
  readonly gapEstimated: string;
  readonly flags: number;
}

/** The days of a point. A day of which nothing is known is in neither. */
export interface PackedDays {
  /** Millionths by day of the request, of the days that are whole and have nothing else to tell; NaN: no such day. */
  readonly whole: readonly number[];
  /** The other days, and those whose amount is no safe integer of millionths. */
  readonly others: readonly PackedDay[];
}

/** Days since 1970-01-01, both inclusive. */
export interface DayNumbers {
  readonly first: number;
  readonly last: number;
}

/** A row of `point_month`. */
export interface PackedMonth {
  /** Days from the first one of the request to the first of the month; negative when the request begins later. */
  readonly shift: number;
  /** "0:12.5 1:13 2:4:3600:…": days with an amount alone are whole. */
  readonly days: string;
}

/**
 * Days of the main register of many points, as they are stored by month. A whole day is read without making a text or
 * an object of it. Rows: one a point and month; index: primary key of point_month. The ids come from a query on
 * accounting_point.
 */
export async function packedDaysOfPoints(
  db: Db,
  ids: readonly AccountingPointId[],
  { first, last }: DayNumbers,
): Promise<Map<AccountingPointId, PackedDays>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<PackedMonth & { readonly point_id: AccountingPointId }>`
    select point_id, month - ${dayText(first)}::date as shift, days from point_month
    where point_id = any(${[...new Set(ids)]}::int[]) and month >= date_trunc('month', ${dayText(first)}::date)::date
      and month <= ${dayText(last)}::date`.execute(db);
  const months = new Map<AccountingPointId, PackedMonth[]>();
  for (const row of rows) {
    const own = months.get(row.point_id);
    if (own) own.push(row);
    else months.set(row.point_id, [row]);
  }
  const count = last - first + 1;
  return new Map([...months].map(([id, own]) => [id, unpackedDays(own, count)]));
}

/** The days of a request of `count` days; others of the same months are left out. */
export function unpackedDays(months: readonly PackedMonth[], count: number): PackedDays {
  const whole = Array<number>(count).fill(Number.NaN);
  const others: PackedDay[] = [];
  for (const { shift, days } of months)
    for (let start = 0; start < days.length;) {
      const space = days.indexOf(" ", start);
      const end = space < 0 ? days.length : space;
      const colon = days.indexOf(":", start);
      const at = wholeIn(days, start, colon) + shift;
      if (at >= 0 && at < count) {
        const next = days.indexOf(":", colon + 1);
        const micro = next < 0 || next > end ? microIn(days, colon + 1, end) : Number.NaN;
        if (Number.isNaN(micro)) others.push(dayOf(at, shift, days.slice(colon + 1, end)));
        else whole[at] = micro;
      }
      start = end + 1;
    }
  return { whole, others };
}

function dayOf(at: number, shift: number, text: string): PackedDay {
  const [amount = "", missing, gap = "", gapFrom, gapSec, estimated, gapEstimated, flags] = text.split(":");
  return {
    at,
    amount: amount === "" ? null : amount,
    missingSec: Number(missing ?? 0),
    gapAmount: gap === "" ? null : gap,
    gapFrom: gap === "" ? 0 : Number(gapFrom ?? 0) + shift,
    gapSec: Number(gapSec ?? 0),
    estimated: estimated ?? "0",
    gapEstimated: gapEstimated ?? "0",
    flags: Number(flags ?? 0),
  };
}
