import { sql, type RawBuilder } from "kysely";
import type { Db } from "#core";

/** Processes have died, and their jobs may be lost with them: queued commands are planned again. */
export async function replanAll(db: Db): Promise<void> {
  await sql`
    update device_command set planned_at = null
    where id in (select id from device_command where state = 'queued' and planned_at is not null order by id for update)`.execute(
    db,
  );
}

/**
 * After the clock was set back: commands of a time that is still to come were requested so much earlier, and expire then;
 * those that wait do so for that much less. Rows: the open ones, and those to be read back.
 */
export async function pullCommandsNear(db: Db, now: number, bySec: number): Promise<void> {
  const near = (column: RawBuilder<unknown>) =>
    sql`case when ${column} > ${now}::bigint then greatest(${now}::bigint, ${column} - ${bySec}::bigint) else ${column} end`;
  await sql`
    update device_command set next_at = ${near(sql`next_at`)}, follow_at = ${near(sql`follow_at`)}, planned_at = null,
      sent_at = ${near(sql`sent_at`)},
      expires_at = case when created_at > ${now}::bigint then expires_at - ${bySec}::bigint else expires_at end,
      created_at = case when created_at > ${now}::bigint then created_at - ${bySec}::bigint else created_at end
    where id in (
      select id from device_command where state in ('queued', 'sending') or follow_at is not null
      order by id for update)`.execute(db);
}

/** Commands whose outcome is due for so long that nothing seems to work on them. */
export async function stuckCommands(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device_command
    where state = 'sending' and order_id is null and sent_at < ${now - stuckSec}
      or state = 'queued' and expires_at < ${now - stuckSec}`.execute(db);
  return rows[0]?.count ?? 0;
}

const stuckSec = 300;
