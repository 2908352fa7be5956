import { sql, type RawBuilder } from "kysely";

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
