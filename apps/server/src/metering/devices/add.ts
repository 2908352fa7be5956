import { gatewayModels, meterModels, type GatewayModel, type MeterModel } from "@metrum/catalogue";
import { problem } from "@metrum/contract";
import { interfaces, resourceByKey, type CompanyId, type DeviceId, type GatewayId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Interface of a model whose own is not in the directory. */
const otherInterface = 7;

/** The gateway model with this id. Problem: unknown_model. */
export function gatewayModel(id: number): GatewayModel {
  const model = gatewayModels.find((each) => each.id === id);
  if (!model) throw problem("unknown_model", { attributes: { model_id: ["unknown"] } });
  return model;
}

/** The metering model with this id that is reached in this way. Problem: unknown_model, which names the field. */
export function meterModel(id: number, way: "line" | "uplink", field: string): MeterModel {
  const model = meterModels.find((each) => each.id === id && each.driver.kind === way);
  if (!model) throw problem("unknown_model", { attributes: { [field]: ["unknown"] } });
  return model;
}

export interface NewGateway {
  readonly companyId: CompanyId;
  readonly model: GatewayModel;
  readonly name: string;
  /** What the modem calls itself: nobody else in the installation has it. */
  readonly identity: string;
}

/** Registers a gateway; undefined when its name is taken, by whomever. */
export async function addGateway(db: Db, given: NewGateway): Promise<GatewayId | undefined> {
  const row = await db
    .insertInto("gateway")
    .values({
      company_id: given.companyId,
      model_id: given.model.id,
      interface_id: interfaceOf(given.model),
      name: given.name,
      device_id: given.identity,
      host: null,
      port: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** Whose gateway has a name; undefined when it is free. Index gateway_device_id_idx. */
export async function gatewayNamed(
  db: Db,
  identity: string,
): Promise<{ company_id: CompanyId; name: string } | undefined> {
  return db
    .selectFrom("gateway")
    .select(["company_id", "name"])
    .where("device_id", "=", identity)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

export interface NewDevice {
  readonly companyId: CompanyId;
  readonly model: MeterModel;
  readonly name: string;
  readonly deviceID: string;
  readonly insideAddr: string;
  readonly gatewayId: GatewayId | null;
}

/**
 * Registers a metering device. Of two at the same time with one identifier the second waits and is refused.
 * Problem: identifier_taken, which names the device of the company that has it, in any case of letters.
 */
export async function addDevice(db: Db, given: NewDevice): Promise<DeviceId> {
  const identifier = given.deviceID.toLowerCase();
  await sql`select pg_advisory_xact_lock(hashtextextended(${identifier}, ${given.companyId}))`.execute(db);
  const { rows: taken } = await sql<{ name: string }>`
    select name from device where company_id = ${given.companyId} and lower("deviceID") = ${identifier}
      and deleted_at is null limit 1`.execute(db);
  if (taken[0])
    throw problem("identifier_taken", {
      params: { name: taken[0].name },
      attributes: { deviceID: ["identifier_taken"] },
    });
  const { model } = given;
  const { id } = await db
    .insertInto("device")
    .values({
      company_id: given.companyId,
      model_id: model.id,
      model_title: model.title,
      device_group_id: resourceByKey[model.resource].deviceGroupId,
      device_type_id: model.deviceTypeId,
      interface_id: interfaceOf(model),
      gateway_id: given.gatewayId,
      base_station_id: null,
      name: given.name,
      deviceID: given.deviceID,
      inside_addr: given.insideAddr,
      timezone: null,
      deleted_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The first poll comes now, not with the next plan. */
export async function pollSoon(db: Db, id: DeviceId, now: number): Promise<void> {
  await sql`update device_state set next_poll_at = ${now} where device_id = ${id}`.execute(db);
}

function interfaceOf({ interfaces: names }: { readonly interfaces: readonly string[] }): number {
  return interfaces.find((each) => each.name === names[0])?.id ?? otherInterface;
}
