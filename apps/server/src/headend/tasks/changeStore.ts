import type { DeviceChange } from "@metrum/contract/metering";
import type { CompanyId, DeviceId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { isOpen, type TaskActor } from "./taskStore.ts";

/** A task that changes devices, and those that are next. */
export interface ChangeBatch {
  readonly taskId: number;
  readonly companyId: CompanyId;
  readonly userId: UserId;
  readonly change: DeviceChange;
  readonly actor: TaskActor;
  readonly deviceIds: readonly DeviceId[];
}

/**
 * The next devices to change, of the oldest task that no other worker has locked; undefined when there is none.
 * Locked until the transaction ends. Indexes device_task_changing and device_task_item_waiting.
 */
export async function nextChanges(db: Db, limit: number): Promise<ChangeBatch | undefined> {
  const { rows } = await sql<Omit<ChangeBatch, "deviceIds">>`
    select id as "taskId", company_id as "companyId", user_id as "userId", change, actor from device_task
    where change is not null and ended_at is null order by id limit 1 for update skip locked`.execute(db);
  const [task] = rows;
  if (!task) return undefined;
  const items = await sql<{ id: DeviceId }>`
    select device_id as id from device_task_item where task_id = ${task.taskId} and ${isOpen}
    order by device_id limit ${limit} for update`.execute(db);
  return { ...task, deviceIds: items.rows.map(({ id }) => id) };
}
