import type { KeptArchive } from "@metrum/protocols/core";
import type { DeviceId } from "@metrum/vocabulary";
import { standardOffsetSec, type Db } from "#core";
import { timesOf } from "#metering/messages";
import { slotsOf, toleranceSecOf, withoutRow } from "./slots.ts";

/** Slots examined in one go: three months of half-hours. */
const mostSlots = 5000;

/**
 * The slots of an archive in [from, closedBy] that are not stored, oldest first, and how many were examined.
 * Slots begin by the standard time of the zone; only those closed by `closedBy` count. Rows read: as
 * `timesOf`.
 */
export async function missingSlots(
  db: Db,
  device: { readonly id: DeviceId; readonly zone: string },
  archive: KeptArchive,
  span: { readonly from: number; readonly closedBy: number },
): Promise<{ readonly missing: number[]; readonly slots: number[] }> {
  const offsetSec = standardOffsetSec(device.zone, span.closedBy);
  const slots = slotsOf(archive, { ...span, offsetSec }, mostSlots);
  const [first, last] = [slots[0], slots.at(-1)];
  if (first === undefined || last === undefined) return { missing: [], slots };
  if (archive.period === "events") return { missing: slots, slots };
  const tolerance = toleranceSecOf(archive.period);
  const around = { from: first - tolerance, to: last + tolerance };
  const stored = await timesOf(db, { deviceId: device.id, types: [archive.msgType], ...around }, "given");
  const times = stored.map(({ ts }) => ts);
  return { missing: withoutRow(slots, times, archive.period), slots };
}
