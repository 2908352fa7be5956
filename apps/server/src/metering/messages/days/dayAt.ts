import { dayOf, startOfDay, type Day } from "#core";

// oxlint-disable-next-line metrum/no-hidden-state -- cache of a pure function
const starts = new Map<string, Map<Day, number>>();
/** Cached days of all zones together. */
const mostStarts = 50_000;
// oxlint-disable-next-line metrum/no-hidden-state -- cache of a pure function
let remembered = 0;

/** The calendar day of an instant with its first second; computed once per reading. */
export function dayAt(zone: string, ts: number): { day: Day; start: number } {
  const day = dayOf(zone, ts);
  let ofZone = starts.get(zone);
  if (!ofZone) starts.set(zone, (ofZone = new Map<Day, number>()));
  let start = ofZone.get(day);
  if (start === undefined) {
    if (remembered++ > mostStarts) {
      starts.clear();
      starts.set(zone, (ofZone = new Map<Day, number>()));
      remembered = 0;
    }
    ofZone.set(day, (start = startOfDay(zone, day)));
  }
  return { day, start };
}
