import type { AccountingPointId } from "@metrum/vocabulary";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Db } from "#core";
import type { RegisterDays } from "./readStore.ts";

/**
 * Condition on a day `d` of a period that begins at `from`: the gap that ends in it began in a closed period before.
 * That one cannot bill it any more, since no period bills a gap of which it holds only a part; so the period in which
 * it ends does. While any closed period of its days bills something else than these give now, the gap waits for that
 * correction: it may be billed there in part. Rows: days of the point in those periods, only for such a gap: a
 * conjunction would look for them on each day without one, for `null and …` is not decided.
 */
export const isCarried = (from: RawBuilder<unknown>): RawBuilder<SqlBool> => sql<SqlBool>`
  case when d.gap_day < ${from} then (
    select coalesce(bool_or(d.gap_day between c.from_day and c.to_day) and bool_and(
      coalesce(b.amount, 0) - coalesce(b.carried, 0) = (
        select coalesce(sum(g.amount), 0) + coalesce(sum(g.gap_amount) filter (where g.gap_day >= c.from_day), 0)
        from point_day g
        where g.point_id = d.point_id and g.field = d.field and g.day between c.from_day and c.to_day)), false)
    from accounting_point owner
      join settlement_period c on c.company_id = owner.company_id and c.state = 'closed'
        and c.to_day >= d.gap_day and c.from_day < ${from}
      left join period_total b on b.period_id = c.id and b.version = c.version and b.point_id = d.point_id
        and b.field = d.field
    where owner.id = d.point_id
  ) else false end`;

/** The amount of a gap that a month bills although it began before it. */
export interface CarriedGap {
  /** Of the month that bills it, in which the gap ends. */
  readonly day: string;
  /** Exact decimal, ratio included, losses not. */
  readonly amount: string;
  readonly estimated: string;
  /** Epoch seconds. */
  readonly from: number;
  readonly to: number;
}

/** Such gaps of points in whole months, by point; those without are absent. Rows: days of the points, by primary key. */
export async function carriedGaps(
  db: Db,
  given: RegisterDays,
): Promise<ReadonlyMap<AccountingPointId, readonly CarriedGap[]>> {
  const { rows } = await sql<CarriedGap & { readonly point_id: AccountingPointId }>`
    select d.point_id, d.day::text as day, trim_scale(d.gap_amount)::text as amount,
      trim_scale(d.gap_estimated)::text as estimated, d.gap_from as "from", d.gap_from + d.gap_sec as "to"
    from point_day d
    where d.point_id = any(${[...given.pointIds]}::int4[]) and d.field = ${given.field}
      and d.day between ${given.fromDay}::date and ${given.toDay}::date
      and ${isCarried(sql`date_trunc('month', d.day)::date`)}
    order by d.point_id, d.day`.execute(db);
  const found = new Map<AccountingPointId, CarriedGap[]>();
  for (const { point_id, ...gap } of rows) found.set(point_id, [...(found.get(point_id) ?? []), gap]);
  return found;
}
