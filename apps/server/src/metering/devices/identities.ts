import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";

/** How people outside know a device: by its number, name and place. */
export interface DeviceIdentity {
  readonly id: DeviceId;
  readonly deviceID: string;
  readonly name: string;
  readonly place: string;
  readonly device_group_id: number;
}

/**
 * The named devices, or without names all of the company up to a bound, that are neither archived nor in the trash.
 * Named ones came through `resolve`. Index: primary key, or device on company_id.
 */
export async function identitiesOf(
  db: Db,
  scope: Scope,
  wanted: { readonly ids: readonly DeviceId[] | undefined; readonly limit: number },
): Promise<DeviceIdentity[]> {
  let query = db
    .selectFrom("device")
    .select(["id", "deviceID", "name", "place", "device_group_id"])
    .where("company_id", "=", scope.companyId)
    .where("deleted_at", "is", null)
    .where("is_archived", "=", false);
  if (wanted.ids) query = query.where(sql<boolean>`id = any(${wanted.ids}::int[])`);
  else if (scope.onlyTiedDevices)
    query = query.where(
      sql<boolean>`id in (select device_id from device_user where user_id = ${scope.userId}::int)`,
    );
  return query.orderBy("id").limit(wanted.limit).execute();
}
