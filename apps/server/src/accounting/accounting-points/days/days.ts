import { dividedGapDays } from "@metrum/contract/access";
import { fields, isFieldName, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { dayOf, dayText, numberOf, plus, startOfDay, textOf, type Day, type Decimal } from "#core";
import { worstStatus, type CounterReading, type CounterReadings, type ExactRange } from "#metering/messages";
import { dayFlags } from "../records/index.ts";
import { addedTo, type AddedAmount, type AddedPart } from "./added.ts";
import { nodesOfTie, stepsOf, type Register } from "./chain.ts";
import { nodesOf, type Node } from "./nodes.ts";
import { piecesOf, type Piece, type Unknown } from "./pieces.ts";
import { ratioAt, ratiosFor, type RatioStep } from "./ratios.ts";
import type { Tie, TimeSpan } from "./tieStore.ts";
import { firstNotBefore, nearest } from "./usual.ts";

/** A row of `point_day`. */
export interface DayRow {
  readonly field: string;
  readonly day: string;
  readonly amount: string | null;
  readonly gap_amount: string | null;
  readonly gap_from: number | null;
  readonly gap_day: string | null;
  readonly gap_sec: number | null;
  readonly gap_estimated: string;
  readonly estimated: string;
  /** Seconds of the day in which consumption is expected, see `unmeteredSec`. */
  readonly length_sec: number;
  readonly known_sec: number;
  readonly start_value: number | null;
  readonly end_value: number | null;
  readonly ratio: string;
  readonly status: number | null;
  readonly flags: number;
}

/** A recognised reset or rollover of a device's counter: the first value after it. */
export interface Recognised {
  readonly ts: number;
  readonly kind: "reset" | "rollover";
  readonly device_id: DeviceId;
  readonly field: FieldName;
  readonly before: number;
  readonly after: number;
}

/** What the days of a point follow from. */
export interface Sources {
  readonly zone: string;
  /** By time. */
  readonly ties: readonly Tie[];
  readonly ratios: readonly RatioStep[];
  readonly added: readonly AddedAmount[];
  readonly readings: ReadonlyMap<DeviceId, CounterReadings>;
  readonly rangeOf: (deviceId: DeviceId, field: FieldName) => ExactRange;
  /** Gaps that begin on this day or later are divided evenly at ends of months; null: none are. */
  readonly dividesFrom?: Day | null;
  /** Nodes of the readings of a register, which a computation asks for several times. */
  readonly remembered?: WeakMap<readonly CounterReading[], readonly Node[]>;
  /** Spans whose readings were read, both inclusive, by time. */
  readonly read: readonly { readonly from: number; readonly to: number }[];
}

/** The main register of a point in its days. */
export const mainRegister = "main";

const isRegister = (name: string): boolean => isFieldName(name) && fields[name].tariff !== undefined;

/** Names of the other registers of a point: of its electricity meters, all counters but the main one. */
export function otherRegisters({ ties, readings }: Pick<Sources, "ties" | "readings">): string[] {
  const names = new Set<string>();
  for (const { deviceId, field, opening, closing } of ties) {
    if (field !== "tariff0") continue;
    const known = [
      ...(readings.get(deviceId)?.keys() ?? []),
      ...Object.keys(opening),
      ...Object.keys(closing),
    ];
    for (const name of known) if (name !== field && isRegister(name)) names.add(name);
  }
  return [...names].sort();
}

/**
 * Rows of one register for these days, in order, and the resets and rollovers in them. A day has a row if a value
 * of the register lies in it or anything of its consumption is known.
 */
export function daysOf(
  sources: Sources,
  field: string,
  days: readonly Day[],
): { readonly rows: readonly DayRow[]; readonly recognised: readonly Recognised[] } {
  const all = knownOf(sources, field);
  const rows = days.flatMap((day) => dayRow(sources, { field, day, registers: all }) ?? []);
  const isOurs = ({ ts }: Recognised): boolean => days.includes(dayOf(sources.zone, ts - 1));
  return { rows, recognised: all.flatMap(({ recognised }) => recognised).filter(isOurs) };
}

/** Beginnings of months at which a gap is divided. */
function dividedAt(zone: string, since: Day | null, { from, to }: TimeSpan): number[] {
  const [first, last] = [dayOf(zone, from), dayOf(zone, to)];
  if (since === null || first < since || last - first > dividedGapDays) return [];
  const days = Array.from({ length: last - first }, (_, n) => first + 1 + n);
  return days
    .filter((day) => dayText(day).endsWith("-01"))
    .map((day) => startOfDay(zone, day))
    .filter((ts) => ts > from && ts < to);
}

/** A register of a point in each tie that has it. */
export function registersOf(sources: Omit<Sources, "added">, field: string): Register[] {
  const { ties, ratios, rangeOf, read, zone, dividesFrom = null } = sources;
  const monthEnds = (gap: TimeSpan): number[] => dividedAt(zone, dividesFrom, gap);
  return ties.flatMap((tie) => {
    const name = counterOf(tie, field);
    if (name === undefined) return [];
    const range = rangeOf(tie.deviceId, name);
    const nodes = nodesOfRegister(sources, tie, field);
    const isRead = (ts: number): boolean => read.some(({ from, to }) => ts >= from && ts <= to);
    const start = (ts: number): number => startOfDay(zone, dayOf(zone, ts));
    const end = (ts: number): number => startOfDay(zone, dayOf(zone, ts) + 1);
    const own = ratiosFor(ratios, name);
    return [
      { tie, field: name, range, nodes, ratios: own, isRead, startOfDay: start, endOfDay: end, monthEnds },
    ];
  });
}

/** The counter of a device that is a register of a point. */
const counterOf = (tie: Tie, register: string): FieldName | undefined =>
  register === mainRegister
    ? tie.field
    : tie.field === "tariff0" && isFieldName(register)
      ? register
      : undefined;

/** Trusted values of the counter that is a register of a point, also around the tie. */
export function nodesOfRegister(
  { readings, rangeOf, remembered }: Pick<Sources, "readings" | "rangeOf" | "remembered">,
  tie: Tie,
  register: string,
): readonly Node[] {
  const name = counterOf(tie, register);
  if (name === undefined) return [];
  const own = readings.get(tie.deviceId)?.get(name) ?? [];
  const known = remembered?.get(own);
  if (known) return known;
  const nodes = nodesOf(own, rangeOf(tie.deviceId, name));
  remembered?.set(own, nodes);
  return nodes;
}

/** What is known of a register in its tie. */
export interface Known {
  readonly tie: Tie;
  readonly field: FieldName;
  readonly nodes: readonly Node[];
  /** By time, as `unknown`, which is no consumption. */
  readonly pieces: readonly Piece[];
  readonly unknown: readonly Unknown[];
  readonly recognised: readonly Recognised[];
  /** Ends of steps that are believed by the usual load. */
  readonly much: readonly number[];
}

/** The same of each tie of a point, for one of its registers. */
export const knownOf = (sources: Sources, field: string): Known[] =>
  registersOf(sources, field).map((register) => knownOfTie(sources, register));

function knownOfTie({ zone, read }: Sources, register: Register): Known {
  const { tie, field } = register;
  const steps = stepsOf(register);
  const midnights = midnightsOf(zone, read);
  const recognised = steps.flatMap(({ last, next, by, hasRolledOver }): Recognised[] => {
    if (by !== null && !hasRolledOver) return [];
    const values = { before: numberOf(last.value), after: numberOf(next.value) };
    return [
      { ts: next.ts, kind: by === null ? "reset" : "rollover", device_id: tie.deviceId, field, ...values },
    ];
  });
  // A closing reading at midnight belongs to the day before.
  const isPast = (ts: number): boolean => ts === tie.to && register.startOfDay(ts) === ts;
  const divided = steps.map((step) => piecesOf(register, step, midnights));
  const pieces = divided.flatMap((each) => each.pieces);
  // The register at a midnight from which a gap goes on is a value of the day that begins then.
  const begun = pieces.flatMap(({ isGap, from }) =>
    isGap && from.origin.kind === "interpolated" ? [from] : [],
  );
  return {
    tie,
    field,
    nodes: [...nodesOfTie(register).filter(({ ts }) => !isPast(ts)), ...begun].sort((a, b) => a.ts - b.ts),
    pieces,
    unknown: divided.flatMap(({ unknown }) => unknown),
    recognised,
    much: steps.filter(({ isMuch }) => isMuch).map(({ next }) => next.ts),
  };
}

/** Midnights within and between the spans that were read: those of a gap between two spans need not all be known. */
function midnightsOf(zone: string, read: Sources["read"]): number[] {
  const midnights = new Set<number>();
  for (const { from, to } of read)
    for (let day = dayOf(zone, from); day <= dayOf(zone, to) + 1; day++) midnights.add(startOfDay(zone, day));
  return [...midnights].sort((a, b) => a - b);
}

interface DayOf {
  readonly field: string;
  readonly day: Day;
  readonly registers: readonly Known[];
}

function dayRow(sources: Sources, { field, day, registers }: DayOf): DayRow | undefined {
  const { zone, added, ties } = sources;
  const [start, end] = [startOfDay(zone, day), startOfDay(zone, day + 1)];
  const ratios = ratiosUntil(sources, field, end);
  const isEnd = (ts: number): boolean => ts > start && ts <= end;
  const pieces = registers.flatMap(({ pieces: all }) => all.filter(({ to }) => isEnd(to.ts)));
  const within = pieces.filter(({ isGap }) => !isGap);
  const gap = pieces.find(({ isGap }) => isGap);
  const own = addedTo(added, { field, start, end });
  const found = registers.flatMap(({ recognised }) => recognised).filter(({ ts }) => isEnd(ts));
  const nodes = registers.flatMap(({ nodes: all }) => nodesIn(all, start, end));
  if (pieces.length + own.length + found.length + nodes.length === 0) return undefined;
  const estimated = [
    ...own.map(({ amount }) => amount),
    ...amountsOf(within.filter((piece) => piece.isEstimated)),
  ];
  const amounts = [...amountsOf(within), ...own.map(({ amount }) => amount)];
  const unmetered = unmeteredSec(ties, own, { start, end });
  const statuses = [...pieces.flatMap((piece) => piece.statuses), ...own.map(({ status }) => status)];
  return {
    field,
    day: dayText(day),
    amount: amounts.length === 0 ? null : sum(amounts),
    ...gapOf(zone, gap),
    estimated: sum(estimated),
    length_sec: end - start - unmetered,
    known_sec: covered([...within.map(({ from, to }) => ({ from: from.ts, to: to.ts })), ...own]),
    ...edges(pieces, nodes),
    ratio: textOf(ratioAt(ratios, end - 1)),
    status: worstStatus(statuses) ?? null,
    flags:
      (isReplaced(ties, start, end) ? dayFlags.replaced : 0) |
      (ratios.some(({ from, isChange }) => isChange && from >= start && from < end) ? dayFlags.ratio : 0) |
      (found.some(({ kind }) => kind === "rollover") ? dayFlags.rollover : 0) |
      (found.some(({ kind }) => kind === "reset") ? dayFlags.reset : 0) |
      (pieces.some((piece) => isAcross(piece, hour)) ? dayFlags.interpolated : 0) |
      (pieces.some((piece) => isAcross(piece, nearest)) ? dayFlags.rare : 0) |
      (unmetered > 0 ? dayFlags.unmetered : 0) |
      (pieces.some(({ isDivided }) => isDivided) ? dayFlags.divided : 0) |
      (registers.some(({ much }) => much.some(isEnd)) ? dayFlags.much : 0),
  };
}

/** The ratios of the counter that was the register last before an instant. */
function ratiosUntil({ ties, ratios }: Sources, field: string, end: number): readonly RatioStep[] {
  const tie = ties.findLast(({ from }) => from < end) ?? ties[0];
  const name = tie && counterOf(tie, field);
  return name === undefined ? ratios : ratiosFor(ratios, name);
}

const noGap = { gap_amount: null, gap_from: null, gap_day: null, gap_sec: null, gap_estimated: "0" };

function gapOf(zone: string, gap: Piece | undefined): Pick<DayRow, keyof typeof noGap> {
  if (!gap) return noGap;
  const amount = textOf(gap.amount);
  return {
    gap_amount: amount,
    gap_from: gap.from.ts,
    gap_day: dayText(dayOf(zone, gap.from.ts)),
    gap_sec: gap.to.ts - gap.from.ts,
    gap_estimated: gap.isEstimated ? amount : "0",
  };
}

const amountsOf = (pieces: readonly Piece[]): Decimal[] => pieces.map(({ amount }) => amount);
const sum = (amounts: readonly Decimal[]): string => textOf(amounts.reduce(plus, { units: 0n, scale: 0 }));

/** Values of a register in a day, its end excluded. */
function nodesIn(nodes: readonly Node[], start: number, end: number): readonly Node[] {
  return nodes.slice(firstNotBefore(nodes, start), firstNotBefore(nodes, end));
}

/** Seconds of spans that may overlap. */
function covered(spans: readonly { readonly from: number; readonly to: number }[]): number {
  let [seconds, until] = [0, -Infinity];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    seconds += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return seconds;
}

/**
 * Seconds of a day between the meter that left and the one that came, less those that an added amount counts: nothing
 * measured then, so no reading is missing. Before the first meter and after the last one everything is.
 */
function unmeteredSec(
  ties: readonly Tie[],
  own: readonly AddedPart[],
  { start, end }: { readonly start: number; readonly end: number },
): number {
  const spans = ties.slice(1).flatMap((tie, at) => {
    const from = Math.max(ties[at]?.to ?? tie.from, start);
    const to = Math.min(tie.from, end);
    return from < to ? [{ from, to }] : [];
  });
  return covered([...spans, ...own]) - covered(own);
}

/** The first and the last known register of a day. */
function edges(pieces: readonly Piece[], nodes: readonly Node[]): Pick<DayRow, "start_value" | "end_value"> {
  const starts = [...pieces.filter(({ isGap }) => !isGap).map(({ from }) => from), ...nodes];
  const ends = [...nodes, ...pieces.map(({ to }) => to)];
  const first = starts.reduce<Node | undefined>((a, b) => (a && a.ts <= b.ts ? a : b), undefined);
  const last = ends.reduce<Node | undefined>((a, b) => (a && a.ts > b.ts ? a : b), undefined);
  return { start_value: first ? numberOf(first.value) : null, end_value: last ? numberOf(last.value) : null };
}

/** Another device than before began to measure the point. */
function isReplaced(ties: readonly Tie[], start: number, end: number): boolean {
  return ties.some(
    (tie, at) =>
      tie.from >= start && tie.from < end && (ties[at - 1]?.deviceId ?? tie.deviceId) !== tie.deviceId,
  );
}

const hour = 3600;
const isAcross = ({ from, to }: Piece, sec: number): boolean => from.acrossSec > sec || to.acrossSec > sec;
