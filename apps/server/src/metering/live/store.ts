import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";

/** Names of these devices, in the order of their ids. Index: primary key of device. */
export async function namesOfDevices(
  system: Db,
  ids: readonly DeviceId[],
): Promise<{ id: DeviceId; name: string }[]> {
  const { rows } = await sql<{ id: DeviceId; name: string }>`
    select id, name from device where id = any(${[...ids]}::int[]) and deleted_at is null order by id`.execute(
    system,
  );
  return rows;
}

/** Devices that a tied user sees, trash included. Index: primary keys of device_user and object_user. */
export async function tiedDevices(db: Db, scope: Scope): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select id from device where ${visibleDevices(scope, { trash: "included" })}`.execute(db);
  return rows.map(({ id }) => id);
}
