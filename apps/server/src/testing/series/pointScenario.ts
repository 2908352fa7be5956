import fc from "fast-check";
import { dayOf, startOfDay } from "#core";

/** What happened at a point, in millionths and seconds, and what a person or a meter told of it. */
export interface Scenario {
  readonly start: number;
  readonly end: number;
  readonly ties: readonly ScenarioTie[];
  readonly ratios: readonly ScenarioRatio[];
  readonly added: readonly { readonly from: number; readonly to: number; readonly amount: bigint }[];
  readonly intervals: readonly Interval[];
  /** Capacity of every counter. */
  readonly capacity: bigint;
}

export interface ScenarioTie {
  readonly from: number;
  readonly to: number | null;
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  readonly readings: readonly { readonly ts: number; readonly value: bigint }[];
}

export interface ScenarioRatio {
  readonly from: number;
  /** In hundredths. */
  readonly hundredths: bigint;
  readonly reading: bigint | undefined;
}

/** The time between two values of a register, in which it was consumed evenly. */
export interface Interval {
  readonly from: number;
  readonly to: number;
  readonly rate: bigint;
  /** The values tell the consumption: the counter was not reset, or only rolled over. */
  readonly isTold: boolean;
  readonly isRollover: boolean;
}

const events = ["none", "reset", "swap", "ratio", "ratioInside", "ratioWithReading"] as const;

/** Minutes between the values of a register that is read every few minutes or hours, every day or two, or seldom. */
const paces = {
  often: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 36 }).map((n) => n * 10) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 50 }).map((n) => n * 60) },
  ),
  rarely: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }).map((n) => 1440 + n * 20) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 50 }).map((n) => n * 60) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((n) => n * 5) },
  ),
  seldom: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -9, max: 9 }).map((n) => 7 * 1440 + n * 50) },
    { weight: 2, arbitrary: fc.integer({ min: -3, max: 3 }).map((n) => 30 * 1440 + n * 5) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 50 }).map((n) => n * 60) },
  ),
} as const;

/** Within a month a register grows by a tenth of its capacity at most, else nobody could tell a rollover. */
const mostRates = { often: 5_000, rarely: 5_000, seldom: 30 } as const;

const aStep = (minutes: fc.Arbitrary<number>, mostRate: number) =>
  fc.record({
    minutes,
    rate: fc.integer({ min: 0, max: mostRate }),
    event: fc.oneof({ weight: 12, arbitrary: fc.constant(events[0]) }, fc.constantFrom(...events)),
    value: fc.integer({ min: 0, max: 999_999_999 }),
    pause: fc.constantFrom(0, 0, 600, 20_000),
    hundredths: fc.constantFrom(100, 150, 4_000, 33),
    isNoted: fc.boolean(),
    isAdded: fc.boolean(),
  });
type Step = ReturnType<typeof aStep> extends fc.Arbitrary<infer Of> ? Of : never;

const near = 6 * 3600;

/**
 * Whether values so far apart are interpolated between: within six hours, or up to 1.9 times the median of the three
 * distances on each side of readings that are a quarter of an hour apart, within a week and at most 48 hours.
 */
export function areNear(
  { ties }: Pick<Scenario, "ties">,
  { from, to }: Pick<Interval, "from" | "to">,
): boolean {
  if (to - from <= near) return true;
  if (to - from > 48 * 3600) return false;
  const tie = ties.findLast((each) => each.from <= from);
  const times = tie?.readings.map(({ ts }) => ts).sort((a, b) => a - b) ?? [];
  const sides = [
    times.filter((ts) => ts <= from && ts >= from - 7 * 86_400).reverse(),
    times.filter((ts) => ts >= to && ts <= to + 7 * 86_400),
  ];
  const distances = sides.flatMap((side) => {
    const distinct: number[] = [];
    for (const ts of side)
      if (distinct.length === 0 || Math.abs(ts - (distinct.at(-1) ?? 0)) >= 900) distinct.push(ts);
    return distinct
      .slice(0, 4)
      .flatMap((ts, at, all) => (at === 0 ? [] : [Math.abs(ts - (all[at - 1] ?? 0))]));
  });
  if (distances.length < 3) return false;
  const usual = distances.toSorted((a, b) => a - b)[Math.floor((distances.length - 1) / 2)] ?? 0;
  return (to - from) * 10 <= usual * 19;
}

/**
 * Histories of a point from an instant on: readings, holes, swaps, rollovers, resets, changes of the ratio.
 * `thousands`: capacity of its counters. `isSlow`: it rolls over once at most, as meters do, and often does; and it counts
 * less than a quarter of the full load of a meter of 434 hours, so that no growth is doubted.
 */
export function scenarios(
  start: number,
  {
    thousands = 1,
    most = 60,
    pace = "often",
    isSlow = false,
  }: {
    readonly thousands?: number;
    readonly most?: number;
    readonly pace?: keyof typeof paces;
    readonly isSlow?: boolean;
  } = {},
): fc.Arbitrary<Scenario> {
  return fc
    .tuple(
      isSlow ? fc.oneof(anyFill, fc.integer({ min: 980_000_000, max: 999_999_999 })) : anyFill,
      fc.array(aStep(paces[pace], isSlow ? Math.min(150, mostRates[pace]) : mostRates[pace]), {
        ...{ minLength: 3, maxLength: most },
      }),
    )
    .map(([first, steps]) => played({ start, scale: BigInt(thousands) }, BigInt(first * thousands), steps));
}

const anyFill = fc.integer({ min: 0, max: 999_999_999 });

interface Value {
  readonly ts: number;
  readonly value: bigint;
}

/** A history as far as it has been played. */
interface Played {
  readonly ties: { from: number; to: number | null; opening?: bigint; closing?: bigint; readings: Value[] }[];
  readonly ratios: ScenarioRatio[];
  readonly added: { from: number; to: number; amount: bigint }[];
  readonly intervals: Interval[];
  readonly scale: bigint;
  now: number;
  /** The last known value of the present meter; undefined: its first is still to come. */
  last: Value | undefined;
}

/** What two floats of one value may differ by, here a millionth, is no fall. */
const noise = 2n;

const capacityOf = (scale: bigint): bigint => 1_000_000_000n * scale;

function played(
  { start, scale }: { readonly start: number; readonly scale: bigint },
  first: bigint,
  steps: readonly Step[],
): Scenario {
  const last = { ts: start, value: first };
  const state: Played = {
    ties: [{ from: start, to: null, readings: [last] }],
    ratios: [],
    added: [],
    intervals: [],
    scale,
    now: start,
    last,
  };
  for (const step of steps) play(state, step);
  return {
    ...state,
    ties: state.ties.map((tie) => ({ ...tie, opening: tie.opening, closing: tie.closing })),
    start,
    end: state.now,
    capacity: capacityOf(scale),
  };
}

function play(state: Played, step: Step): void {
  const at = state.now + step.minutes * 60;
  state.now = at;
  if (!state.last) {
    // The first reading of a meter without an opening one: nothing is known before it.
    state.last = { ts: at, value: BigInt(step.value) * state.scale };
    state.ties.at(-1)?.readings.push(state.last);
    return;
  }
  const interval = intervalOf(state.last, { step, at, scale: state.scale });
  if (step.event === "swap") {
    swap(state, step, interval);
    return;
  }
  const [from, next] = [state.last.ts, { ts: at, value: interval.value }];
  state.intervals.push(interval);
  state.last = next;
  if (step.event !== "ratio") state.ties.at(-1)?.readings.push(next);
  const changeAt = step.event === "ratioInside" ? from + Math.floor((at - from) / 120) * 60 : at;
  if (step.event.startsWith("ratio"))
    state.ratios.push({
      from: changeAt,
      hundredths: BigInt(step.hundredths),
      reading: step.event === "ratio" ? next.value : undefined,
    });
}

function intervalOf(
  last: Value,
  { step, at, scale }: { readonly step: Step; readonly at: number; readonly scale: bigint },
): Interval & { readonly value: bigint } {
  const capacity = capacityOf(scale);
  const rate = BigInt(step.rate) * scale;
  const isLow = (value: bigint): boolean => value * 10n < capacity;
  const isHigh = last.value * 10n > capacity * 9n;
  const small = (BigInt(step.value) * scale) % (last.value + 1n);
  const isFall = last.value - small > noise;
  const isReset = step.event === "reset" && isFall && !(isHigh && isLow(small));
  const value = isReset ? small : (last.value + rate * BigInt(at - last.ts)) % capacity;
  const isRollover = !isReset && value < last.value;
  const isTold = !isReset && (!isRollover || (isHigh && isLow(value)));
  return { from: last.ts, to: at, rate, isTold, isRollover, value };
}

/** The meter is replaced, after a pause that may be added by hand. */
function swap(state: Played, step: Step, interval: Interval & { readonly value: bigint }): void {
  const { ties, intervals, added, scale } = state;
  const at = state.now;
  const tie = ties.at(-1);
  if (tie) tie.to = at;
  if (tie && step.isNoted) {
    tie.closing = interval.value;
    intervals.push(interval);
  }
  state.now = at + step.pause;
  if (step.isAdded && step.pause > 0)
    added.push({ from: at, to: state.now, amount: interval.rate * BigInt(step.pause) });
  const opening = BigInt(step.value) * scale;
  ties.push({ from: state.now, to: null, readings: [], ...(step.isAdded ? { opening } : {}) });
  state.last = step.isAdded ? { ts: state.now, value: opening } : undefined;
}

/** What an oracle that knows the true consumption expects of a period, `to` exclusive. */
export interface Expected {
  /** In units of 10^-8 of the point; undefined: nothing is known. */
  readonly amount: bigint | undefined;
  readonly coveredSec: number;
}

const loadSec = 40 * 86_400;

/**
 * Whether a rollover is believed: its growth is at most five times that of the time between the values, an hour at
 * least, by the mean load of the readings of forty days before it since their last decrease. Of them count the first
 * one in each of twelve spans, each half as long and as far back as the one before it, and the last one.
 */
export function isBelieved(
  { ties }: Pick<Scenario, "ties">,
  { from, to, rate, isRollover }: Interval,
): boolean {
  if (!isRollover) return true;
  const tie = ties.findLast((each) => each.from <= from);
  const known = (tie?.readings ?? [])
    .filter(({ ts }) => ts <= from && ts >= from - loadSec)
    .sort((a, b) => a.ts - b.ts);
  const spanOf = (ts: number): number =>
    Array.from({ length: 12 }, (_, n) => n).findLast((n) => ts >= from - Math.round(loadSec / 2 ** n)) ?? 0;
  const counted = known.filter(
    ({ ts }, at) => at === known.length - 1 || at === 0 || spanOf(ts) !== spanOf(known[at - 1]?.ts ?? 0),
  );
  const begin = Math.max(
    0,
    counted.findLastIndex(({ value }, at) => value < (counted[at - 1]?.value ?? 0n)),
  );
  const [first, last] = [counted[begin], counted.at(-1)];
  if (!first || !last || last.ts <= first.ts) return false;
  const load = Number(last.value - first.value) / (last.ts - first.ts);
  return Number(rate) * (to - from) <= load * 5 * Math.max(3600, to - from) + 100_000;
}

const oneRatio = 100n;

/** An interval divided at its first and last midnight, each if it is nearer to that end than a tenth, at most a day. */
function dividedClose(interval: Interval, zone: string): Interval[] {
  const { from, to } = interval;
  const midnights: number[] = [];
  for (let day = dayOf(zone, from); day <= dayOf(zone, to); day++) midnights.push(startOfDay(zone, day));
  const inside = midnights.filter((ts) => ts > from && ts < to);
  const isClose = (sec: number): boolean => sec <= 86_400 && sec < (to - from) / 10;
  const cuts = inside.filter(
    (ts, at) =>
      (at === 0 && !midnights.includes(from) && isClose(ts - from)) ||
      (at === inside.length - 1 && startOfDay(zone, dayOf(zone, to)) !== to && isClose(to - ts)),
  );
  const ends = [from, ...cuts, to];
  return ends.slice(1).map((end, at) => ({ ...interval, from: ends[at] ?? from, to: end }));
}

export function expectedOf(
  { intervals, ratios, added, ties }: Pick<Scenario, "intervals" | "ratios" | "added" | "ties">,
  { from, to, zone }: { readonly from: number; readonly to: number; readonly zone: string },
): Expected {
  let [amount, coveredSec] = [0n, 0];
  const changes = ratios.filter((ratio, at) => ratio.hundredths !== (ratios[at - 1]?.hundredths ?? oneRatio));
  const ratioAt = (ts: number): bigint =>
    changes.filter((each) => each.from <= ts).at(-1)?.hundredths ?? oneRatio;
  const isChanged = (each: Interval): boolean =>
    changes.some((change) => change.from > each.from && change.from < each.to);
  const known = intervals
    .filter((each) => each.isTold && !isChanged(each))
    .flatMap((each) => {
      const isNear = areNear({ ties }, each);
      return (isNear ? [each] : dividedClose(each, zone)).map((part) => ({ ...part, isNear }));
    });
  for (const { isNear, ...interval } of known) {
    if (!isNear && (interval.from < from || interval.to > to)) continue;
    const [first, last] = [Math.max(from, interval.from), Math.min(to, interval.to)];
    if (first >= last) continue;
    amount += interval.rate * BigInt(last - first) * ratioAt(interval.from);
    coveredSec += last - first;
  }
  for (const each of added) {
    const [first, last] = [Math.max(from, each.from), Math.min(to, each.to)];
    if (first >= last) continue;
    amount += (each.amount / BigInt(each.to - each.from)) * BigInt(last - first) * 100n;
    coveredSec += last - first;
  }
  return { amount: coveredSec === 0 ? undefined : amount, coveredSec };
}
