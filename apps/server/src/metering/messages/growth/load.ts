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
 * Values since a counter was begun anew, the first and the last of them. A fall, a growth that no meter of this capacity
 * can count and a leap begin it anew: what was before is another meter, a fault, or another use.
 */
interface Run {
  readonly first: Point;
  readonly last: Point;
}

function runOf(samples: readonly Point[], range: CounterRange): Run | undefined {
  const [oldest] = samples;
  if (!oldest) return undefined;
  let run: Run = { first: oldest, last: oldest };
  // The first step has nothing before it to be judged by: it is judged by those after it.
  let rest: Run | undefined;
  for (const next of samples.slice(1)) {
    if (!isStep(run, next, range)) [run, rest] = [{ first: next, last: next }, undefined];
    else {
      rest = { first: rest?.first ?? next, last: next };
      run = { first: run.first, last: next };
    }
  }
  return rest && isBeyond(rest, run.first, range) ? rest : run;
}

const isStep = (run: Run, next: Point, range: CounterRange): boolean =>
  next.value >= run.last.value - noiseOf(run.last.value) &&
  !isLeapAfter(next.value - run.last.value, [run.last, next], { range, usual: usualOf(run) });

/** Whether the step before a run is a leap by the load of that run. */
const isBeyond = (rest: Run, before: Point, range: CounterRange): boolean =>
  isLeapAfter(rest.first.value - before.value, [before, rest.first], { range, usual: usualOf(rest) });

const meanOf = ({ first, last }: Run): number | undefined =>
  last.ts > first.ts ? Math.max(0, last.value - first.value) / (last.ts - first.ts) : undefined;

/** A load is known of a day at least: shorter spans may be those of an hour without any. */
const usualOf = (run: Run): number | undefined =>
  run.last.ts - run.first.ts < day ? undefined : meanOf(run);

/** Mean growth a second of a counter, by its values of the last 40 days; undefined with fewer than two. */
export function loadOf(samples: readonly Point[], range: CounterRange): number | undefined {
  const run = runOf(samples, range);
  return run && meanOf(run);
}

/** The same, if it is known of a day at least. */
function usualLoad(samples: readonly Point[], range: CounterRange): number | undefined {
  const run = runOf(samples, range);
  return run && usualOf(run);
}

/** How much a counter is expected to have grown some time after its last value; null: its usual load is not known. */
export function expectedGrowth(last: Point, at: number, range: CounterRange): number | null {
  const load = usualLoad(range.samplesAt?.(last.ts) ?? [], range);
  return load === undefined ? null : rounded(load * (at - last.ts));
}

/** The growth of shorter times is judged like that of an hour, in which a load may be far above its mean. */
const judgedSec = (sec: number): number => Math.max(sec, hour);

/**
 * Our own choice: a meter may run over its full load for a short time, and water meters are built for a quarter more.
 */
const overload = 1.25;

/** Our own choice: hardly any meter counts a quarter of its full load all day, as its digits are enough for more. */
const busyShare = 1 / 4;

/**
 * Hours at full load that a counter of pulses holds: 2^32 of them, twenty a second, are sixty thousand. Our own choice:
 * the pulses of a meter are as long as its contact is closed, and few give more than ten a second. Counters whose hours
 * are not known are taken for such.
 */
export const pulseHours = 60_000;

/** What a counter counts in a second at full load. */
const fullLoad = (capacity: number, holdsHours: number): number => capacity / (holdsHours * hour);

/** The most that a counter can count in this time, at full load. */
export function physicalGrowth(sec: number, { capacity, holdsHours }: CounterRange): number {
  if (capacity === undefined || holdsHours === undefined) return Infinity;
  return overload * fullLoad(capacity, holdsHours) * judgedSec(sec) + smallGrowth;
}

/** Up to here no load is needed to believe a growth: by day, so that an hour may have all that a day has. */
function busyGrowth(sec: number, { capacity, holdsHours = pulseHours }: CounterRange): number {
  if (capacity === undefined) return Infinity;
  return busyShare * fullLoad(capacity, holdsHours) * Math.max(sec, day) + smallGrowth;
}

type Bounds = Pick<CounterRange, "capacity" | "holdsHours">;

/** The smallest growth that any of the bounds doubts; beyond it a growth is judged. */
export const doubtedGrowth = (sec: number, { capacity, holdsHours = pulseHours }: Bounds): number =>
  capacity === undefined ? Infinity : doubtedLoad({ capacity, holdsHours }) * Math.max(sec, doubtedSec);

/** The same a second, of times no shorter than this. */
export const doubtedLoad = ({ capacity = Infinity, holdsHours = pulseHours }: Bounds): number =>
  busyShare * fullLoad(capacity, holdsHours);
export const doubtedSec = (overload / busyShare) * hour;

/**
 * Whether a counter cannot have grown so much between two values: more than a meter with so many digits counts at full
 * load, or more than a quarter of that and more than five times its usual load. Without a known load the first alone
 * decides, so a new meter, or one whose use has changed, is doubted once and not for long.
 */
export function isLeap(by: number, points: readonly [Point, Point], range: CounterRange): boolean {
  const [before, now] = points;
  const sec = now.ts - before.ts;
  if (by <= doubtedGrowth(sec, range)) return false;
  // The load is asked for only where it decides.
  const decides = by <= physicalGrowth(sec, range) + grainOf(points) && by > busyGrowth(sec, range);
  const usual = decides ? usualLoad(range.samplesAt?.(before.ts) ?? [], range) : undefined;
  return isLeapAfter(by, points, { range, usual });
}

function isLeapAfter(
  by: number,
  points: readonly [Point, Point],
  { range, usual }: { readonly range: CounterRange; readonly usual: number | undefined },
): boolean {
  const [before, now] = points;
  const sec = now.ts - before.ts;
  if (by > physicalGrowth(sec, range) + grainOf(points)) return true;
  if (usual === undefined || by <= busyGrowth(sec, range)) return false;
  return by > mostGrowth(usual * Math.max(sec, day)) + grainOf(points);
}

/** Whole numbers may be one more than what was counted. */
const grainOf = ([before, now]: readonly [Point, Point]): number =>
  Number.isInteger(before.value) && Number.isInteger(now.value) ? 1 : 0;

/**
 * Whether a counter can have rolled over between two values that are this growth apart: its usual load fits, and the
 * full load of a meter with so many digits.
 */
export function fitsLoad(by: number, points: readonly [Point, Point], range: CounterRange): boolean {
  const [before, now] = points;
  const sec = now.ts - before.ts;
  const grain = grainOf(points);
  if (by > physicalGrowth(sec, range) + grain) return false;
  const load = loadOf(range.samplesAt?.(before.ts) ?? [], range);
  return load !== undefined && by <= mostGrowth(load * judgedSec(sec)) + grain;
}
