import { modelById } from "@metrum/catalogue";
import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import type { Db } from "#core";
import { addAttributes } from "#metering/attributes";
import { addDevices, type KnownDevice } from "#metering/devices";
import type { SeededDevice } from "./catalogue.ts";

const daySec = 86_400;

/** Kept in the archive: it measured a point before the present meter. */
export const formerMeter = "F-20170125";

/** Meters that were replaced or closed down: two wait in the trash, two are kept in the archive. */
const former = [
  { name: "Mercury 230, former", deviceID: "F-20190417", modelId: 120, daysInTrash: 12 },
  { name: "SDM630, flooded", deviceID: "F-20200611", modelId: 101, daysInTrash: 3 },
  { name: "MULTICAL 403, old boiler house", deviceID: "F-20180902", modelId: 201, daysInTrash: undefined },
  { name: "SDM630, old substation", deviceID: formerMeter, modelId: 101, daysInTrash: undefined },
] as const;

/** Registers the former meters of the demonstration, which no simulated meter answers for. */
export async function seedPutAway(db: Db, companyId: CompanyId, now: number): Promise<DeviceId[]> {
  return addDevices(
    db,
    former.map(({ modelId, daysInTrash, ...named }): KnownDevice => {
      const model = modelById(modelId);
      if (model?.kind !== "meter") throw new Error(`the catalogue has no meter ${String(modelId)}`);
      const settings =
        daysInTrash === undefined
          ? { is_archived: true }
          : { deleted_at: new Date((now - daysInTrash * daySec) * 1000) };
      const unconnected = { insideAddr: "1", gatewayId: null, baseStationId: null, place: "" };
      return { companyId, model, ...named, ...unconnected, settings };
    }),
  );
}

/** Attributes of the first devices: what a company records about a meter in addition to its readings. */
export async function seedAttributes(
  db: Db,
  companyId: CompanyId,
  devices: readonly SeededDevice[],
): Promise<void> {
  await addAttributes(
    db,
    devices.slice(0, 40).flatMap(({ id }, at) => {
      const of = { company_id: companyId, device_id: id };
      return [
        { ...of, name: "Feeder", value: `F-${String(1 + (at % 6))}` },
        { ...of, name: "Commissioned", value: String(2016 + (at % 9)) },
      ];
    }),
  );
}
