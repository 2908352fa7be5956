import type { AccountingPointId, ObjectId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visiblePoints, type Db, type Scope } from "#core";
import { dueKinds, isDue } from "#metering/messages";

interface Left {
  readonly points_left: number;
  readonly days_left: number;
}

interface Asked {
  readonly point: AccountingPointId | undefined;
  readonly branch: ObjectId | undefined;
  readonly now: number;
}

const daySec = 86_400;

/**
 * Points with days that are about to be computed again, and how many days of all of them: from the first that a mark
 * names to the last that is over. The running day is computed with every reading, and a point that never had a device
 * has no days. Rows: the marks that are due.
 */
export async function daysLeft(db: Db, scope: Scope, { point, branch, now }: Asked): Promise<Left> {
  const over = now - daySec;
  const { rows } = await sql<Left>`
    with mark as (
      select t.point_id, greatest(q.from_ts, t.from_ts) as from_ts, least(q.to_ts, coalesce(t.to_ts, q.to_ts)) as to_ts
      from reading_due q join point_device t on t.device_id = q.device_id
      where q.kind = ${dueKinds.points}::int2 and ${isDue}
      union all
      select t.point_id, greatest(q.from_ts, t.from_ts), least(q.to_ts, coalesce(t.to_ts, q.to_ts))
      from reading_due q
        join virtual_source v on v.source_id = q.device_id
        join point_device t on t.device_id = v.virtual_id
      where q.kind = ${dueKinds.virtualDevices}::int2 and ${isDue}
      union all
      select q.point_id, greatest(q.from_ts, f.first), q.to_ts from point_due q
        cross join lateral (select min(t.from_ts) as first from point_device t where t.point_id = q.point_id) f
      where ${isDue} and f.first is not null
    ), span as (
      select m.point_id, min(m.from_ts) as from_ts, least(max(m.to_ts), ${over}::int8) as to_ts
      from mark m join accounting_point p on p.id = m.point_id
      where m.from_ts <= least(m.to_ts, ${over}::int8) and ${visiblePoints(scope)}
        ${point === undefined ? sql`` : sql`and p.id = ${point}::int4`}
        ${branch === undefined ? sql`` : sql`and p.object_id in (select object_branch(array[${branch}::int4]))`}
      group by m.point_id
    )
    select count(*)::int as points_left, coalesce(sum((to_ts - from_ts) / ${daySec}::int8 + 1), 0)::int as days_left
    from span`.execute(db);
  return rows[0] ?? { points_left: 0, days_left: 0 };
}
