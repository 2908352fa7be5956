import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { startOfDay, type Day, type Services } from "#core";
import {
  counterReadings,
  forever,
  type CounterReading,
  type CounterReadings,
  type DeviceSpan,
  type SamplesOf,
} from "#metering/messages";
import {
  exactRange,
  farReach,
  mainRegister,
  nearest,
  otherRegisters,
  stepsOfTerms,
  termsQuery,
  tiesQuery,
  type Sources,
  type Tie,
} from "../days/index.ts";
import { neighboursOf, pointRecord, valuedDay, type Neighbours, type PointRecord } from "./totalsStore.ts";
import { daysBeside, type Reader } from "./besideGaps.ts";
import { isWindowKnown } from "./known.ts";

/** Readings this far outside the days decide about their values: those to interpolate, and those around them. */
const margin = 2 * nearest;
/** The same where a register is read rarely: farther values tell how far apart they usually are. */
const farMargin = farReach + margin;

export interface Window {
  readonly pointId: AccountingPointId;
  readonly zone: string;
  /** Both inclusive. */
  readonly from: Day;
  readonly to: Day;
  /** Days after it are still to be computed: what is stored of them tells nothing. */
  readonly isFollowed?: boolean;
}

/** What is stored of a point, with its ties, ratios and counters, for some of its days. */
export interface History extends PointRecord, Pick<Sources, "ties" | "ratios" | "remembered"> {
  readonly rangesOf: (samplesOf: SamplesOf) => Sources["rangeOf"];
}

/**
 * What holds of a point at any time; undefined if it was deleted. Rows: its ties and changes of ratio, some dozen in
 * its life.
 */
export async function historyOf(
  services: Services,
  client: pg.ClientBase,
  pointId: AccountingPointId,
): Promise<History | undefined> {
  const record = await pointRecord(client, pointId);
  if (!record) return undefined;
  const { system } = services.database;
  const [tieSql, termSql] = [
    tiesQuery([pointId], { from: 0, to: forever }).compile(system),
    termsQuery([pointId]).compile(system),
  ];
  const { rows: ties } = await client.query<Tie>({
    name: "points-ties",
    text: tieSql.sql,
    values: [...tieSql.parameters],
  });
  const terms = await client.query({
    name: "points-terms",
    text: termSql.sql,
    values: [...termSql.parameters],
  });
  const devices = await services.parts.readingStore.metadata.of(
    new Set(ties.map(({ deviceId }) => deviceId)),
  );
  const rangesOf: History["rangesOf"] = (samplesOf) => (deviceId, field) =>
    exactRange(devices.get(deviceId), field, samplesOf);
  return {
    ...record,
    ties,
    ratios: stepsOfTerms([pointId], terms.rows).get(pointId) ?? [],
    rangesOf,
    remembered: new WeakMap(),
  };
}

/** Sources of the days of a window, and of the days around it that share a gap with it. */
export interface WindowSources {
  readonly sources: Sources;
  readonly registers: readonly BesideWindow[];
}

/** A register with the days around a window that are computed with it. */
export interface BesideWindow extends Neighbours {
  readonly beside: readonly Day[];
}

export interface Asked {
  readonly window: Window;
  readonly history: History;
  /** For the usual loads before decreases that may be rollovers. */
  readonly samplesOf: SamplesOf;
}

interface Read {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads what the days of a window follow from: readings of the window and half a day around it; of nine days around
 * where a register is read rarely; and of the nearest days with a value where a gap goes over an edge of the window.
 * Rows: those of these days.
 */
export async function sourcesOf(
  services: Services,
  client: pg.ClientBase,
  { window, history, samplesOf }: Asked,
): Promise<WindowSources> {
  const { pointId, zone, from, to } = window;
  const { ties, stored } = history;
  const ofDays = (first: Day, last: Day, by = margin): Read => ({
    from: startOfDay(zone, first) - by,
    to: startOfDay(zone, last + 1) + by,
  });
  const main = ofDays(from, to);
  const near = await readSpans(services, client, { ties, spans: [main] });
  const fields = [mainRegister, ...otherRegisters({ ties, readings: near }), ...stored];
  const registers = await neighboursOf(client, { pointId, from, to, fields: [...new Set(fields)] });
  let known: Known = { readings: near, read: [main] };
  const add = async (spans: readonly Read[]): Promise<void> => {
    const missing = spans.flatMap((span) => without(span, known.read));
    if (missing.length === 0) return;
    const more = await readSpans(services, client, { ties, spans: united(missing) });
    known = { readings: merged(known.readings, more), read: united([...known.read, ...missing]) };
  };
  const rangeOf = history.rangesOf(samplesOf);
  const given = { ...history, rangeOf, window, registers, now: services.clock.now() };
  if (!isWindowKnown({ ...given, ...known }, main)) await add([ofDays(from, to, farMargin)]);
  const reader: Reader = {
    point: () => ({ ...given, ...known }),
    read: (first, last, isFar = false) => add([ofDays(first, last, isFar ? farMargin : margin)]),
    async valuedDay(field, day, side) {
      // The nearest one of a window is known.
      const near = registers.find((register) => register.field === field);
      if (near && day === (side === "before" ? from : to)) return near[side];
      return stored.includes(field) ? valuedDay(client, { pointId, field, day, side }) : null;
    },
  };
  const beside: BesideWindow[] = [];
  for (const register of registers)
    beside.push({ ...register, beside: await daysBeside(reader, register.field) });
  const span = { from: startOfDay(zone, from), to: startOfDay(zone, to + 1) };
  const first = Math.min(span.from, ...known.read.map((each) => each.from));
  const last = Math.max(span.to, ...known.read.map((each) => each.to));
  const added = history.added.filter((each) => each.from < last && each.to > first);
  return { registers: beside, sources: { ...history, rangeOf, zone, added, ...known } };
}

interface Known {
  readonly readings: Readings;
  /** By time, without overlaps. */
  readonly read: readonly Read[];
}

/** The parts of a span outside others, which are given by time. */
const without = (span: Read, others: readonly Read[]): Read[] =>
  others.reduce((parts, other) => parts.flatMap((part) => outside(part, other)), [span]);

/** The parts of a span before and after another, if there are any. */
function outside(span: Read, main: Read): Read[] {
  const parts = [
    { from: span.from, to: Math.min(span.to, main.from - 1) },
    { from: Math.max(span.from, main.to + 1), to: span.to },
  ];
  return parts.filter(({ from, to }) => from <= to);
}

/** Spans without overlaps, by time. */
function united(spans: readonly Read[]): Read[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}

type Readings = ReadonlyMap<DeviceId, CounterReadings>;

async function readSpans(
  services: Services,
  client: pg.ClientBase,
  { ties, spans }: { readonly ties: readonly Tie[]; readonly spans: readonly Read[] },
): Promise<Readings> {
  const wanted = [...new Set(ties.map(({ deviceId }) => deviceId))].flatMap((deviceId): DeviceSpan[] => {
    const own = ties
      .filter((tie) => tie.deviceId === deviceId)
      .map(({ from, to }) => ({ from: from - farMargin, to: (to ?? forever) + farMargin }));
    const parts = own.flatMap((tie) =>
      spans.map(({ from, to }) => ({ from: Math.max(from, tie.from), to: Math.min(to, tie.to) })),
    );
    return united(parts.filter(({ from, to }) => from <= to)).map((span) => ({ deviceId, ...span }));
  });
  return wanted.length === 0 ? new Map() : counterReadings(client, services.parts.readingStore.sets, wanted);
}

function merged(a: Readings, b: Readings): Readings {
  if (b.size === 0) return a;
  const all = new Map<DeviceId, Map<FieldName, readonly CounterReading[]>>();
  for (const readings of [a, b])
    for (const [deviceId, ofDevice] of readings) {
      const fields = all.get(deviceId) ?? new Map<FieldName, readonly CounterReading[]>();
      all.set(deviceId, fields);
      for (const [field, values] of ofDevice) fields.set(field, [...(fields.get(field) ?? []), ...values]);
    }
  for (const fields of all.values())
    for (const [field, values] of fields)
      fields.set(
        field,
        [...values].sort((x, y) => x.ts - y.ts || x.msgType - y.msgType),
      );
  return all;
}
