import { sql } from "kysely";
import type { Db } from "#core";

/**
 * After the clock was set back: items planned in a time that is still to come are planned again. Rows: those open, by
 * device_task_item_open.
 */
export async function pullItemsNear(db: Db, now: number): Promise<void> {
  await sql`
    update device_task_item set planned_at = null
    where (task_id, device_id) in (
      select task_id, device_id from device_task_item where status_id in (1, 2) and planned_at > ${now}::bigint
      order by task_id, device_id for update)`.execute(db);
}
