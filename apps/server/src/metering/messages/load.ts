import { rounded } from "#core";
import { noiseOf, type CounterRange, type Point } from "./counter.ts";

const [hour, day] = [3600, 86_400];

/** By how much a load may be beyond its mean, and the growth that is never doubted. */
const mostTimes = 5;
const smallGrowth = 0.1;

/** The most that a counter is believed to have grown where its usual load lets expect so much. */
export const mostGrowth = (expected: number): number => expected * mostTimes + smallGrowth;

/** How far back the usual load of a counter is measured. */
export const loadSec = 40 * day;

/**
 * Ends of the spans before an instant, in seconds, the longest first: the first value of each is one of those that the
 * usual load follows from, so that it costs as much with a reading a minute as with one a day.
 */
export const sampleSec: readonly number[] = Array.from({ length: 12 }, (_, n) =>
  Math.round(loadSec / 2 ** n),
);

/** The first value of each span before an instant, and the last value: by time, each once. */
export function samplesOf(points: readonly Point[], until: number): Point[] {
  const known = points.filter(({ ts }) => ts <= until && ts >= until - loadSec).sort((a, b) => a.ts - b.ts);
  const chosen = sampleSec.flatMap((sec, n) => {
    const end = until - (sampleSec[n + 1] ?? -1);
    return known.find(({ ts }) => ts >= until - sec && ts < end) ?? [];
  });
  const last = known.at(-1);
  return last && last.ts > (chosen.at(-1)?.ts ?? -Infinity) ? [...chosen, last] : chosen;
}

/**
 * Mean growth a second of a counter, by its values of the last 40 days; undefined with fewer than two. A fall, and a
 * growth that no meter of this capacity can count, begin it anew: what was before is another meter or a fault.
 */
export function loadOf(samples: readonly Point[], range: CounterRange): number | undefined {
  let first: Point | undefined;
  let last: Point | undefined;
  for (const next of samples) {
    if (!last || !first || !isStep(last, next, range)) first = next;
    last = next;
  }
  return first && last && last.ts > first.ts
    ? Math.max(0, last.value - first.value) / (last.ts - first.ts)
    : undefined;
}

const isStep = (last: Point, next: Point, range: CounterRange): boolean =>
  next.value >= last.value - noiseOf(last.value) &&
  next.value - last.value <= physicalGrowth(next.ts - last.ts, range);

/** A load is known of a day at least: shorter spans may be those of an hour without any. */
const leastSec = day;

/** How much a counter is expected to have grown some time after its last value; null: its usual load is not known. */
export function expectedGrowth(last: Point, at: number, range: CounterRange): number | null {
  const samples = range.samplesAt?.(last.ts) ?? [];
  const sec = (samples.at(-1)?.ts ?? 0) - (samples[0]?.ts ?? 0);
  const load = sec < leastSec ? undefined : loadOf(samples, range);
  return load === undefined ? null : rounded(load * (at - last.ts));
}

/** The growth of shorter times is judged like that of an hour, in which a load may be far above its mean. */
const judgedSec = (sec: number): number => Math.max(sec, hour);

/** A water meter may run at Q4 = 1.25 Q3 for a short time (OIML R 49-1); the hours of its register are those of Q3. */
const overload = 1.25;

/** The most that a counter can count in this time, at full load. */
export function physicalGrowth(sec: number, { capacity, holdsHours }: CounterRange): number {
  if (capacity === undefined || holdsHours === undefined) return Infinity;
  return (overload * capacity * judgedSec(sec)) / (holdsHours * hour) + smallGrowth;
}

/**
 * Whether a counter can have rolled over between two values that are this growth apart: its usual load fits, and the
 * full load of a meter with so many digits. Whole numbers may be one more than what was counted.
 */
export function fitsLoad(by: number, [before, now]: readonly [Point, Point], range: CounterRange): boolean {
  const sec = now.ts - before.ts;
  const grain = Number.isInteger(before.value) && Number.isInteger(now.value) ? 1 : 0;
  if (by > physicalGrowth(sec, range) + grain) return false;
  const load = loadOf(range.samplesAt?.(before.ts) ?? [], range);
  return load !== undefined && by <= mostGrowth(load * judgedSec(sec)) + grain;
}
