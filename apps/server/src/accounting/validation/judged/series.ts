import { fields, type FieldName } from "@metrum/vocabulary";
import { dayOf, rounded, startOfDay } from "#core";
import { growth, type CounterRange } from "#metering/messages";
import { isTrusted, median, type DayUse, type Judged, type Step, type Value } from "./judged.ts";

const halfHourSec = 1800;
/** Counters read more often are judged at this distance, so that a minute is not taken for a load. */
const finestSec = 1500;
const daySec = 86_400;

/** Lengths of intervals that meters keep. */
export const intervalLengths: readonly number[] = [300, 600, 900, halfHourSec, 3600];
/** A distance that so few values have is a matter of chance. */
const leastShare = 0.05;

/**
 * Length of the intervals of a profile: the smallest distance of its values that is no matter of chance, so that holes
 * make it no longer. Half an hour if the values say none.
 */
export function intervalSec(values: readonly Pick<Value, "ts">[]): number {
  const distances = values.slice(1).map(({ ts }, at) => ts - (values[at]?.ts ?? ts));
  const isUsual = (length: number): boolean =>
    distances.filter((each) => each === length).length > distances.length * leastShare;
  return intervalLengths.find(isUsual) ?? halfHourSec;
}

/** Profile values with their register field: mean power of the intervals. */
export const profileField: FieldName = "power_a_plus";

/** States that are judged: of them no consumption is computed. */
const states: readonly FieldName[] = [
  ...(["voltage1", "voltage2", "voltage3"] as const),
  ...(["current1", "current2", "current3"] as const),
  ...(["coruu1", "coruu2"] as const),
];
export const isState = (field: FieldName): boolean => states.includes(field);

/** What a device is judged by; the rest follows from its values. */
export interface Given
  extends
    Pick<Judged, "resource" | "zone" | "now" | "field" | "span" | "ratio" | "siblings" | "known" | "rangeOf">,
    Partial<Pick<Judged, "terms" | "serial" | "rivals">> {
  /** Values by field, oldest first. */
  readonly levels: ReadonlyMap<FieldName, readonly Value[]>;
  readonly clock: Judged["clock"];
}

/** The main register of a device with its consumption. */
export function judgedRegister(given: Given): Judged {
  const levels = new Map([...given.levels].filter(([field]) => fields[field].kind === "counter"));
  const main = levels.get(given.field) ?? [];
  const states = new Map([...given.levels].filter(([field]) => isState(field)));
  const steps = stepsOf(thinned(main), given.rangeOf(given.field));
  return {
    ...given,
    terms: given.terms,
    serial: given.serial,
    levels,
    states,
    profile: given.levels.get(profileField) ?? [],
    steps,
    days: daysOf(steps, given.zone),
    everySec: everyOf(main),
    isProfile: false,
  };
}

/** The profile that the meter itself keeps; undefined without one. */
export function judgedProfile(given: Given): Judged | undefined {
  const values = given.levels.get(profileField) ?? [];
  if (values.length === 0) return undefined;
  const everySec = intervalSec(values);
  const steps = profileSteps(values, everySec);
  return {
    ...given,
    terms: given.terms,
    serial: given.serial,
    states: new Map(),
    profile: values,
    field: profileField,
    levels: new Map([[profileField, values]]),
    steps,
    days: daysOf(steps, given.zone),
    everySec,
    isProfile: true,
    clock: [],
    siblings: [],
  };
}

/** Consumption of the intervals of a profile that are trusted. */
export const profileSteps = (values: readonly Value[], lengthSec = intervalSec(values)): Step[] =>
  values
    .filter(({ status }) => isTrusted(status))
    .map((value) => ({
      from: value.ts,
      to: value.ts + lengthSec,
      amount: rounded((value.value * lengthSec) / 3600),
      perHour: value.value,
      value,
    }));

/** The values of a state as they were read, each until the next one: of a voltage there is no consumption. */
export function judgedState(given: Given, field: FieldName): Judged {
  const values = (given.levels.get(field) ?? []).filter(({ status }) => isTrusted(status));
  const steps = values.map((value, at): Step => ({
    from: value.ts,
    to: values[at + 1]?.ts ?? value.ts + 1,
    amount: value.value,
    perHour: value.value,
    value,
  }));
  return { ...judgedRegister(given), field, steps, days: [], everySec: everyOf(values) };
}

/** Usual distance of the values; one odd gap does not change it. */
function everyOf(values: readonly Value[]): number {
  const distances = values
    .slice(1)
    .map(({ ts }, at) => ts - (values[at]?.ts ?? ts))
    .filter((each) => each > 0);
  return distances.length === 0 ? daySec : Math.max(60, median(distances));
}

/**
 * Values at least 25 minutes apart. A value that the next one falls below stays, because it may be the odd one
 * out.
 */
function thinned(values: readonly Value[]): readonly Value[] {
  let last = -Infinity;
  return values.filter((value, at) => {
    const next = values[at + 1];
    const isPeak = next !== undefined && next.value < value.value;
    if (value.ts - last < finestSec && !isPeak && next !== undefined) return false;
    last = value.ts;
    return true;
  });
}

/** Differences of consecutive trusted values; none across a reset, a fall or a contradiction of one instant. */
export function stepsOf(values: readonly Value[], range: CounterRange): Step[] {
  const steps: Step[] = [];
  let before: Value | undefined;
  for (const value of values) {
    if (!isTrusted(value.status)) continue;
    const last = before;
    if (last?.ts === value.ts) continue;
    before = value;
    const amount = last && growth(last, value, range);
    if (!last || amount === null || amount === undefined) continue;
    const hours = (value.ts - last.ts) / 3600;
    steps.push({ from: last.ts, to: value.ts, amount, perHour: amount / hours, value });
  }
  return steps;
}

/**
 * Consumption by day. A step over midnight is divided by time: read a little before one midnight and a little after
 * the next, a day would seem to have two. One across more than a day belongs to none.
 */
export function daysOf(steps: readonly Step[], zone: string): DayUse[] {
  const days: { day: number; from: number; to: number; amount: number; coveredSec: number }[] = [];
  const add = (day: number, step: Step): void => {
    let last = days.at(-1);
    if (last?.day !== day) {
      last = { day, from: startOfDay(zone, day), to: startOfDay(zone, day + 1), amount: 0, coveredSec: 0 };
      days.push(last);
    }
    const inside = Math.min(step.to, last.to) - Math.max(step.from, last.from);
    last.amount +=
      inside === step.to - step.from ? step.amount : (step.amount * inside) / (step.to - step.from);
    last.coveredSec += inside;
  };
  for (const step of steps) {
    if (step.to - step.from > daySec * 1.1) continue;
    const lastDay = dayOf(zone, step.to - 1);
    for (let day = dayOf(zone, step.from); day <= lastDay; day++) add(day, step);
  }
  return days;
}
