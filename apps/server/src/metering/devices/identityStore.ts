import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";

/** External identity of a device: number, name and place. */
export interface DeviceIdentity {
  readonly id: DeviceId;
  readonly deviceID: string;
  readonly name: string;
  readonly place: string;
  readonly device_group_id: number;
}

/**
 * The devices with these ids, or without ids all visible to the session up to a limit, that are neither
 * archived nor in the trash. Index: primary key, or device on company_id.
 */
export async function identitiesOf(
  db: Db,
  scope: Scope,
  wanted: { readonly ids: readonly DeviceId[] | undefined; readonly limit: number },
): Promise<DeviceIdentity[]> {
  let query = db
    .selectFrom("device")
    .select(["id", "deviceID", "name", "place", "device_group_id"])
    .where(visibleDevices(scope, { archive: "excluded" }));
  if (wanted.ids) query = query.where(sql<boolean>`id = any(${wanted.ids}::int[])`);
  return query.orderBy("id").limit(wanted.limit).execute();
}
