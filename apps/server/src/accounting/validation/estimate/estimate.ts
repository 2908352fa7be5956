import type { EstimationMethod } from "@metrum/contract/accounting";
import { grown } from "#metering/messages";
import { dayOf, difference, offsetSec, rounded, roundedTo, startOfDay, sum } from "#core";
import type { Judged, Step } from "../judged/index.ts";
import { digitsOf, type Frame, type Slot } from "./slots.ts";

const daySec = 86_400;
const hourSec = 3600;

/** Estimated values with what people are told about them. */
export interface Proposal {
  readonly method: EstimationMethod;
  readonly values: readonly {
    readonly msgTypes: readonly number[];
    readonly ts: number;
    readonly value: number;
  }[];
  /** Consumption by slot, for the chart. */
  readonly amounts: readonly { readonly at: number; readonly amount: number }[];
  readonly total: number;
  /** Days whose same hours were averaged. */
  readonly days: readonly number[];
  readonly fittedTo: Frame["fittedTo"];
}

/** What estimates are made of beside the device itself. */
export interface Sources {
  readonly judged: Judged;
  readonly frame: Frame;
  /** Consumption of the device a year ago, and of comparable devices now. */
  readonly lastYear: readonly Step[];
  readonly group: readonly (readonly Step[])[];
}

/** Expected consumption of a slot; undefined where the method knows nothing. */
type Expect = (slot: Pick<Slot, "from" | "to">) => number | undefined;

/** A step beyond a day says nothing about the times of the day. */
const longestSec = daySec * 1.1;

/** Consumption between two instants, of the steps that cover the whole time. */
function drawn(steps: readonly Step[], { from, to }: Pick<Slot, "from" | "to">): number | undefined {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.to ?? Infinity) <= from) low = middle + 1;
    else high = middle;
  }
  let [sum, known] = [0, from];
  for (let at = low; known < to; at++) {
    const step = steps[at];
    if (!step || step.from > known || step.to - step.from > longestSec) return undefined;
    const until = Math.min(step.to, to);
    sum += (step.perHour * (until - known)) / hourSec;
    known = until;
  }
  return sum;
}

/** Offsets change at whole quarters of an hour, so a part between two of them has one. */
const quarterSec = 900;

/**
 * Consumption at the same times of the clock some days earlier, part by part, so that a day of 23 or 25 hours is
 * compared with the hours that it has. `isExact`: the clock showed all of these times on that day; in place of an
 * hour that it skipped stands the one before.
 */
function drawnEarlier(
  steps: readonly Step[],
  { from, to }: Pick<Slot, "from" | "to">,
  { zone, days }: { readonly zone: string; readonly days: number },
): { readonly amount: number; readonly isExact: boolean } | undefined {
  let [amount, isExact] = [0, true];
  for (let at = from; at < to;) {
    const until = Math.min(to, (Math.floor(at / quarterSec) + 1) * quarterSec);
    const start = earlier(zone, at, days);
    const part = drawn(steps, { from: start, to: start + until - at });
    if (part === undefined) return undefined;
    amount += part;
    isExact &&= clockAt(zone, start) === clockAt(zone, at) - days * daySec;
    at = until;
  }
  return { amount, isExact };
}

const clockAt = (zone: string, at: number): number => at + offsetSec(zone, at);

/** The same time of the clock some days earlier, also across a change of the clocks. */
function earlier(zone: string, at: number, days: number): number {
  const shown = clockAt(zone, at) - days * daySec;
  const start = shown - offsetSec(zone, at - days * daySec);
  return clockAt(zone, start) === shown ? start : shown - offsetSec(zone, start);
}

const weeks = [1, 2, 3, 4, 5, 6];
const usedWeeks = 3;

/** Weeks, the nearest first, of which every slot is known and none is doubtful. */
function knownWeeks({ judged: { steps, zone }, frame }: Sources): number[] {
  return weeks
    .filter((week) =>
      frame.slots.every((slot) => drawnEarlier(steps, slot, { zone, days: 7 * week }) !== undefined),
    )
    .slice(0, usedWeeks);
}

/** The average of the same times of some weeks, of those whose clock showed them if there are any. */
function averageOf(
  { steps, zone }: Judged,
  known: readonly number[],
  slot: Pick<Slot, "from" | "to">,
): number {
  const all = known.flatMap((week) => drawnEarlier(steps, slot, { zone, days: 7 * week }) ?? []);
  const exact = all.filter(({ isExact }) => isExact);
  const used = exact.length > 0 ? exact : all;
  return used.reduce((sum, { amount }) => sum + amount, 0) / used.length;
}

function expectation(method: EstimationMethod, sources: Sources): Expect | undefined {
  const { judged, frame, lastYear, group } = sources;
  switch (method) {
    case "interpolation":
      return judged.isProfile ? betweenNeighbours(sources) : ({ from, to }) => to - from;
    case "given":
    case "same_day_type": {
      const known = knownWeeks(sources);
      if (known.length === 0) return method === "given" ? ({ from, to }) => to - from : undefined;
      return (slot) => averageOf(judged, known, slot);
    }
    case "last_year": {
      const expect: Expect = (slot) => drawnEarlier(lastYear, slot, { zone: judged.zone, days: 364 })?.amount;
      return frame.slots.every((slot) => expect(slot) !== undefined) ? expect : undefined;
    }
    case "profile": {
      const whole = group.filter((steps) => frame.slots.every((slot) => drawn(steps, slot) !== undefined));
      if (whole.length === 0) return undefined;
      return (slot) => whole.reduce((sum, steps) => sum + (drawn(steps, slot) ?? 0), 0);
    }
  }
}

/** A line between the half-hours before and after. */
function betweenNeighbours({ judged: { steps }, frame: { slots } }: Sources): Expect | undefined {
  const [first, last] = [slots[0], slots.at(-1)];
  const before = steps.findLast(({ to }) => to <= (first?.from ?? 0));
  const after = steps.find(({ from }) => from >= (last?.to ?? Infinity));
  if (!before || !after) return undefined;
  return ({ from, to }) => {
    const share = ((from + to) / 2 - before.to) / Math.max(1, after.from - before.to);
    return ((before.perHour + (after.perHour - before.perHour) * share) * (to - from)) / hourSec;
  };
}

/**
 * Estimates of all slots by one method, fitted to what is known around them, so that sums are exact. Undefined
 * when the method has no base.
 */
export function estimateBy(method: EstimationMethod, sources: Sources, given?: number): Proposal | undefined {
  const { judged, frame } = sources;
  if (method === "given" && given === undefined) return undefined;
  const expect = expectation(method, sources);
  if (!expect) return undefined;
  const needsTotal = method === "profile" || (method === "interpolation" && !judged.isProfile);
  if (needsTotal && frame.total === undefined) return undefined;
  const expected = frame.slots.map(expect);
  if (expected.some((each) => each === undefined)) return undefined;
  const rest = restOf(sources, expect);
  const amounts = scaled(expected as number[], rest, method === "given" ? { ...frame, given } : frame);
  if (!amounts) return undefined;
  const days = method === "same_day_type" ? weeksAsDays(sources) : [];
  return {
    method,
    ...valuesOf(sources, amounts),
    days,
    fittedTo: method === "given" ? undefined : frame.fittedTo,
  };
}

const weeksAsDays = (sources: Sources): number[] => {
  const [first] = sources.frame.slots;
  if (!first) return [];
  const { zone } = sources.judged;
  return knownWeeks(sources)
    .map((week) => startOfDay(zone, dayOf(zone, earlier(zone, first.from, 7 * week))))
    .toReversed();
};

/** Expected consumption between the last slot and the next known value: part of what the total covers. */
function restOf({ judged, frame }: Sources, expect: Expect): number {
  const last = frame.slots.at(-1);
  if (judged.isProfile || !last || !frame.after) return 0;
  return expect({ from: last.to, to: frame.after.ts }) ?? (frame.total ?? 0) / (frame.slots.length + 1);
}

/** Consumption by slot: shares of what is known, else as expected. */
function scaled(
  expected: readonly number[],
  rest: number,
  { total, given }: Pick<Frame, "total"> & { readonly given?: number | undefined },
): number[] | undefined {
  const sum = expected.reduce((all, each) => all + each, 0);
  if (given !== undefined) {
    if (total !== undefined && given > total + 1e-6) return undefined;
    return shares(expected, sum, given);
  }
  if (total === undefined) return [...expected];
  const whole = sum + rest;
  return shares(
    expected,
    sum,
    whole > 0 ? (total * sum) / whole : (total * expected.length) / (expected.length + 1),
  );
}

const shares = (expected: readonly number[], sum: number, total: number): number[] =>
  expected.map((each) => (sum > 0 ? (each / sum) * total : total / expected.length));

/** Values as they are stored, rounded to the digits of the field; what rounding leaves goes to the last one. */
function valuesOf({ judged, frame }: Sources, amounts: readonly number[]) {
  const digits = digitsOf(judged.field);
  const round = (value: number): number => roundedTo(value, digits);
  if (!judged.isProfile) return counterValues({ judged, frame }, amounts, round);
  const hours = judged.everySec / hourSec;
  const powers = amounts.map((amount) => round(amount / hours));
  if (frame.total !== undefined && powers.length > 0) {
    const others = sum(powers.slice(0, -1));
    powers[powers.length - 1] = Math.max(0, difference(rounded(frame.total / hours), others));
  }
  return {
    values: frame.slots.map((slot, at) => ({ msgTypes: slot.msgTypes, ts: slot.ts, value: powers[at] ?? 0 })),
    amounts: frame.slots.map((slot, at) => ({ at: slot.from, amount: rounded((powers[at] ?? 0) * hours) })),
    total: rounded(sum(powers) * hours),
  };
}

/** Levels of the counter: they end at the known value after them, so the sum over them is exact by itself. */
function counterValues(
  { judged, frame }: Pick<Sources, "judged" | "frame">,
  amounts: readonly number[],
  round: (value: number) => number,
) {
  const range = judged.rangeOf(judged.field);
  const start = frame.before?.value ?? 0;
  let [whole, last] = [0, 0];
  const rows = frame.slots.map((slot, at) => {
    whole += amounts[at] ?? 0;
    const counted = Math.min(round(whole), frame.total ?? Infinity);
    const amount = difference(counted, last);
    last = counted;
    return { slot, value: grown(start, counted, range), amount };
  });
  return {
    values: rows.map(({ slot, value }) => ({ msgTypes: slot.msgTypes, ts: slot.ts, value })),
    amounts: rows.map(({ slot, amount }) => ({ at: slot.from, amount })),
    total: rounded(last),
  };
}

const shortSec = 2 * hourSec;

/** The methods by preference: a short hole is a line, a longer one looks like the days before. */
export function preferred({ frame }: Sources): readonly EstimationMethod[] {
  const [first, last] = [frame.slots[0], frame.slots.at(-1)];
  const isShort = first && last && last.to - first.from <= shortSec;
  return isShort
    ? ["interpolation", "same_day_type", "profile", "last_year"]
    : ["same_day_type", "profile", "last_year", "interpolation"];
}

/** The first method that has a base. */
export function propose(sources: Sources): Proposal | undefined {
  for (const method of preferred(sources)) {
    const proposal = estimateBy(method, sources);
    if (proposal) return proposal;
  }
  return undefined;
}
