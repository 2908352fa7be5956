import type { DeviceCommand } from "@metrum/contract/headend";
import { sql } from "kysely";
import { tiedDevices, visibleDevices, type Db, type Scope } from "#core";

/** A device that is asked for, with what decides whether it can carry out a command. */
export interface PlannedDevice {
  readonly id: number;
  readonly name: string;
  readonly modelId: number;
  readonly isPutAway: boolean;
}

/** Those of these devices that the session sees, by primary key. */
export async function plannedDevices(db: Db, scope: Scope, ids: readonly number[]): Promise<PlannedDevice[]> {
  const { rows } = await sql<PlannedDevice>`
    select d.id, d.name, d.model_id as "modelId", (d.is_archived or d.deleted_at is not null) as "isPutAway"
    from device d where d.id = any(${[...ids]}::int[])
      and ${visibleDevices(scope, { as: "d", trash: "included", archive: "included" })} order by d.name, d.id`.execute(
    db,
  );
  return rows;
}

/** A command with its arguments as they are stored. */
export type StoredCommand = Omit<DeviceCommand, "management"> & { readonly arguments: unknown };

/** One page of the commands to a device, newest first, and their number. Index device_command_listed. */
export async function commandPage(
  db: Db,
  scope: Scope,
  { deviceId, limit, offset }: { readonly deviceId: number; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: StoredCommand[]; readonly total: number }> {
  const own = sql`c.company_id = ${scope.companyId} and c.device_id = ${deviceId} and ${tiedDevices(scope, sql`c.device_id`)}`;
  const { rows } = await sql<StoredCommand>`
    select c.id::float8 as id, c.task_id as device_task_id, c.device_id, c.key, c.arguments, c.state, c.user_id,
      users.name as user_name, c.created_at, c.expires_at, c.sent_at, c.ended_at, c.attempts, c.result as result_code,
      c.message, c.message_code, c.before, c.after
    from device_command c left join users on users.id = c.user_id
    where ${own} order by c.id desc limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from device_command c where ${own}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
