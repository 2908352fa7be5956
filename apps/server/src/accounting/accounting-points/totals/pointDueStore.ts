import type { AccountingPointId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type pg from "pg";
import { unwaited, visiblePoints, type Db, type DeviceScope } from "#core";
import { dueColumns, type Due, type DueProgress, type DueQueue, type Leasing } from "#metering/messages";

/**
 * Has the days of a point recomputed, in the transaction of the cause; without an end, all days after the
 * beginning. Changes of point_device, point_term, point_amount, transformer and of the zone of a point need no
 * call: triggers mark them.
 */
export async function markPoint(
  db: Db,
  pointId: AccountingPointId,
  { from, to }: { readonly from: number; readonly to?: number | undefined },
): Promise<void> {
  await sql`select mark_point(${pointId}::int4, ${from}::int8, ${to ?? null}::int8)`.execute(db);
}

/** Marked points. */
export function pointQueue(pool: pg.Pool): DueQueue {
  return {
    async lease(how) {
      const most = how.atOnce - Math.ceil(how.atOnce * oldestShare);
      const newest = await leasePoints(pool, newestLease, { ...how, atOnce: most });
      const oldest = await leasePoints(pool, oldestLease, { ...how, atOnce: how.atOnce - newest.length });
      return { urgent: [], calm: [...newest, ...oldest] };
    },
    forget: (due, leasedAt) => forgetPoint(pool, due, leasedAt),
    giveBack: async (due, fromTs = due.from_ts) => {
      await pool.query(
        "update point_due set from_ts = $3::int8, leased_until = 0 where point_id = $1::int4 and marks = $2::int4",
        [due.id, due.marks, fromTs],
      );
    },
    async countFailure(due, error) {
      const { rows } = await pool.query<{ attempts: number }>(
        `update point_due set attempts = attempts + 1, error = $3::text
          where point_id = $1::int4 and marks = $2::int4 returning attempts`,
        [due.id, due.marks, error instanceof Error ? error.message : String(error)],
      );
      return rows[0]?.attempts ?? 0;
    },
  };
}

/** Share of a turn that stays for the points that were marked first, however many are marked after them. */
const oldestShare = 1 / 4;

const lease = (name: string, condition: string, order: string) => ({
  name,
  text: `update point_due d set leased_until = $1::int8 + $2::int8
    from (
      select point_id from point_due where leased_until <= $1::int8 and attempts < $3::int4 and ${condition}
      order by ${order} limit $4::int4 for update skip locked
    ) k
    where d.point_id = k.point_id returning d.point_id as id, d.from_ts, d.to_ts, d.marks`,
});
const newestLease = lease("points-due-newest", "due_at = 0", "marked_at desc");
const oldestLease = lease("points-due-oldest", "due_at <= $1::int8", "due_at, marked_at");

/** Some marked points. Index: point_due_by_time. */
async function leasePoints(
  pool: pg.Pool,
  statement: typeof newestLease,
  { now, leaseSec, mostAttempts, atOnce }: Leasing,
): Promise<Due[]> {
  const values = [now, leaseSec, mostAttempts, atOnce];
  return (await pool.query<Due>({ ...statement, values })).rows;
}

async function forgetPoint(pool: pg.Pool, { id, marks }: Due, leasedAt: number): Promise<void> {
  const { rowCount } = await pool.query(
    `delete from point_due using ${unwaited} where point_id = $1::int4 and marks = $2::int4 and again_at <= $3::int8`,
    [id, marks, leasedAt],
  );
  if (rowCount === 0)
    await pool.query(
      `update point_due set from_ts = again_from, due_at = again_at, leased_until = 0
        where point_id = $1::int4 and marks = $2::int4`,
      [id, marks],
    );
}

/** After the clock was set back: marks and leases of a time that is still to come are so much earlier. */
export async function pullPointsNear(pool: pg.Pool, now: number, bySec: number): Promise<void> {
  await pool.query(
    `update point_due set leased_until = case when leased_until > $1::int8 then leased_until - $2::int8 else leased_until end,
        due_at = case when due_at > $1::int8 then greatest($1::int8, due_at - $2::int8) else due_at end,
        again_at = case when again_at > $1::int8 then greatest($1::int8, again_at - $2::int8) else again_at end
      where point_id in (
        select point_id from point_due where due_at > $1::int8 or leased_until > $1::int8 or again_at > $1::int8
        order by point_id for update)`,
    [now, bySec],
  );
}

/** Marked points that wait, of those visible to the session. Rows: the marks. */
export async function pointProgress(db: Db, scope: DeviceScope): Promise<Omit<DueProgress, "kind">> {
  const { rows } = await sql<Omit<DueProgress, "kind">>`
    select ${dueColumns} from point_due q
    where exists (select from accounting_point p where p.id = q.point_id and ${visiblePoints(scope)})`.execute(
    db,
  );
  return rows[0] ?? { due: 0, later: 0, parked: 0, oldest_sec: null };
}
