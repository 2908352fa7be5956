import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Consumption of a point in one day, as `point_day` has it: exact decimals, ratio included, losses not. */
export interface PackedDay {
  /** Days since the first day of the request. */
  readonly at: number;
  readonly amount: string | null;
  /** Of a gap that ends in this day, from the day `gapFrom` on; a day before the request is negative. */
  readonly gapAmount: string | null;
  readonly gapFrom: number;
  readonly gapSec: number;
  /** Part of both amounts that rests on estimated or added values. */
  readonly estimated: string;
  readonly gapEstimated: string;
  readonly lengthSec: number;
  readonly knownSec: number;
  readonly flags: number;
}

/** Days since 1970-01-01, both inclusive. */
export interface DayNumbers {
  readonly first: number;
  readonly last: number;
}

/**
 * Days of the main register of many points. An ordinary day is packed as its number, amount and length: 31,000 rows
 * with their columns cost the driver three times as much. Rows: one a point; index: primary key of point_day. The ids
 * come from a query on accounting_point.
 */
export async function packedDaysOfPoints(
  db: Db,
  ids: readonly AccountingPointId[],
  { first, last }: DayNumbers,
): Promise<Map<AccountingPointId, PackedDay[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ point_id: AccountingPointId; days: string }>`
    select point_id, string_agg(
      case when amount is not null and known_sec >= length_sec and gap_amount is null and estimated = 0 and flags = 0
        then (day - '1970-01-01'::date - ${first}::int) || ':' || amount || ':' || length_sec
        else concat_ws(':', day - '1970-01-01'::date - ${first}::int, coalesce(amount::text, ''), length_sec, known_sec,
          coalesce(gap_amount::text, ''), coalesce(gap_day - '1970-01-01'::date - ${first}::int, 0),
          coalesce(gap_sec, 0), estimated, gap_estimated, flags) end, ' ') as days
    from point_day
    where point_id = any(${[...new Set(ids)]}::int[]) and field = 'main'
      and day between '1970-01-01'::date + ${first}::int and '1970-01-01'::date + ${last}::int
    group by point_id`.execute(db);
  return new Map(rows.map(({ point_id, days }) => [point_id, days.split(" ").map(unpacked)]));
}

function unpacked(text: string): PackedDay {
  const [at, amount = "", length = "0", known, gap = "", gapFrom, gapSec, estimated, gapEstimated, flags] =
    text.split(":");
  const lengthSec = Number(length);
  return {
    at: Number(at),
    amount: amount === "" ? null : amount,
    gapAmount: gap === "" ? null : gap,
    gapFrom: Number(gapFrom ?? 0),
    gapSec: Number(gapSec ?? 0),
    estimated: estimated ?? "0",
    gapEstimated: gapEstimated ?? "0",
    lengthSec,
    // An added amount may overlap what the readings tell.
    knownSec: known === undefined ? lengthSec : Math.min(Number(known), lengthSec),
    flags: Number(flags ?? 0),
  };
}
