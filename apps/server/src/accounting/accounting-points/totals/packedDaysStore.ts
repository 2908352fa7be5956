import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { dayText, type Db } from "#core";
import { microIn } from "./decimal.ts";

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

/**
 * Days of the main register of many points. A whole day is packed as its number and amount, and read without making a
 * text or an object of it: 31,000 rows with their columns cost three times as much. Rows: one a point; index: primary
 * key of point_day. The ids come from a query on accounting_point.
 */
export async function packedDaysOfPoints(
  db: Db,
  ids: readonly AccountingPointId[],
  { first, last }: DayNumbers,
): Promise<Map<AccountingPointId, PackedDays>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ point_id: AccountingPointId; days: string }>`
    select point_id, days from packed_days(${[...new Set(ids)]}::int[], ${dayText(first)}::date, ${dayText(last)}::date)`.execute(
    db,
  );
  const count = last - first + 1;
  return new Map(rows.map(({ point_id, days }) => [point_id, unpackedDays(days, count)]));
}

/** Reads "0:12.5 1:13 2:4:3600:…": days with an amount alone are whole. `count`: days of the request. */
export function unpackedDays(text: string, count: number): PackedDays {
  const whole = Array<number>(count).fill(Number.NaN);
  const others: PackedDay[] = [];
  for (let start = 0; start < text.length;) {
    const space = text.indexOf(" ", start);
    const end = space < 0 ? text.length : space;
    const colon = text.indexOf(":", start);
    const next = text.indexOf(":", colon + 1);
    const micro = next < 0 || next > end ? microIn(text, colon + 1, end) : Number.NaN;
    if (Number.isNaN(micro)) others.push(dayOf(text.slice(start, end)));
    else whole[Number(text.slice(start, colon))] = micro;
    start = end + 1;
  }
  return { whole, others };
}

function dayOf(text: string): PackedDay {
  const [at, amount = "", missing, gap = "", gapFrom, gapSec, estimated, gapEstimated, flags] =
    text.split(":");
  return {
    at: Number(at),
    amount: amount === "" ? null : amount,
    missingSec: Number(missing ?? 0),
    gapAmount: gap === "" ? null : gap,
    gapFrom: Number(gapFrom ?? 0),
    gapSec: Number(gapSec ?? 0),
    estimated: estimated ?? "0",
    gapEstimated: gapEstimated ?? "0",
    flags: Number(flags ?? 0),
  };
}
