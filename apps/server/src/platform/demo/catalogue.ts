import { modelById, type MeterModel } from "@metrum/catalogue";
import type { Plan, PlannedDevice, PlannedGateway } from "@metrum/simulator";
import type { BaseStationId, CompanyId, DeviceId, GatewayId } from "@metrum/vocabulary";
import type { Db, SecretBox } from "#core";
import { insertBaseStation } from "#metering/base-stations";
import { addDevices, putDeviceSecret, type KnownDevice } from "#metering/devices";
import { addGateway, gatewayModel } from "#metering/gateways";

const stationRadiusM = 4_000;

export interface SeededDevice {
  readonly id: DeviceId;
  readonly planned: PlannedDevice;
}

/** Time after which a simulated device counts as silent: several missed polls, not one. */
export const silentAfter = (intervalSec: number): number => Math.max(900, intervalSec * 3);

/**
 * Registers the gateways, base stations and devices of a plan in a company. Returns the devices with their
 * ids.
 */
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
  for (const { key, modelId, name, deviceID } of plan.baseStations)
    stations.set(
      key,
      await insertBaseStation(db, {
        company_id: companyId,
        model_id: modelId,
        name,
        device_id: deviceID,
        radius: stationRadiusM,
      }),
    );
  const ids = await addDevices(
    db,
    plan.devices.map((planned) => known(companyId, planned, { gateways, stations })),
  );
  return plan.devices.flatMap((planned, at) => {
    const id = ids[at];
    return id === undefined ? [] : [{ id, planned }];
  });
}

interface Registered {
  readonly gateways: ReadonlyMap<string, GatewayId>;
  readonly stations: ReadonlyMap<string, BaseStationId>;
}

function known(
  companyId: CompanyId,
  planned: PlannedDevice,
  { gateways, stations }: Registered,
): KnownDevice {
  const { gateway, baseStation, name, place, deviceID, insideAddr, intervalSec } = planned;
  return {
    companyId,
    model: meterOf(planned.modelId),
    gatewayId: gateway === undefined ? null : (gateways.get(gateway) ?? null),
    baseStationId: baseStation === undefined ? null : (stations.get(baseStation) ?? null),
    name,
    place,
    deviceID,
    insideAddr,
    settings: {
      report_period_update: intervalSec,
      warning_report_period: silentAfter(intervalSec),
      starting_value: planned.startingValue,
      impulse_weight: planned.impulseWeight,
    },
  };
}

/** Stores the keys of devices that encrypt, as if a user had entered them. */
export async function seedKeys(
  ctx: { readonly db: Db; readonly secretBox: SecretBox },
  devices: readonly SeededDevice[],
): Promise<void> {
  for (const { id, planned } of devices) {
    const keys = { encryption: planned.key, authentication: planned.authenticationKey };
    for (const name of ["encryption", "authentication"] as const) {
      const text = keys[name];
      if (text !== undefined) await putDeviceSecret(ctx, { deviceId: id, name, text });
    }
  }
}

async function seedGateway(
  db: Db,
  companyId: CompanyId,
  { modelId, name, deviceID, place, port, listens }: PlannedGateway,
  host: string,
): Promise<GatewayId> {
  const id = await addGateway(db, {
    companyId,
    model: gatewayModel(modelId),
    name,
    identity: deviceID,
    desc: place,
    ...(port === undefined ? {} : { host, port }),
    ...(listens === undefined ? {} : { listens: JSON.stringify(listens) }),
  });
  if (id === undefined) throw new Error(`another gateway is called ${deviceID}`);
  return id;
}

/** A meter of the catalogue. */
export function meterOf(modelId: number): MeterModel {
  const model = modelById(modelId);
  if (model?.kind !== "meter") throw new Error(`the catalogue has no meter ${String(modelId)}`);
  return model;
}
