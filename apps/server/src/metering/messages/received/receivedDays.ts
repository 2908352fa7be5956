import type { DeviceId } from "@metrum/vocabulary";
import { dayOf, startOfDay, type Day, type Db } from "#core";
import {
  dueFromOf,
  fillingTypes,
  hoursOf,
  mainType,
  profileType,
  shareOf,
  visitDue,
  type Counted,
  type Judged,
  type Presence,
} from "./received.ts";
import { trustedTimes } from "../read/index.ts";
import { gridOf, slotsOf, type Grid, type Slot, type Span } from "./slots.ts";

/** Due and received rows of one calendar day of the device's zone, and the slots without a row. */
export interface DayReceived {
  readonly day: Day;
  readonly expected: number;
  readonly received: number;
  /** Slots without a row: first those in which none was due. */
  readonly missing: readonly Slot[];
  readonly notDue: number;
}

/** The days of one message type of a device, oldest first. */
export interface ReceivedDays {
  readonly device: Judged;
  readonly msgType: number;
  readonly days: readonly DayReceived[];
  /** Start of the first hour or slot with a row; -Infinity: before these days, Infinity: none up to their end. */
  readonly firstAt: number;
}

/** First and last calendar day, both included. */
export interface DayRange {
  readonly first: Day;
  readonly last: Day;
}

export interface WantedDays {
  readonly types: readonly { readonly device: Judged; readonly msgType: number }[];
  /** The days in the calendar of a zone. */
  readonly daysIn: (zone: string) => DayRange;
  readonly now: number;
}

interface Plan extends Counted {
  readonly msgType: number;
  readonly grid: Grid;
}

/** A slot that begins on the last day ends at most this much later: a month. */
const longestSlotSec = 32 * 86_400;

/**
 * Due and received rows by device, message type and calendar day; types whose rows are never due are omitted. A
 * slot belongs to the day on which it begins. Equal to the result of a data page over one of these days. Rows:
 * one a day of each device and type by the primary key of reading_day; for half-hours those of the profile.
 */
export async function receivedByDay(db: Db, wanted: WantedDays): Promise<ReceivedDays[]> {
  const planned = await plannedOf(db, wanted);
  return planned.map(({ device, msgType, due, present, dueFrom }) => ({
    device,
    msgType,
    days: byDay(due, { present, now: wanted.now, dueFrom }),
    // Days before the first row are not due: of a device that has rows before these days, all are.
    firstAt: dueFrom <= (due.slots[0]?.from ?? -Infinity) ? -Infinity : (present[0] ?? Infinity),
  }));
}

interface Planned extends Plan {
  readonly due: Due;
  /** Instants of trusted rows, ascending. */
  readonly present: readonly number[];
  readonly dueFrom: number;
}

async function plannedOf(db: Db, { types, daysIn }: WantedDays): Promise<Planned[]> {
  const rhythmOf = sharedRhythms();
  const slotsIn = sharedSlots(daysIn);
  const plans = types.flatMap(({ device, msgType }) => {
    const rhythm = rhythmOf(device, msgType);
    if (!rhythm) return [];
    const due = slotsIn(rhythm.grid, device.zone);
    return [{ device, msgType, grid: rhythm.grid, types: rhythm.types, due }];
  });
  const reach = reachOf([...new Set(plans.map(({ due }) => due))].map(({ slots }) => slots));
  const [present, dueFrom] = await Promise.all([
    presentOf(db, plans, reach),
    dueFromOf(db, plans, reach.from),
  ]);
  return plans.map((plan, at) => ({
    ...plan,
    present: present[at] ?? [],
    dueFrom: dueFrom[at] ?? -Infinity,
  }));
}

/** Days with their first seconds, that of the day after the last included, and the slots that begin in them. */
interface Due {
  readonly first: Day;
  readonly starts: readonly number[];
  readonly slots: readonly Slot[];
}

function byDay({ first, starts, slots }: Due, judged: Presence): DayReceived[] {
  const days = starts.slice(1).map((_, at) => {
    const missing: Slot[] = [];
    return { day: first + at, expected: 0, received: 0, missing, notDue: 0 };
  });
  let at = 0;
  visitDue(slots, judged, (slot, isThere, isDue) => {
    while (slot.from >= (starts[at + 1] ?? Infinity)) at += 1;
    const day = days[at];
    if (!day) return;
    if (isDue) day.expected += 1;
    else day.notDue += 1;
    if (isThere) day.received += 1;
    else day.missing.push(slot);
  });
  return days;
}

type Shares = readonly (number | null)[];

/** Shares of the days, without a list of what is missing. */
function sharesOf({ starts, slots }: Due, judged: Presence): Shares {
  const expected = starts.slice(1).fill(0);
  const received = [...expected];
  let at = 0;
  visitDue(slots, judged, (slot, isThere, isDue) => {
    while (slot.from >= (starts[at + 1] ?? Infinity)) at += 1;
    if (isDue) expected[at] = (expected[at] ?? 0) + 1;
    if (isThere) received[at] = (received[at] ?? 0) + 1;
  });
  return expected.map((count, day) => shareOf({ expected: count, received: received[day] ?? 0 }));
}

/** Shared by devices with the same slots and the same hours, which most of a page have. */
function sharedShares(now: number): (due: Due, present: readonly number[], dueFrom: number) => Shares {
  const known = new Map<Due, Map<readonly number[], Shares>>();
  return (due, present, dueFrom) => {
    if (dueFrom !== -Infinity) return sharesOf(due, { present, now, dueFrom });
    const ofDue = known.get(due) ?? new Map<readonly number[], Shares>();
    known.set(due, ofDue);
    const shares = ofDue.get(present) ?? sharesOf(due, { present, now, dueFrom });
    ofDue.set(present, shares);
    return shares;
  };
}

type Rhythm = Pick<Plan, "grid" | "types">;

/** Shared by devices of one model and period; null if rows are never due. */
function sharedRhythms(): (device: Judged, msgType: number) => Rhythm | null {
  const known = new Map<string, Rhythm | null>();
  const grids = new Map<string, Grid>();
  const shared = (grid: Grid): Grid => {
    const key = JSON.stringify(grid);
    const first = grids.get(key) ?? grid;
    grids.set(key, first);
    return first;
  };
  return (device, msgType) => {
    const key = `${String(msgType)} ${String(device.model_id)} ${String(device.report_period_update)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const own = gridOf(msgType, { reportPeriodSec: device.report_period_update });
    const grid = own && shared(own);
    const rhythm = grid && { grid, types: fillingTypes(msgType, device.model_id, grid) };
    known.set(key, rhythm);
    return rhythm;
  };
}

/** Shared by devices of one zone and grid. */
function sharedSlots(daysIn: WantedDays["daysIn"]): (grid: Grid, zone: string) => Due {
  const known = new Map<Grid, Map<string, Due>>();
  return (grid, zone) => {
    const zones = known.get(grid) ?? new Map<string, Due>();
    known.set(grid, zones);
    const due = zones.get(zone) ?? dueIn(grid, zone, daysIn(zone));
    zones.set(zone, due);
    return due;
  };
}

function dueIn(grid: Grid, zone: string, { first, last }: DayRange): Due {
  const starts = Array.from({ length: last - first + 2 }, (_, at) => startOfDay(zone, first + at));
  const [from, end] = [startOfDay(zone, first), startOfDay(zone, last + 1)];
  const to = grid.kind === "months" ? end + longestSlotSec : end;
  return { first, starts, slots: slotsOf(grid, zone, { from, to }).filter((slot) => slot.from < end) };
}

function reachOf(all: readonly (readonly Slot[])[]): Span {
  const found = all.filter((slots) => slots.length > 0);
  return {
    from: Math.min(...found.map((slots) => slots[0]?.since ?? Infinity)),
    to: Math.max(...found.map((slots) => slots.at(-1)?.to ?? -Infinity)),
  };
}

/** Instants of trusted rows, ascending, in the order of the plans. */
async function presentOf(db: Db, plans: readonly Plan[], span: Span): Promise<(readonly number[])[]> {
  if (span.from >= span.to) return [];
  const isProfile = ({ msgType }: Plan) => msgType === profileType;
  const others = plans.filter((plan) => !isProfile(plan));
  const [halves, hours] = await Promise.all([
    trustedTimes(
      db,
      plans.filter(isProfile).map(({ device, msgType }) => ({ deviceId: device.id, msgType })),
      span,
    ),
    hoursOf(db, others, span),
  ]);
  const timesOf = new Map(halves.map(({ device_id, times }) => [device_id, times]));
  const hoursAt = new Map(others.map((plan, at) => [plan, hours[at] ?? []]));
  return plans.map((plan) =>
    isProfile(plan) ? (timesOf.get(plan.device.id) ?? []) : (hoursAt.get(plan) ?? []),
  );
}

const daysShown = 7;

/**
 * Share of due rows received by calendar day of the device's zone, the last seven days, oldest first; null for
 * a day without due rows yet.
 */
export async function dailyShares(
  db: Db,
  devices: readonly Judged[],
  now: number,
): Promise<Map<DeviceId, Shares>> {
  const typeOf = new Map([...new Set(devices.map((each) => each.model_id))].map((id) => [id, mainType(id)]));
  const planned = await plannedOf(db, {
    types: devices.flatMap((device) => {
      const msgType = typeOf.get(device.model_id);
      return msgType === undefined ? [] : [{ device, msgType }];
    }),
    daysIn: (zone) => ({ first: dayOf(zone, now) - daysShown + 1, last: dayOf(zone, now) }),
    now,
  });
  const shares = sharedShares(now);
  return new Map(
    planned.map(({ device, due, present, dueFrom }) => [device.id, shares(due, present, dueFrom)]),
  );
}
