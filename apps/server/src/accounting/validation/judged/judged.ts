import { statuses, type FieldName, type ResourceKey } from "@metrum/vocabulary";
import { dayOf, startOfDay } from "#core";
import type { CounterRange } from "#metering/messages";

/** A stored value of a counter, or of an interval that begins at `ts`. */
export interface Value {
  readonly ts: number;
  readonly msgType: number;
  readonly field: FieldName;
  readonly value: number;
  readonly status: number;
  readonly source: number;
  readonly receivedAt: number;
  /** The meter's own stamp. */
  readonly meterAt: number | null;
  /** Why and how it was estimated, if validation has written it. */
  readonly method?: string;
}

/** A value of an instant that does not stand: of another source, or of a person and not confirmed. */
export interface Rival extends Value {
  /** It was never stored as the value of its time. */
  readonly isRefused: boolean;
}

/** Consumption between two instants, and the value that a doubt about it concerns. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly perHour: number;
  readonly value: Value;
}

/** Consumption of a calendar day of the zone, by the steps that lie in it. */
export interface DayUse {
  readonly day: number;
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly coveredSec: number;
}

/** Epoch seconds; the end is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The time in which a term of a point holds, the end exclusive; null: still. */
export interface Dated {
  readonly from: number;
  readonly to: number | null;
}

/** Terms of the points that the main register measures, by time. */
export interface Terms {
  /** When the register measures a point. */
  readonly measured: readonly Dated[];
  readonly contractPower: readonly (Dated & { readonly kw: number })[];
  /** When a consumer or a supplier is tied to the point. */
  readonly parties: readonly Dated[];
  /** The company ties consumers to its points at all. */
  readonly hasParties: boolean;
  /** Null: it changes within the span. */
  readonly ratioOver: (span: { readonly from: number; readonly to: number }) => number | null;
}

/** The serial number that a meter has named of itself without another in between, and the registered one. */
export interface NamedSerial {
  readonly named: string;
  readonly registered: string;
  readonly since: number;
  readonly lastAt: number;
}

/** The term that holds in all of a span. */
export const termAt = <Term extends Dated>(terms: readonly Term[], { from, to }: Span): Term | undefined =>
  terms.find((term) => term.from <= from && (term.to ?? Infinity) >= to);

/** Everything that rules may look at: values of one device and its main register, with their history. */
export interface Judged {
  readonly resource: ResourceKey;
  readonly zone: string;
  readonly now: number;
  /** Values of intervals (a profile of the meter) instead of readings of counters. */
  readonly isProfile: boolean;
  /** The main register: its consumption is judged. */
  readonly field: FieldName;
  /** The span that has changed; the values reach further back. */
  readonly span: { readonly from: number; readonly to: number };
  /** Values of the counters by field, oldest first; rows that the platform derived are left out. */
  readonly levels: ReadonlyMap<FieldName, readonly Value[]>;
  /** Voltages, currents and angles by field, oldest first. */
  readonly states: ReadonlyMap<FieldName, readonly Value[]>;
  /** Power by interval that the meter itself keeps, oldest first. */
  readonly profile: readonly Value[];
  /** Undefined: the main register measures no point. */
  readonly terms: Terms | undefined;
  /** Undefined: the meter has named none. */
  readonly serial: NamedSerial | undefined;
  /** Values of the span that do not stand. */
  readonly rivals?: readonly Rival[];
  /** Trusted consumption of the main register, oldest first. */
  readonly steps: readonly Step[];
  readonly days: readonly DayUse[];
  /** Usual distance between two values of the main register, in seconds. */
  readonly everySec: number;
  /** Difference of the clock of the meter to ours, in seconds, oldest first. */
  readonly clock: readonly { readonly ts: number; readonly offset: number }[];
  /** Ratio of the transformers that consumption is multiplied by. */
  readonly ratio: number;
  /** Daily consumption of comparable devices at the same place, by device and day. */
  readonly siblings: readonly ReadonlyMap<number, number>[];
  readonly rangeOf: (field: FieldName) => CounterRange;
  /** Instants of known replacements, resets and rollovers. */
  readonly known: readonly number[];
}

/** Values and units that words are made of; names that end with `_at` are instants. */
export type Evidence = Readonly<Record<string, number | string>>;

/** What a rule has found: values from..to, both inclusive. */
export interface Finding {
  readonly field: FieldName;
  readonly msgType: number;
  readonly from: number;
  readonly to: number;
  readonly values: number;
  /** Code of the words of the kind. */
  readonly code: string;
  readonly evidence: Evidence;
}

export type Numbers = Readonly<Record<string, number>>;

export const isTrusted = (status: number): boolean =>
  status !== statuses.suspect.id && status !== statuses.rejected.id;

/** A person has confirmed or entered it. */
export const isConfirmed = (status: number): boolean =>
  status === statuses.corrected.id || status === statuses.manual.id;

export const isEstimated = (status: number): boolean => status === statuses.estimated.id;

/** How far before the changed span a finding that reaches into it may begin. */
const reachSec = 31 * 86_400;

/** Steps that a rule judges now; the ones before are history. */
export const judgedSteps = ({ steps, span }: Judged): readonly Step[] =>
  steps.filter(({ to, from }) => to >= span.from - reachSec && from <= span.to);

/** Complete days that a rule judges now. */
export const judgedDays = ({ days, span }: Judged): readonly DayUse[] =>
  days.filter((each) => each.to >= span.from - reachSec && each.from <= span.to && isComplete(each));

/** Typed arrays are sorted by value, without a call a comparison: a tenth of the time. */
const ascending = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** The value that this share of all is not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = ascending(values);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

const daySec = 86_400;
const leastHistory = { steps: 12, days: 7 };

/**
 * The usual maximum of the consumption per hour before a day: the value that 99 of 100 steps of the history
 * stay below, so that one wrong value does not raise it. Undefined without a week of history: a new meter has
 * no usual yet. Computed once a day.
 */
export function usualMaximum({ steps, zone }: Judged, days: number): (at: number) => number | undefined {
  const known = new Map<number, number | undefined>();
  return (at) => {
    const day = dayOf(zone, at);
    if (known.has(day)) return known.get(day);
    const until = startOfDay(zone, day);
    const before = between(steps, until - days * daySec, until);
    const first = before[0];
    const isEnough =
      before.length >= leastHistory.steps &&
      first !== undefined &&
      until - first.from >= leastHistory.days * daySec;
    const usual = isEnough
      ? quantile(
          before.map(({ perHour }) => perHour),
          before.length < 100 ? 1 - 1 / before.length : 0.99,
        )
      : undefined;
    known.set(day, usual);
    return usual;
  };
}

/** Steps that lie within these instants; a binary search, because it runs once a day of the span. */
function between(steps: readonly Step[], from: number, to: number): readonly Step[] {
  const start = firstFrom(steps, from);
  return steps.slice(start, firstFrom(steps, to)).filter((step) => step.to <= to);
}

function firstFrom(steps: readonly Step[], at: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.from ?? Infinity) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Complete days: nearly all of their time is covered. */
export const isComplete = ({ from, to, coveredSec }: DayUse): boolean => coveredSec >= (to - from) * 0.95;

/** Complete days before this one, at most so many back. */
export function daysBefore(days: readonly DayUse[], at: number, most: number): readonly DayUse[] {
  const last = days[at]?.day ?? 0;
  let first = at;
  while (first > 0 && last - (days[first - 1]?.day ?? 0) <= most) first -= 1;
  return days.slice(first, at).filter(isComplete);
}

/** Runs of adjacent items for which the test holds. */
export function runsOf<Item>(
  items: readonly Item[],
  holds: (item: Item, at: number) => boolean,
): (readonly Item[])[] {
  const runs: Item[][] = [];
  let open: Item[] | undefined;
  items.forEach((item, at) => {
    if (!holds(item, at)) open = undefined;
    else if (open) open.push(item);
    else runs.push((open = [item]));
  });
  return runs;
}

/** Beyond a bound by more than the noise of binary fractions; at the bound it is not. */
export const exceeds = (value: number, bound: number): boolean =>
  value - bound > 1e-10 * Math.max(1, Math.abs(value), Math.abs(bound));

export const tenth = (value: number): number => Math.round(value * 10) / 10;
