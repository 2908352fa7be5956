import { modelById } from "@metrum/catalogue";
import { fieldFault, type FieldFault } from "@metrum/contract/core";
import { isFieldName } from "@metrum/vocabulary";
import { offsetSec, type DeviceScope, type Services } from "#core";
import { ingest, withImportDoubts, type Incoming } from "#metering/messages";
import type { ImportError, ImportRow, Parsed } from "./found.ts";
import { devicesNamed, type ImportDevice } from "./store.ts";

/** Company and visibility of the devices that the file may name, and its uploader. */
export interface ImportOwner {
  readonly scope: DeviceScope;
  readonly userId?: number;
}

export type ImportOutcome =
  | {
      readonly isTaken: true;
      readonly readings: number;
      readonly devices: number;
      readonly stored: number;
      readonly quarantined: number;
      readonly suspect: number;
    }
  | { readonly isTaken: false; readonly errors: readonly ImportError[] };

/**
 * Stores the readings of a file, all of them or none: every row is checked first. Resolves after COMMIT;
 * rejects only when the database is unavailable; repeating the file is harmless.
 */
export async function takeReadings(
  services: Services,
  owner: ImportOwner,
  { rows, errors }: Parsed,
): Promise<ImportOutcome> {
  if (errors.length > 0) return { isTaken: false, errors };
  if (rows.length === 0)
    return { isTaken: false, errors: [{ place: "file", fault: fieldFault("no_readings") }] };
  const devices = await devicesOf(services, owner.scope, rows);
  const wrong: ImportError[] = [];
  const readings: Incoming[] = [];
  const receivedAt = services.clock.now();
  for (const row of rows) {
    const device = devices.get(keyOf(row));
    const ts = device ? instantOf(device.zone, row) : fieldFault("device_unsure");
    const fault = typeof ts === "number" ? device && unmeasured(device.modelId, row) : ts;
    if (fault) wrong.push({ place: row.place, fault });
    if (fault || !device || typeof ts !== "number") continue;
    readings.push({
      deviceId: device.id,
      msgType: row.msgType,
      ts,
      receivedAt,
      source: "imported",
      values: row.values,
      ...(owner.userId === undefined ? {} : { userId: owner.userId }),
    });
  }
  if (wrong.length > 0) return { isTaken: false, errors: wrong };
  const checked = await withImportDoubts({ ...services, db: services.database.system }, readings);
  const { stored, quarantined } = await ingest(services, checked.readings);
  return {
    isTaken: true,
    readings: readings.length,
    devices: new Set(readings.map(({ deviceId }) => deviceId)).size,
    stored,
    quarantined,
    suspect: checked.doubted,
  };
}

const keyOf = ({ device }: ImportRow): string =>
  "id" in device ? `id:${String(device.id)}` : `number:${device.number.toLowerCase()}`;

const daySec = 86_400;

/** The instant of a row, or why its clock has none: clocks are put forward in spring and back in autumn. */
function instantOf(zone: string, { at: shown, clock }: ImportRow): number | FieldFault {
  if (clock === "utc") return shown;
  const near = new Set([shown - daySec, shown + daySec].map((at) => shown - offsetSec(zone, at)));
  const [instant, ...others] = [...near].filter((at) => at + offsetSec(zone, at) === shown);
  if (instant === undefined) return fieldFault("time_skipped", { zone }, "time");
  return others.length === 0 ? instant : fieldFault("time_repeated", { zone }, "time");
}

function unmeasured(modelId: number, { values }: ImportRow): FieldFault | undefined {
  const model = modelById(modelId);
  const known: readonly string[] = model?.kind === "meter" ? model.fields : [];
  const foreign = Object.keys(values).filter((name) => isFieldName(name) && !known.includes(name));
  return foreign.length === 0 ? undefined : fieldFault("fields_of_others", {}, foreign.join(", "));
}

/** The devices named by a file that the owner can see and that are unambiguous. */
async function devicesOf(
  { database }: Services,
  scope: DeviceScope,
  rows: readonly ImportRow[],
): Promise<ReadonlyMap<string, ImportDevice>> {
  const named = [...new Map(rows.map((row) => [keyOf(row), row.device])).values()];
  const found = await devicesNamed(database.system, scope, {
    ids: named.flatMap((device) => ("id" in device ? [device.id] : [])),
    numbers: named.flatMap((device) => ("number" in device ? [device.number.toLowerCase()] : [])),
  });
  const devices = new Map<string, ImportDevice>(found.map((each) => [`id:${String(each.id)}`, each]));
  const counts = new Map<string, number>();
  for (const { number } of found) counts.set(number, (counts.get(number) ?? 0) + 1);
  for (const each of found) if (counts.get(each.number) === 1) devices.set(`number:${each.number}`, each);
  return devices;
}
