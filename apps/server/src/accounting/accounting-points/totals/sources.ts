import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { startOfDay, type Day, type Services } from "#core";
import {
  counterRange,
  counterReadings,
  forever,
  type CounterReading,
  type CounterReadings,
  type DeviceSpan,
  type ExactRange,
} from "#metering/messages";
import { otherRegisters, mainRegister, type Sources } from "./days.ts";
import { microOf } from "./decimal.ts";
import { nearest } from "./nodes.ts";
import { addedAmounts, neighboursOf, storedRegisters, type Neighbours } from "./totalsStore.ts";
import { stepsOfTerms, termsQuery, tiesQuery, type Tie } from "./tieStore.ts";

/** Readings this far outside the days decide about their values: those to interpolate, and those around them. */
export const margin = 2 * nearest;

export interface Window {
  readonly pointId: AccountingPointId;
  readonly zone: string;
  /** Both inclusive. */
  readonly from: Day;
  readonly to: Day;
}

/** Ties, ratios and counters of a point, for some of its days. */
export interface History extends Pick<Sources, "ties" | "ratios" | "rangeOf"> {
  readonly stored: readonly string[];
}

/** What holds of a point at any time. Rows: its ties and changes of ratio, some dozen in its life. */
export async function historyOf(
  services: Services,
  client: pg.ClientBase,
  pointId: AccountingPointId,
): Promise<History> {
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
  const rangeOf = (deviceId: DeviceId, field: FieldName): ExactRange => {
    const device = devices.get(deviceId);
    const { capacity, start } = device ? counterRange(device, field) : { capacity: undefined, start: 0 };
    return { capacity: capacity === undefined ? undefined : microOf(capacity), start: microOf(start) };
  };
  return {
    ties,
    ratios: stepsOfTerms([pointId], terms.rows).get(pointId) ?? [],
    rangeOf,
    stored: await storedRegisters(client, pointId),
  };
}

/** Sources of the days of a window, and of the days around it that share a gap with it. */
export interface WindowSources {
  readonly sources: Sources;
  readonly registers: readonly Neighbours[];
}

interface Read {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads what the days of a window follow from: readings of the window and half a day around it, and of the nearest
 * days with a value of each register before and after it, for the gap between them. Rows: those of these days.
 */
export async function sourcesOf(
  services: Services,
  client: pg.ClientBase,
  { window, history }: { readonly window: Window; readonly history: History },
): Promise<WindowSources> {
  const { pointId, zone, from, to } = window;
  const { ties, stored } = history;
  const ofDays = (first: Day, last: Day): Read => ({
    from: startOfDay(zone, first) - margin,
    to: startOfDay(zone, last + 1) + margin,
  });
  const main = ofDays(from, to);
  const near = await readSpans(services, client, { ties, spans: [main] });
  const fields = [mainRegister, ...otherRegisters({ ties, readings: near }), ...stored];
  const registers = await neighboursOf(client, { pointId, from, to, fields: [...new Set(fields)] });
  const days = registers.flatMap(({ before, after }) => [before, after].filter((day) => day !== null));
  const beside = united(
    [...new Set(days)].map((day) => ofDays(day, day)).flatMap((span) => outside(span, main)),
  );
  const far = beside.length === 0 ? new Map() : await readSpans(services, client, { ties, spans: beside });
  const span = { from: startOfDay(zone, from), to: startOfDay(zone, to + 1) };
  const latest = Math.max(span.to, ...beside.map((each) => each.to));
  return {
    registers,
    sources: {
      ...history,
      zone,
      added: await addedAmounts(client, pointId, { from: span.from, to: latest }),
      readings: merged(near, far),
      read: united([...beside, main]),
    },
  };
}

/** The part of a span before or after another, if there is any. */
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
      .map(({ from, to }) => ({ from: from - margin, to: (to ?? forever) + margin }));
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
