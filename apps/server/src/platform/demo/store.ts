import type { ObjectAddress } from "@metrum/contract/accounting";
import type { CompanyId, DeviceId, ObjectId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** The company with this id; undefined when there is none. */
export async function companyOf(system: Db, id: number): Promise<CompanyId | undefined> {
  const { rows } = await sql<{ id: CompanyId }>`select id from company where id = ${id}`.execute(system);
  return rows[0]?.id;
}

/** The devices of a company by their number. */
export async function devicesByNumber(system: Db, companyId: CompanyId): Promise<Map<string, DeviceId>> {
  const rows = await system
    .selectFrom("device")
    .select(["id", "deviceID"])
    .where("company_id", "=", companyId)
    .execute();
  return new Map(rows.map((row) => [row.deviceID, row.id]));
}

/** A node of the objects tree at which a device stands. */
export interface Place {
  readonly object_id: ObjectId;
  readonly address: ObjectAddress | null;
}

/** Node of each device in the objects tree, with its address. */
export async function placesByDevice(db: Db, companyId: CompanyId): Promise<ReadonlyMap<DeviceId, Place>> {
  const rows = await db
    .selectFrom("object_item")
    .innerJoin("object_node", "object_node.id", "object_item.object_id")
    .select(["object_item.device_id", "object_node.id as object_id", "object_node.address"])
    .where("object_item.company_id", "=", companyId)
    .where("object_item.device_id", "is not", null)
    .execute();
  return new Map(
    rows.flatMap(({ device_id, ...place }) => (device_id === null ? [] : [[device_id, place] as const])),
  );
}
