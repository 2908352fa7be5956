import { dayOf, startOfDay, type Day } from "#core";

// eslint-disable-next-line no-restricted-syntax -- remembers what a pure function gave
const starts = new Map<string, Map<Day, number>>();
/** Days remembered of all zones together. */
const mostStarts = 50_000;
// eslint-disable-next-line no-restricted-syntax -- remembers what a pure function gave
let remembered = 0;

/** The calendar day of an instant with its first second; both are asked once a reading. */
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
