import { meterModels, type MeterModel } from "@metrum/catalogue";
import { problem } from "@metrum/contract/core";
import {
  resourceByKey,
  type BaseStationId,
  type CompanyId,
  type DeviceId,
  type GatewayId,
} from "@metrum/vocabulary";
import type { Insertable } from "kysely";
import type { Db } from "#core";
import { interfaceOf } from "#metering/models";
import { devicesIdentified, insertDevices } from "./store.ts";
import type { DeviceTable } from "./tables.ts";

/** The metering model with this id and interface. Problem: unknown_model, which names the field. */
export function meterModel(id: number, way: "line" | "uplink", field: string): MeterModel {
  const model = meterModels.find((each) => each.id === id && each.driver.kind === way);
  if (!model) throw problem("unknown_model", { attributes: { [field]: ["unknown"] } });
  return model;
}

export interface NewDevice {
  readonly companyId: CompanyId;
  readonly model: MeterModel;
  readonly name: string;
  readonly deviceID: string;
  readonly insideAddr: string;
  readonly gatewayId: GatewayId | null;
}

/** A device with its settings for bulk registration. */
export interface KnownDevice extends NewDevice {
  readonly baseStationId: BaseStationId | null;
  readonly place: string;
  readonly settings: Pick<
    Insertable<DeviceTable>,
    | "report_period_update"
    | "warning_report_period"
    | "starting_value"
    | "impulse_weight"
    | "is_archived"
    | "deleted_at"
  >;
}

/**
 * Registers a metering device. Of two concurrent ones with one identifier the second waits and is refused.
 * Problem: identifier_taken, which names the device of the company that has it, ignoring case.
 */
export async function addDevice(db: Db, given: NewDevice): Promise<DeviceId> {
  await refuseTaken(db, given.companyId, [given]);
  const [id] = await insertDevices(db, [rowOf(given)]);
  if (id === undefined) throw new Error("a device was added without an id");
  return id;
}

/**
 * Refuses identifiers that two of these devices would have, or that a device of the company has, other than `own`, and
 * keeps them locked until the transaction ends. Problem: identifier_taken.
 */
export async function refuseTaken(
  db: Db,
  companyId: CompanyId,
  wanted: readonly Pick<NewDevice, "deviceID" | "name">[],
  own?: DeviceId,
): Promise<void> {
  const numbers = wanted.map(({ deviceID }) => deviceID);
  const stored = (await devicesIdentified(db, companyId, numbers)).find(({ id }) => id !== own);
  const taken = stored ?? twinOf(wanted);
  if (!taken) return;
  throw problem("identifier_taken", {
    params: { name: taken.name },
    attributes: { deviceID: ["identifier_taken"] },
  });
}

/** The first that has the identifier of a later one. */
function twinOf<Device extends Pick<NewDevice, "deviceID">>(wanted: readonly Device[]): Device | undefined {
  const first = new Map<string, Device>();
  for (const each of wanted) {
    const key = each.deviceID.toLowerCase();
    const twin = first.get(key);
    if (twin) return twin;
    first.set(key, each);
  }
  return undefined;
}

/** Registers devices whose identifiers are known to be free, and returns their ids in the same order. */
export async function addDevices(db: Db, given: readonly KnownDevice[]): Promise<DeviceId[]> {
  return insertDevices(
    db,
    given.map((each) => ({
      ...rowOf(each),
      ...each.settings,
      base_station_id: each.baseStationId,
      place: each.place,
    })),
  );
}

function rowOf({
  companyId,
  model,
  name,
  deviceID,
  insideAddr,
  gatewayId,
}: NewDevice): Insertable<DeviceTable> {
  return {
    company_id: companyId,
    ...modelColumns(model),
    interface_id: interfaceOf(model),
    gateway_id: gatewayId,
    name,
    deviceID,
    inside_addr: insideAddr,
  };
}

/** Columns that follow from the model. */
export const modelColumns = (model: MeterModel) => ({
  model_id: model.id,
  model_title: model.title,
  device_group_id: resourceByKey[model.resource].deviceGroupId,
  device_type_id: model.deviceTypeId,
});
