import { modelById } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { dayOf, startOfDay, type Db } from "#core";
import { receivedHours } from "./receivedStore.ts";
import { graceDays, gridOf, slotsOf, type Grid, type Slot, type Span } from "./slots.ts";

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
}

const readingsType = 1;
const profileType = 5;
const hourlyType = 100;
const mostGaps = 10_000;
/** How late a row may arrive before it counts as missing, if its slot is not shorter. */
const longestWaySec = 3600;

/**
 * Counts the slots of a range that have a row. A slot is due once it is over plus a grace time: another slot,
 * an hour at most. Earlier it counts only if its row has arrived, so that the present day is not judged by
 * the future.
 * @param present instants of trusted rows, ascending
 */
export function judge(slots: readonly Slot[], present: readonly number[], now: number): Received {
  const gaps: Gap[] = [];
  let [expected, received, at] = [0, 0, 0];
  for (const { from, to, since } of slots) {
    while ((present[at] ?? Infinity) < since) at += 1;
    const isThere = (present[at] ?? Infinity) < to;
    if (!isThere && to + Math.min(to - from, longestWaySec) > now) continue;
    expected += 1;
    if (isThere) received += 1;
    else addTo(gaps, from, to);
  }
  return { expected, received, gaps: gaps.slice(-mostGaps), gapCount: gaps.length };
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
  const types = typesOf(modelId);
  return types.has(readingsType) || !types.has(2) ? readingsType : 2;
}

function typesOf(modelId: number): ReadonlySet<number> {
  const model = modelById(modelId);
  return new Set(
    model?.kind === "meter" ? Object.values(model.tabs).flatMap(({ msgTypes }) => msgTypes) : [],
  );
}

/** Types whose rows fill the slots of a type: an hour of readings is covered by the hourly archive too. */
function fillingTypes(msgType: number, modelId: number, grid: Grid): number[] {
  const isHourly = grid.kind === "hours" && grid.hours === 1;
  const hasArchive = msgType === readingsType && isHourly && typesOf(modelId).has(hourlyType);
  return hasArchive ? [msgType, hourlyType] : [msgType];
}

/**
 * Due and received rows of a message type of a device in a range: the single source of every share and every
 * gap. Null if rows of the type are never due. Half-hours are counted by their rows, which the caller has
 * read.
 * @param halfHours instants of the trusted rows of a half-hour profile, ascending
 */
export async function receivedIn(
  db: Db,
  wanted: {
    readonly device: Judged;
    readonly msgType: number;
    readonly profile?: 30 | 60 | undefined;
    readonly span: Span;
    readonly now: number;
    readonly rowsAt: readonly number[];
  },
): Promise<Received | null> {
  const { device, msgType, span, now } = wanted;
  const grid = gridOf(msgType, { reportPeriodSec: device.report_period_update, profile: wanted.profile });
  if (!grid) return null;
  const slots = slotsOf(grid, device.zone, {
    from: span.from,
    to: Math.min(span.to, tomorrow(device.zone, now)),
  });
  if (msgType === profileType) return judge(slots, wanted.rowsAt, now);
  const types = fillingTypes(msgType, device.model_id, grid);
  const [first, last] = [slots[0], slots.at(-1)];
  const reach = first && last && { from: first.since, to: last.to };
  const present = reach && (await hoursOf(db, [{ device, types }], reach));
  return judge(slots, present?.get(device.id) ?? [], now);
}

/** The end of tomorrow: a clock that runs ahead does not extend the range by years. */
const tomorrow = (zone: string, now: number): number => startOfDay(zone, dayOf(zone, now) + 2);

const daysShown = 7;

/**
 * Share of due rows received by calendar day of the device's zone, the last seven days, oldest first; null
 * for a day without due rows yet. Equal to the result of a data page over one of these days. Rows: seven and
 * the days of grace per device, by the primary key of reading_day.
 */
export async function dailyShares(
  db: Db,
  devices: readonly Judged[],
  now: number,
): Promise<Map<DeviceId, (number | null)[]>> {
  const plans = devices.flatMap((device) => {
    const msgType = mainType(device.model_id);
    const grid = gridOf(msgType, { reportPeriodSec: device.report_period_update });
    return grid ? [{ device, grid, types: fillingTypes(msgType, device.model_id, grid) }] : [];
  });
  const grace = Math.max(0, ...plans.map(({ grid }) => graceDays(grid)));
  const days = (daysShown + 1 + grace) * 86_400;
  const present = await hoursOf(db, plans, { from: now - days, to: now + 86_400 });
  const slotsByDay = sharedSlots(now);
  return new Map(
    plans.map(({ device, grid }) => [
      device.id,
      slotsByDay(grid, device.zone).map((slots) => shareOf(judge(slots, present.get(device.id) ?? [], now))),
    ]),
  );
}

/** Received of expected, 0 to 1; null if nothing was due. */
export function shareOf({ expected, received }: Pick<Received, "expected" | "received">): number | null {
  return expected === 0 ? null : received / expected;
}

/** The slots of each of the last seven days; shared by devices of one zone and grid. */
function sharedSlots(now: number): (grid: Grid, zone: string) => readonly (readonly Slot[])[] {
  const known = new Map<string, Slot[][]>();
  return (grid, zone) => {
    const key = `${JSON.stringify(grid)} ${zone}`;
    let days = known.get(key);
    if (!days) {
      const today = dayOf(zone, now);
      days = Array.from({ length: daysShown }, (_, at) => {
        const day = today - daysShown + 1 + at;
        return slotsOf(grid, zone, { from: startOfDay(zone, day), to: startOfDay(zone, day + 1) });
      });
      known.set(key, days);
    }
    return days;
  };
}

/**
 * Starts of the hours that contain trusted rows, ascending, by device. The ids must come from a query on
 * `device` in the same transaction.
 */
async function hoursOf(
  db: Db,
  wanted: readonly { readonly device: Judged; readonly types: readonly number[] }[],
  span: Span,
): Promise<Map<DeviceId, number[]>> {
  const pairs = wanted.flatMap(({ device, types }) => types.map((type) => ({ device, type })));
  if (pairs.length === 0) return new Map();
  const zones = new Map(pairs.map(({ device }) => [device.id, device.zone]));
  const rows = await receivedHours(
    db,
    pairs.map(({ device, type }) => ({ deviceId: device.id, msgType: type })),
    span,
  );
  const found = new Map<DeviceId, number[]>();
  for (const { device_id, day, hours } of rows) {
    const start = startOfDay(zones.get(device_id) ?? "UTC", day);
    const known = found.get(device_id) ?? [];
    for (let hour = 0; hour < 25; hour++) if ((hours >> hour) & 1) known.push(start + hour * 3600);
    found.set(device_id, known);
  }
  return found;
}
