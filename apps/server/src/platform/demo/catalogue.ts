import { modelById } from "@metrum/catalogue";
import type { Plan, PlannedDevice, PlannedGateway } from "@metrum/simulator";
import {
  interfaces,
  resourceByKey,
  type BaseStationId,
  type CompanyId,
  type DeviceId,
  type GatewayId,
} from "@metrum/vocabulary";
import type { Db, Services } from "#core";
import { putDeviceSecret } from "#metering/devices";

export interface SeededDevice {
  readonly id: DeviceId;
  readonly planned: PlannedDevice;
}

const rowsAtOnce = 2000;

/** Silence after which a simulated device counts as silent: some missed polls, not one. */
const silentAfter = (intervalSec: number): number => Math.max(900, intervalSec * 3);

/** Writes the gateways, base stations and devices of a plan into a company. Returns the devices with their ids. */
export async function seedCatalogue(
  db: Db,
  companyId: CompanyId,
  plan: Plan,
  host: string,
): Promise<SeededDevice[]> {
  const gateways = new Map<string, GatewayId>();
  for (const gateway of plan.gateways)
    gateways.set(gateway.key, await seedGateway(db, companyId, gateway, host));
  const stations = new Map<string, BaseStationId>();
  for (const { key, modelId, name, deviceID } of plan.baseStations) {
    const { id } = await db
      .insertInto("base_station")
      .values({ company_id: companyId, model_id: modelId, name, device_id: deviceID, radius: 4000 })
      .returning("id")
      .executeTakeFirstOrThrow();
    stations.set(key, id);
  }
  const rows = plan.devices.map((planned) => ({
    company_id: companyId,
    ...modelColumns(planned.modelId),
    gateway_id: planned.gateway === undefined ? null : (gateways.get(planned.gateway) ?? null),
    base_station_id: planned.baseStation === undefined ? null : (stations.get(planned.baseStation) ?? null),
    name: planned.name,
    place: planned.place,
    deviceID: planned.deviceID,
    inside_addr: planned.insideAddr,
    report_period_update: planned.intervalSec,
    warning_report_period: silentAfter(planned.intervalSec),
    starting_value: planned.startingValue,
    impulse_weight: planned.impulseWeight,
  }));
  const ids: { readonly id: DeviceId }[] = [];
  // A statement takes 65,535 values.
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    ids.push(
      ...(await db
        .insertInto("device")
        .values(rows.slice(at, at + rowsAtOnce))
        .returning("id")
        .execute()),
    );
  return plan.devices.flatMap((planned, at) => {
    const row = ids[at];
    return row ? [{ id: row.id, planned }] : [];
  });
}

/** Keeps the keys of devices that encrypt, as if somebody had typed them. */
export async function seedKeys(
  ctx: { readonly db: Db; readonly config: Services["config"] },
  devices: readonly SeededDevice[],
): Promise<void> {
  for (const { id, planned } of devices)
    if (planned.key !== undefined)
      await putDeviceSecret(ctx, { deviceId: id, name: "encryption", text: planned.key });
}

async function seedGateway(
  db: Db,
  companyId: CompanyId,
  gateway: PlannedGateway,
  host: string,
): Promise<GatewayId> {
  const { id } = await db
    .insertInto("gateway")
    .values({
      company_id: companyId,
      model_id: gateway.modelId,
      interface_id: interfaceOf(gateway.modelId),
      name: gateway.name,
      device_id: gateway.deviceID,
      desc: gateway.place,
      host: gateway.port === undefined ? null : host,
      port: gateway.port ?? null,
      ...(gateway.listens === undefined ? {} : { listens: JSON.stringify(gateway.listens) }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** What a device takes over from its model. */
function modelColumns(modelId: number) {
  const model = modelById(modelId);
  if (model?.kind !== "meter") throw new Error(`the catalogue has no meter ${String(modelId)}`);
  return {
    model_id: model.id,
    model_title: model.title,
    device_group_id: Number(resourceByKey[model.resource].deviceGroupId),
    device_type_id: model.deviceTypeId,
    interface_id: interfaceOf(modelId),
  };
}

function interfaceOf(modelId: number): number {
  const name = modelById(modelId)?.interfaces[0];
  return interfaces.find((each) => each.name === name)?.id ?? 7;
}
