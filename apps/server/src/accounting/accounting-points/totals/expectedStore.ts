import type { AccountingPointId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "#core";
import type { TimeSpan } from "../days/index.ts";

/**
 * Expression: seconds between two moments (epoch seconds) in which consumption of a point is expected: a device
 * measures it, or an amount was added for the time without one. After the end of the last tie nothing is; a time
 * without a meter that was left uncounted is none either. Rows: the ties of the point, by point_device_of_point, and
 * its amounts, by point_amount_of_point.
 */
export const expectedSec = (of: {
  readonly point: RawBuilder<unknown>;
  readonly from: RawBuilder<unknown>;
  readonly to: RawBuilder<unknown>;
}): RawBuilder<number> => sql<number>`(
  select coalesce(sum(upper(part) - lower(part)), 0)::int
  from (
    select range_agg(int8range(x.from_ts, x.to_ts)) * int8multirange(int8range(${of.from}, ${of.to})) as parts
    from (
      select from_ts, to_ts from point_device where point_id = ${of.point} and from_ts < ${of.to}
      union all
      select from_ts, to_ts from point_amount where point_id = ${of.point} and field = 'main' and from_ts < ${of.to}
    ) x
  ) e cross join lateral unnest(e.parts) as part
)`;

/** Seconds in which consumption of a point is expected, see `expectedSec`; undefined: it never had a device. */
export async function expectedSecOf(
  db: Db,
  pointId: AccountingPointId,
  { from, to }: TimeSpan,
): Promise<number | undefined> {
  const [point, start, end] = [sql`${pointId}::int4`, sql`${from}::int8`, sql`${to}::int8`];
  const { rows } = await sql<{ readonly sec: number | null }>`
    select case when exists (select from point_device where point_id = ${point})
      then ${expectedSec({ point, from: start, to: end })} end as sec`.execute(db);
  return rows[0]?.sec ?? undefined;
}

/** Seconds of a span that must be known for it to be whole: those that passed, and of one that is over the expected. */
export function lengthToKnow(
  { from, to }: TimeSpan,
  { now, expected }: { readonly now: number; readonly expected: number | undefined },
): number {
  const passed = Math.max(0, Math.min(to, now) - from);
  return to <= now && expected !== undefined ? Math.min(passed, expected) : passed;
}
