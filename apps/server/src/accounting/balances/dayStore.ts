import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Consumption of a point in one day, as `point_day` has it: an exact decimal, ratio included, losses not. */
export interface DayRow {
  /** Days since the first day of the request. */
  readonly at: number;
  readonly amount: string | null;
  /** Of a gap that ends in this day, from the day `gapFrom` on. */
  readonly gapAmount: string | null;
  readonly gapFrom: number | null;
  readonly estimated: string;
  readonly lengthSec: number;
  readonly knownSec: number;
  readonly flags: number;
}

export interface DayRange {
  /** Days since 1970-01-01, both inclusive. */
  readonly first: number;
  readonly last: number;
}

/**
 * Days of points, of the main register. An ordinary day is packed as its number and amount: 31,000 rows with their
 * columns cost the driver three times as much. Rows: one a point; index: primary key of point_day. The ids must come
 * from a query on accounting_point in the same transaction.
 */
export async function dayRowsOf(
  db: Db,
  ids: readonly AccountingPointId[],
  { first, last }: DayRange,
): Promise<Map<AccountingPointId, DayRow[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ point_id: AccountingPointId; days: string }>`
    select point_id, string_agg(
      case when amount is not null and known_sec >= length_sec and gap_amount is null and estimated = 0 and flags = 0
        then (day - '1970-01-01'::date - ${first}::int) || ':' || amount || ':' || length_sec
        else concat_ws(':', day - '1970-01-01'::date - ${first}::int, coalesce(amount::text, ''), length_sec, known_sec,
          coalesce(gap_amount::text, ''), coalesce((to_timestamp(gap_from) at time zone timezone)::date - '1970-01-01'::date - ${first}::int, 0),
          estimated, flags) end, ' ') as days
    from point_day join accounting_point p on p.id = point_id
    where point_id = any(${[...new Set(ids)]}::int[]) and field = 'main'
      and day between '1970-01-01'::date + ${first}::int and '1970-01-01'::date + ${last}::int
    group by point_id`.execute(db);
  return new Map(rows.map(({ point_id, days }) => [point_id, days.split(" ").map(unpacked)]));
}

function unpacked(text: string): DayRow {
  const [at, amount = "", length = "0", known, gap = "", gapFrom = "0", estimated = "0", flags = "0"] =
    text.split(":");
  const lengthSec = Number(length);
  return {
    at: Number(at),
    amount: amount === "" ? null : amount,
    gapAmount: gap === "" ? null : gap,
    gapFrom: gap === "" ? null : Number(gapFrom),
    estimated,
    lengthSec,
    knownSec: known === undefined ? lengthSec : Math.min(Number(known), lengthSec),
    flags: Number(flags),
  };
}

/** Share of the consumption of a point that is lost, in force over a span of days. */
export interface LossTerm {
  readonly point_id: AccountingPointId;
  readonly share: string;
  readonly from_ts: number;
  readonly to_ts: number | null;
}

/** Loss terms that touch a span of time. Rows: a few a point; index: the exclusion constraint of point_term. */
export async function lossTermsOf(
  db: Db,
  ids: readonly AccountingPointId[],
  span: { readonly from: number; readonly to: number },
): Promise<LossTerm[]> {
  const { rows } = await sql<LossTerm>`
    select point_id, number::text as share, from_ts, to_ts from point_term
    where point_id = any(${[...ids]}::int[]) and kind = 'loss' and from_ts < ${span.to}
      and coalesce(to_ts, ${span.to}) > ${span.from} order by from_ts`.execute(db);
  return rows;
}

/** What the balance shows of a point beside its consumption. */
export interface PointHead {
  readonly id: AccountingPointId;
  readonly name: string;
  readonly timezone: string;
  readonly resource_type_id: number;
  readonly device_id: number | null;
  readonly device: string | null;
}

/**
 * Names of points, with the device that measured each last in a span. Rows: one a point; index: primary key and the
 * exclusion constraint of point_device. The points must be visible to the session.
 */
export async function pointHeads(
  db: Db,
  ids: readonly AccountingPointId[],
  until: number,
): Promise<Map<AccountingPointId, PointHead>> {
  const { rows } = await sql<PointHead>`
    select p.id, p.name, p.timezone, p.resource_type_id, d.id as device_id,
      d.model_title || ' №' || d."deviceID" as device
    from accounting_point p
    left join lateral (select device_id from point_device where point_id = p.id and from_ts < ${until}
      order by from_ts desc limit 1) t on true
    left join device d on d.id = t.device_id
    where p.id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
