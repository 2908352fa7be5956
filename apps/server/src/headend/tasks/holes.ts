import type { HolePeriod, HoleRefusal } from "@metrum/contract/metering";
import type { KeptArchive } from "@metrum/protocols/core";
import type { DeviceId } from "@metrum/vocabulary";
import { dayOf, startOfDay, type Db } from "#core";
import { lineModel } from "#headend/exchanges";
import {
  receivedByDay,
  typesFilling,
  typesOfModel,
  united,
  valuedTimes,
  type Judged,
  type ReceivedDays,
  type Slot,
  type Span,
} from "#metering/messages";

/** Slots of one archive request; two days of half-hours. */
const pageSlots = 96;
const daySec = 86_400;
const hourSec = 3600;

/** A device with what decides about its missing rows. */
export interface HoleDevice extends Judged {
  /** Switched on, and so are its gateway and company. */
  readonly isOn: boolean;
}

/** A task that is requesting missing rows of a device. */
export interface OpenHoles {
  readonly taskId: number;
  readonly deviceId: DeviceId;
  readonly period: HolePeriod;
}

/** Missing slots of a message type that an archive of the device can fill. */
export interface ArchiveHoles {
  readonly msgType: number;
  readonly archive: KeptArchive;
  /** Oldest first. */
  readonly slots: readonly Slot[];
}

/** Missing slots of a device and message type: those that can be requested, and why the others cannot. */
export interface SortedHoles {
  readonly device: HoleDevice;
  readonly missing: number;
  readonly holes: ArchiveHoles | undefined;
  readonly refused: ReadonlyMap<HoleRefusal, number>;
}

export interface WantedHoles {
  readonly devices: readonly HoleDevice[];
  readonly period: HolePeriod;
  /** Requests of these devices that have not ended. */
  readonly open?: readonly OpenHoles[];
  readonly now: number;
}

/**
 * Sorts the missing slots of devices in a period, as the completeness board counts them. Rows: as `receivedByDay`,
 * and the untrusted rows in the holes. The devices must come from a query in the same transaction.
 */
export async function sortHoles(db: Db, wanted: WantedHoles): Promise<SortedHoles[]> {
  const { devices, period, now } = wanted;
  const received = await receivedByDay(db, {
    types: devices.flatMap((device) => {
      const own = typesOfModel(device.model_id);
      return [...new Set(period.msg_types)]
        .filter((type) => own.has(type))
        .map((msgType) => ({ device, msgType }));
    }),
    daysIn: (zone) => daysOf(period, zone),
    now,
  });
  const held = await heldBySlot(db, received);
  const byId = new Map(devices.map((device) => [device.id, device]));
  return received.flatMap((each) => {
    const device = byId.get(each.device.id);
    return device ? [sorted(each, device, { ...wanted, held: held(each) })] : [];
  });
}

const daysOf = ({ start_date, stop_date }: HolePeriod, zone: string) => ({
  first: dayOf(zone, start_date),
  last: dayOf(zone, stop_date),
});

interface Sorting extends WantedHoles {
  /** Whether a slot has a row that failed a check. */
  readonly held: (slot: Slot) => boolean;
}

function sorted({ msgType, days }: ReceivedDays, device: HoleDevice, sorting: Sorting): SortedHoles {
  const archive = archiveFor(device, msgType);
  const waiting = waitingSpans(device, msgType, sorting.open ?? []);
  const slots: Slot[] = [];
  const refused = new Map<HoleRefusal, number>();
  const missing = days.flatMap((day) => day.missing);
  for (const slot of missing) {
    const why = refusalOf(slot, { ...sorting, device, archive, waiting });
    if (why === undefined) slots.push(slot);
    else refused.set(why, (refused.get(why) ?? 0) + 1);
  }
  const holes = archive && slots.length > 0 ? { msgType, archive, slots } : undefined;
  return { device, missing: missing.length, holes, refused };
}

function refusalOf(
  slot: Slot,
  of: Sorting & {
    readonly device: HoleDevice;
    readonly archive: KeptArchive | undefined;
    readonly waiting: readonly Span[];
  },
): HoleRefusal | undefined {
  if (of.held(slot)) return "rejected";
  if (!of.archive) return "not_kept";
  if (slot.from < of.now - of.archive.depthSec) return "erased";
  if (!of.device.isOn) return "switched_off";
  return of.waiting.some(({ from, to }) => slot.from >= from && slot.from < to) ? "waiting" : undefined;
}

/** The archive whose rows fill the slots of a message type; undefined if the device keeps none. */
function archiveFor(device: HoleDevice, msgType: number): KeptArchive | undefined {
  const filling = typesFilling(msgType, device);
  return lineModel(device.model_id)?.driver.archives.find(
    (archive) => archive.period !== "events" && filling.includes(archive.msgType),
  );
}

function waitingSpans(device: HoleDevice, msgType: number, open: readonly OpenHoles[]): Span[] {
  return open
    .filter(({ deviceId, period }) => deviceId === device.id && period.msg_types.includes(msgType))
    .map(({ period }) => {
      const { first, last } = daysOf(period, device.zone);
      return { from: startOfDay(device.zone, first), to: startOfDay(device.zone, last + 1) };
    });
}

const keyOf = (deviceId: number, msgType: number): string => `${String(deviceId)} ${String(msgType)}`;

/** Finds the rows in missing slots: they were received, but failed a check. */
async function heldBySlot(
  db: Db,
  received: readonly ReceivedDays[],
): Promise<(of: ReceivedDays) => (slot: Slot) => boolean> {
  const spans = received.flatMap(({ device, msgType, days }) =>
    united(days.flatMap(({ missing }) => missing.map(({ since, to }) => ({ from: since, to })))).map(
      (span) => ({
        ...span,
        deviceId: device.id,
        msgType,
      }),
    ),
  );
  const held = new Map<string, number[]>();
  for (const { device_id, msg_type, ts } of await valuedTimes(db, spans)) {
    const key = keyOf(device_id, msg_type);
    held.set(key, [...(held.get(key) ?? []), ts]);
  }
  return ({ device, msgType }) => {
    const times = held.get(keyOf(device.id, msgType)) ?? [];
    return ({ since, to }) => times.some((ts) => ts >= since && ts < to);
  };
}

/** What can be requested of one device now, archive by archive. */
export async function holesToAsk(
  db: Db,
  device: HoleDevice,
  period: HolePeriod,
  now: number,
): Promise<ArchiveHoles[]> {
  const found = await sortHoles(db, { devices: [device], period, now });
  return found.flatMap(({ holes }) => holes ?? []);
}

/** How many of these slots of a device still have no trusted row. */
export async function stillMissing(
  db: Db,
  device: HoleDevice,
  {
    msgType,
    slots,
    now,
  }: { readonly msgType: number; readonly slots: readonly Slot[]; readonly now: number },
): Promise<number> {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return 0;
  const [received] = await receivedByDay(db, {
    types: [{ device, msgType }],
    daysIn: (zone) => ({ first: dayOf(zone, first.from), last: dayOf(zone, last.from) }),
    now,
  });
  const missing = new Set((received?.days ?? []).flatMap((day) => day.missing.map(({ from }) => from)));
  return slots.filter(({ from }) => missing.has(from)).length;
}

const periodSecOf = ({ period }: KeptArchive): number =>
  period === "month" ? 30 * daySec : period === "events" ? hourSec : period;

/** The slots in the order and size of their requests: far apart slots are not requested together. */
export function pagesOf({ archive, slots }: ArchiveHoles): Slot[][] {
  const pages: Slot[][] = [];
  let end = -Infinity;
  for (const slot of slots) {
    if (slot.from < end) pages.at(-1)?.push(slot);
    else {
      pages.push([slot]);
      end = slot.from + pageSlots * periodSecOf(archive);
    }
  }
  return pages;
}
