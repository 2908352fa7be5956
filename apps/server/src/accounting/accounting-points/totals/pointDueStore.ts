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
    lease: async (how) => ({ urgent: await leasePoints(pool, how), calm: [] }),
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

/** Some points after an id, in order. Index: primary key of point_due. */
async function leasePoints(pool: pg.Pool, how: Leasing): Promise<Due[]> {
  const { rows } = await pool.query<Due>({
    name: "points-due",
    text: `update point_due d set leased_until = $1::int8 + $2::int8
      from (
        select point_id from point_due
        where leased_until <= $1::int8 and due_at <= $1::int8 and attempts < $3::int4 and point_id > $4::int4
        order by point_id limit $5::int4 for update skip locked
      ) k
      where d.point_id = k.point_id returning d.point_id as id, d.from_ts, d.to_ts, d.marks`,
    values: [how.now, how.leaseSec, how.mostAttempts, how.after, how.atOnce],
  });
  return rows;
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

/** Marked points that wait, of those visible to the session. Rows: the marks. */
export async function pointProgress(db: Db, scope: DeviceScope): Promise<Omit<DueProgress, "kind">> {
  const { rows } = await sql<Omit<DueProgress, "kind">>`
    select ${dueColumns} from point_due q
    where exists (select from accounting_point p where p.id = q.point_id and ${visiblePoints(scope)})`.execute(
    db,
  );
  return rows[0] ?? { due: 0, parked: 0, oldest_sec: null };
}
