import { offsetHours } from "./timeZone.ts";

/** Days are counted from 1970-01-01 in the calendar of a zone. */
export type Day = number;

const daySec = 86_400;
/** Offsets change at whole quarters of an hour in every zone since 2000. */
const quarterSec = 900;

/** Offset by UTC day; null where it changes within the day. One map per zone, about 366 entries a year. */
// oxlint-disable-next-line metrum/no-hidden-state -- cache of a pure function
const offsetsByDay = new Map<string, Map<number, number | null>>();
// oxlint-disable-next-line metrum/no-hidden-state -- cache of a pure function
const offsetsByQuarter = new Map<string, Map<number, number>>();

/**
 * Seconds that the clocks of an IANA zone are ahead of UTC at an instant. Throws RangeError for an unknown
 * zone.
 */
export function offsetSec(zone: string, at: number): number {
  const day = Math.floor(at / daySec);
  const known = remember(offsetsByDay, zone, day, () => {
    const before = exactOffset(zone, day * daySec);
    return before === exactOffset(zone, (day + 1) * daySec) ? before : null;
  });
  if (known !== null) return known;
  const quarter = Math.floor(at / quarterSec);
  return remember(offsetsByQuarter, zone, quarter, () => exactOffset(zone, quarter * quarterSec));
}

/**
 * Offset of the zone without daylight saving, in seconds, in the year of an instant: the time of a clock that
 * is not changed in spring. If the zone's standard offset changed by law in that year, the two cannot be told
 * apart; the offset at the instant is returned.
 */
export function standardOffsetSec(zone: string, at: number): number {
  const year = new Date(at * 1000).getUTCFullYear();
  const [start, middle, end] = [
    [year, 0],
    [year, 6],
    [year + 1, 0],
  ].map(([of = 0, month = 0]) => offsetSec(zone, Date.UTC(of, month, 1) / 1000));
  return start === undefined || middle === undefined || start !== end
    ? offsetSec(zone, at)
    : Math.min(start, middle);
}

/** The calendar day of the zone that an instant belongs to. */
export function dayOf(zone: string, at: number): Day {
  return Math.floor((at + offsetSec(zone, at)) / daySec);
}

/**
 * The first instant of a calendar day, epoch seconds UTC. If midnight does not exist, the moment the clocks
 * jump.
 */
export function startOfDay(zone: string, day: Day): number {
  const midnight = day * daySec;
  const candidates = [midnight - daySec, midnight + daySec]
    .map((near) => midnight - offsetSec(zone, near))
    .sort((a, b) => a - b);
  const start = candidates.find((at) => dayOf(zone, at) === day && dayOf(zone, at - 1) < day);
  return start ?? midnight - offsetSec(zone, midnight);
}

/**
 * The instant at which the clocks of a zone show a second of a day, epoch seconds UTC: the first one of two, and of a
 * time that they leave out the moment they jump.
 */
export function instantOf(zone: string, day: Day, secondOfDay: number): number {
  const shown = day * daySec + secondOfDay;
  const [before, after] = [offsetSec(zone, shown - daySec), offsetSec(zone, shown + daySec)];
  const candidates = [shown - before, shown - after].sort((a, b) => a - b);
  const found = candidates.find((at) => at + offsetSec(zone, at) === shown);
  if (found !== undefined) return found;
  let [early, late] = [shown - after, shown - before];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (middle + offsetSec(zone, middle) >= shown) late = middle;
    else early = middle;
  }
  return late;
}

/**
 * Index of the hour of its calendar day in which an instant lies, counted in elapsed hours: 0 to 22, 23 or
 * 24.
 */
export function hourOf(zone: string, at: number): number {
  return Math.floor((at - startOfDay(zone, dayOf(zone, at))) / 3600);
}

/** `2026-11-21` for a day. */
export function dayText(day: Day): string {
  return new Date(day * daySec * 1000).toISOString().slice(0, 10);
}

function exactOffset(zone: string, at: number): number {
  return Math.round(offsetHours(zone, at) * 3600);
}

function remember<Value>(
  maps: Map<string, Map<number, Value>>,
  zone: string,
  key: number,
  make: () => Value,
): Value {
  const map = maps.get(zone) ?? new Map<number, Value>();
  maps.set(zone, map);
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
