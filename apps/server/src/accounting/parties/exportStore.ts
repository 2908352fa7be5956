import type { ConsumerExport } from "@metrum/contract/access";
import type { ConsumerId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visiblePoints, type Db, type Scope } from "#core";

/**
 * Consumption of the days that lie wholly in intervals of the consumer: a day shared with another one is not
 * theirs alone. Rows: by point_term_of_consumer, then the primary key of point_day.
 */
export async function daysOf(
  db: Db,
  scope: Scope,
  id: ConsumerId,
  limit: number,
): Promise<ConsumerExport["days"]> {
  const { rows } = await sql<ConsumerExport["days"][number]>`
    select d.point_id as accounting_point_id, d.field, d.day::text, d.amount::text
    from point_term t join accounting_point p on p.id = t.point_id
    join point_day d on d.point_id = t.point_id
      and extract(epoch from d.day::timestamp at time zone p.timezone) >= t.from_ts
      and (t.to_ts is null or extract(epoch from (d.day + 1)::timestamp at time zone p.timezone) <= t.to_ts)
    where t.consumer_id = ${id}::int and ${visiblePoints(scope)}
    order by d.day desc, d.point_id, d.field limit ${limit}::int`.execute(db);
  return rows;
}

/** Entries of the audit log about a record, the latest first. Index audit_by_subject. */
export async function changesOf(
  db: Db,
  { companyId }: Scope,
  subject: string,
  limit: number,
): Promise<ConsumerExport["changes"]> {
  const { rows } = await sql<ConsumerExport["changes"][number]>`
    select extract(epoch from at)::bigint as at, action from audit
    where company_id = ${companyId}::int and subject = ${subject} order by at desc, id desc limit ${limit}::int`.execute(
    db,
  );
  return rows;
}
