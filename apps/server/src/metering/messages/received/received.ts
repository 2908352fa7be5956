import { modelById } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { dayOf, rounded, startOfDay, type Day, type Db } from "#core";
import { firstDays, receivedHours, type FirstDay, type ReceivedHours } from "./receivedStore.ts";
import { gridOf, type Grid, type Slot, type Span } from "./slots.ts";

/** A gap: rows were due and none arrived; with their number. Epoch seconds, the end exclusive. */
export interface Gap extends Span {
  readonly missing: number;
}

/** Due and received rows of a range. `gaps` has the newest if there are more than fit in an answer. */
export interface Received {
  readonly expected: number;
  readonly received: number;
  readonly gaps: readonly Gap[];
  readonly gapCount: number;
}

/** Metadata of a device needed to determine due rows. */
export interface Judged {
  readonly id: DeviceId;
  readonly model_id: number;
  readonly report_period_update: number;
  readonly zone: string;
  /** When it was added, epoch seconds; absent: rows were always due. */
  readonly created_at?: number;
}

const readingsType = 1;
export const profileType = 5;
const hourlyType = 100;
const mostGaps = 10_000;
/** How late a row may arrive before it counts as missing, if its slot is not shorter. */
const longestWaySec = 3600;

/**
 * Counts the slots of a range that have a row. A slot is due once it is over plus a grace time: another slot,
 * an hour at most. Earlier it counts only if its row has arrived, so that the present day is not judged by
 * the future.
 * @param present instants of trusted rows, ascending
 * @param dueFrom see `visitDue`
 */
export function judge(
  slots: readonly Slot[],
  present: readonly number[],
  now: number,
  dueFrom = -Infinity,
): Received {
  const gaps: Gap[] = [];
  let [expected, received] = [0, 0];
  visitDue(slots, { present, now, dueFrom }, (slot, isThere, isDue) => {
    if (isDue) expected += 1;
    if (isThere) received += 1;
    else addTo(gaps, slot.from, slot.to);
  });
  return { expected, received, gaps: gaps.slice(-mostGaps), gapCount: gaps.length };
}

export interface Presence {
  /** Instants of trusted rows, ascending. */
  readonly present: readonly number[];
  readonly now: number;
  /** No row was due before; see `dueFromOf`. */
  readonly dueFrom: number;
}

/** Visits the slots that are over, in their order, with whether each has a row and whether one was due. */
export function visitDue(
  slots: readonly Slot[],
  { present, now, dueFrom }: Presence,
  visit: (slot: Slot, isThere: boolean, isDue: boolean) => void,
): void {
  let at = 0;
  for (const slot of slots) {
    while ((present[at] ?? Infinity) < slot.since) at += 1;
    const isThere = (present[at] ?? Infinity) < slot.to;
    if (isThere || slot.to + Math.min(slot.to - slot.from, longestWaySec) <= now)
      visit(slot, isThere, isThere || slot.to > dueFrom);
  }
}

function addTo(gaps: Gap[], from: number, to: number): void {
  const last = gaps.at(-1);
  if (last?.to === from) gaps[gaps.length - 1] = { from: last.from, to, missing: last.missing + 1 };
  else gaps.push({ from, to, missing: 1 });
}

/**
 * The message type by which a device is judged as a whole: its readings, or instantaneous values if its model
 * has no readings.
 */
export function mainType(modelId: number): number {
  const types = typesOfModel(modelId);
  return types.has(readingsType) || !types.has(2) ? readingsType : 2;
}

/** The message types of the tabs of a model. */
export function typesOfModel(modelId: number): ReadonlySet<number> {
  const model = modelById(modelId);
  return new Set(
    model?.kind === "meter" ? Object.values(model.tabs).flatMap(({ msgTypes }) => msgTypes) : [],
  );
}

/** Types whose rows fill the slots of a message type of a device; none if its rows are never due. */
export function typesFilling(msgType: number, device: Omit<Judged, "id">): number[] {
  const grid = gridOf(msgType, { reportPeriodSec: device.report_period_update });
  return grid ? fillingTypes(msgType, device.model_id, grid) : [];
}

/** Types whose rows fill the slots of a type: an hour of readings is covered by the hourly archive too. */
export function fillingTypes(msgType: number, modelId: number, grid: Grid): number[] {
  const isHourly = grid.kind === "hours" && grid.hours === 1;
  const hasArchive = msgType === readingsType && isHourly && typesOfModel(modelId).has(hourlyType);
  return hasArchive ? [msgType, hourlyType] : [msgType];
}

/** Received of expected, 0 to 1; null if nothing was due. */
export function shareOf({ expected, received }: Pick<Received, "expected" | "received">): number | null {
  return expected === 0 ? null : received / expected;
}

/** The same in percent, as shown. */
export function percentOf(counted: Pick<Received, "expected" | "received">): number | null {
  const share = shareOf(counted);
  return share === null ? null : rounded(share * 100);
}

/** Message types of a device. */
export interface Counted {
  readonly device: Judged;
  readonly types: readonly number[];
}

/**
 * From when on rows of devices are due, in the order of the items: since a device was added, or since the first day of
 * which it has older rows; -Infinity for devices that were there at `from`. The ids must come from a query on `device`
 * in the same transaction.
 */
export async function dueFromOf(db: Db, wanted: readonly Counted[], from: number): Promise<number[]> {
  const young = wanted.filter(({ device: { created_at = -Infinity } }) => created_at > from);
  return dueFromDays(wanted, from, await firstDays(db, pairsIn(young)));
}

export const pairsIn = (wanted: readonly Counted[]) =>
  wanted.flatMap(({ device, types }) => types.map((msgType) => ({ deviceId: device.id, msgType })));

/** The same by the first days of young devices. */
export function dueFromDays(
  wanted: readonly Counted[],
  from: number,
  firstDaysOf: readonly FirstDay[],
): number[] {
  const first = new Map<number, Day>();
  for (const { device_id, msg_type, day } of firstDaysOf) first.set(keyOf(device_id, msg_type), day);
  return wanted.map((item) => {
    const { id, zone, created_at = -Infinity } = item.device;
    if (created_at <= from) return -Infinity;
    const day = Math.min(...item.types.map((type) => first.get(keyOf(id, type)) ?? Infinity));
    return day < dayOf(zone, created_at) ? startOfDay(zone, day) : created_at;
  });
}

/**
 * Starts of the hours that contain trusted rows of any of the types of an item, ascending, in the order of the
 * items. The ids must come from a query on `device` in the same transaction.
 */
export async function hoursOf(
  db: Db,
  wanted: readonly Counted[],
  span: Span,
): Promise<(readonly number[])[]> {
  const pairs = pairsIn(wanted);
  return pairs.length === 0 ? [] : startsOfHours(wanted, await receivedHours(db, pairs, span));
}

/** The same by the hours of days that have rows. */
export function startsOfHours(
  wanted: readonly Counted[],
  rows: readonly ReceivedHours[],
): (readonly number[])[] {
  const known = new Map<number, ReceivedHours>();
  for (const row of rows) known.set(keyOf(row.device_id, row.msg_type), row);
  const startOf = rememberedStarts();
  const startsOf = (zone: string, found: readonly ReceivedHours[]): number[] => {
    const starts: number[] = [];
    for (const [day, hours] of found.length > 1 ? merged(found) : pairsOf(found[0]))
      addStarts(starts, startOf(zone, day), hours);
    return starts;
  };
  // Most devices of a long list have received the same hours.
  const shared = new Map<string, readonly number[]>();
  return wanted.map(({ device: { id, zone }, types }) => {
    const found = types.flatMap((type) => known.get(keyOf(id, type)) ?? []);
    const key = zone + found.map(({ shape }) => shape).join();
    const starts = shared.get(key) ?? startsOf(zone, found);
    shared.set(key, starts);
    return starts;
  });
}

/** One number for a device and a type, which is a smallint. */
const keyOf = (deviceId: DeviceId, msgType: number): number => deviceId * 65_536 + msgType;

type DayHours = readonly [day: Day, hours: number];

const pairsOf = (row: ReceivedHours | undefined): DayHours[] =>
  row ? row.days.map((day, at): DayHours => [day, row.hours[at] ?? 0]) : [];

/** The hours that any of the rows has, by ascending day. */
function merged(rows: readonly ReceivedHours[]): DayHours[] {
  const days = new Map<Day, number>();
  for (const [day, hours] of rows.flatMap(pairsOf)) days.set(day, (days.get(day) ?? 0) | hours);
  return [...days].sort(([a], [b]) => a - b);
}

function addStarts(starts: number[], start: number, hours: number): void {
  for (let hour = 0; hour < 25; hour++) if ((hours >> hour) & 1) starts.push(start + hour * 3600);
}

/** First seconds of days: devices of a page share a few zones and days. */
function rememberedStarts(): (zone: string, day: Day) => number {
  const zones = new Map<string, Map<Day, number>>();
  return (zone, day) => {
    const days = zones.get(zone) ?? new Map<Day, number>();
    zones.set(zone, days);
    const start = days.get(day) ?? startOfDay(zone, day);
    days.set(day, start);
    return start;
  };
}
