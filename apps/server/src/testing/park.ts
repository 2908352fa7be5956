import { modelById } from "@metrum/catalogue";
import { resourceByKey } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Database, Services } from "#core";
import { putDeviceSecret } from "#metering/devices";
import type { Park, Plan } from "@metrum/simulator";

/** Registers the devices of a park in a company, for tests. Returns their ids, in the order of the plan. */
export async function registerPark(database: Database, companyId: number, plan: Plan): Promise<number[]> {
  const db = database.system;
  const gateways = new Map<string, number>();
  for (const gateway of plan.gateways) {
    const { rows } = await sql<{ id: number }>`
      insert into gateway (company_id, model_id, interface_id, name, device_id)
      values (${companyId}, ${gateway.modelId}, 10, ${gateway.name}, ${gateway.deviceID}) returning id`.execute(
      db,
    );
    gateways.set(gateway.key, idOf(rows));
  }
  const ids: number[] = [];
  for (const device of plan.devices) {
    const model = modelById(device.modelId);
    if (model?.kind !== "meter") throw new Error("no such meter");
    const { rows } = await sql<{ id: number }>`
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, gateway_id, name,
        "deviceID", inside_addr, report_period_update, impulse_weight, starting_value)
      values (${companyId}, ${device.modelId}, ${model.title}, ${resourceByKey[model.resource].deviceGroupId},
        ${model.deviceTypeId}, 4, ${device.gateway === undefined ? null : (gateways.get(device.gateway) ?? null)},
        ${device.name}, ${device.deviceID}, ${device.insideAddr}, ${device.intervalSec}, ${device.impulseWeight},
        ${device.startingValue}) returning id`.execute(db);
    ids.push(idOf(rows));
  }
  return ids;
}

/** Stores the keys of devices that have some, as if a user had entered them. `ids`: those of the plan's devices. */
export async function placeKeys(
  { database, secretBox }: Pick<Services, "database" | "secretBox">,
  ids: readonly number[],
  { devices }: Plan,
): Promise<void> {
  for (const [at, { key, authenticationKey }] of devices.entries())
    for (const [name, text] of [
      ["encryption", key],
      ["authentication", authenticationKey],
    ] as const)
      if (text !== undefined)
        await putDeviceSecret({ db: database.system, secretBox }, { deviceId: ids[at] ?? 0, name, text });
}

/** Stores the addresses of the converters of a running park. */
export async function placeConverters(database: Database, plan: Plan, park: Park): Promise<void> {
  for (const gateway of plan.gateways) {
    const address = park.converters.get(gateway.key);
    const control = park.controls.get(gateway.key);
    if (control)
      await sql`update gateway set control_port = ${control.port} where device_id = ${gateway.deviceID}`.execute(
        database.system,
      );
    if (gateway.isWrapped)
      await sql`update gateway set dlms_wrapper = true where device_id = ${gateway.deviceID}`.execute(
        database.system,
      );
    if (address)
      await sql`update gateway set host = ${address.host}, port = ${address.port} where device_id = ${gateway.deviceID}`.execute(
        database.system,
      );
  }
}

const idOf = (rows: readonly { readonly id: number }[]): number => rows[0]?.id ?? 0;
