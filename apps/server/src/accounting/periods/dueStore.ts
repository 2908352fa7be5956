import { sql } from "kysely";
import { visiblePoints, type Db, type Scope } from "#core";
import { dueKinds } from "#metering/messages";

/**
 * Points of a session whose days in a span are not computed yet, because readings, those of a source of their
 * virtual device, or their own history have changed. Rows: all marks that are due.
 */
export async function duePoints(
  system: Db,
  scope: Scope,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  const { companyId } = scope;
  const { rows } = await sql<{ n: number }>`
    select count(distinct point_id)::int as n from (
      select t.point_id from reading_due m
        join point_device t on t.device_id = m.device_id and t.company_id = ${companyId}::int
      where m.kind = ${dueKinds.points}::smallint and m.from_ts < ${to}::bigint and m.to_ts >= ${from}::bigint
      union all
      select t.point_id from reading_due m
        join virtual_source v on v.source_id = m.device_id and v.company_id = ${companyId}::int
        join point_device t on t.device_id = v.virtual_id
      where m.kind = ${dueKinds.virtualDevices}::smallint and m.from_ts < ${to}::bigint and m.to_ts >= ${from}::bigint
      union all
      select m.point_id from point_due m where m.from_ts < ${to}::bigint and m.to_ts >= ${from}::bigint
    ) due join accounting_point p on p.id = due.point_id where ${visiblePoints(scope)}`.execute(system);
  return rows[0]?.n ?? 0;
}
