import { modelById } from "@metrum/catalogue";
import { fields, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import type { Services, Stop } from "#core";
import { derive, nearSec, type Counter, type Derived } from "./derive.ts";
import { firstTime, rowsOfPeriod } from "../read/index.ts";
import { dueKinds, runDependants, startDependants, type ChangedSpan, type Dependants } from "../due/index.ts";
import { counterRange, higherOf, knowingLoads, readLoads, type CounterRange } from "../growth/index.ts";
import { derivedTypes, readCalculated, removeStale, staleOf } from "./stale.ts";
import { parseValues, trustedValues, type DeviceMetadata } from "../rows/index.ts";

const readingsType = 1;
/** Types of the rows from which others can be derived, and of those that can be derived. */
const derivableTypes = [readingsType, ...derivedTypes];
/**
 * A range is processed in parts of this length, so that ninety days of minutes are not loaded into memory at
 * once.
 */
const partSec = 7 * 86_400;
/** After this many parts a device releases its range and waits for the others. */
const partsPerTurn = 8;

/**
 * Recomputes derived rows of the ranges that ingest has marked, and continues until the worker stops.
 */
export function startDeriving(services: Services): Stop {
  return startDependants(services, derivedRows(services));
}

/** One run over the due ranges; returns how many devices it took. Leases that have expired are released. */
export function deriveDue(services: Services, mayGoOn?: () => boolean): Promise<number> {
  return runDependants(services, derivedRows(services), mayGoOn);
}

const derivedRows = (services: Services): Dependants => ({
  kind: dueKinds.derived,
  what: "derived rows",
  types: new Set([readingsType]),
  compute: (device, span, isOver) => deriveSpan(services, device, { ...span, isOver }),
});

interface Turn extends ChangedSpan {
  readonly isOver: () => boolean;
}

/** Returns the start of the remaining range when the turn is over; undefined when nothing remains. */
async function deriveSpan(
  services: Services,
  device: DeviceMetadata,
  turn: Turn,
): Promise<number | undefined> {
  if (device.isVirtual === true) return undefined;
  const reach = nearSec.day;
  const end = turn.to + reach;
  let from = turn.from - reach;
  for (let parts = 0; from <= end; parts++) {
    if (parts === partsPerTurn || (parts > 0 && turn.isOver())) return from + reach;
    const row = await firstTime(services.database.pool, {
      ...{ deviceIds: [device.id], types: derivableTypes },
      ...{ from: from - reach, to: end + reach },
    });
    if (row === undefined) return undefined;
    from = Math.max(from, row - reach);
    if (from > end) return undefined;
    const to = Math.min(from + partSec - 1, end);
    await derivePart(services, device, { from, to, marks: turn.marks });
    from = to + 1;
  }
  return undefined;
}

/** Recomputes the derived rows within a part, both ends inclusive. */
async function derivePart(
  services: Services,
  device: DeviceMetadata,
  { from, to, marks }: { readonly from: number; readonly to: number; readonly marks: number },
): Promise<void> {
  // Read before the readings: rows that another process derives of later readings must not be removed by this
  // run.
  const standing = await readCalculated(services, device.id, { from, to, types: derivedTypes });
  const rows = await derivedWithin(services, services.database.pool, { device, from, to });
  await removeStale(services, { device, stale: staleOf(standing, rows), marks });
  const receivedAt = services.clock.now();
  await services.parts.readingStore.ingest(
    rows.map((row) => ({ ...row, deviceId: device.id, receivedAt, source: "calculated" as const })),
  );
}

interface Part {
  readonly device: DeviceMetadata;
  /** Both inclusive. */
  readonly from: number;
  readonly to: number;
}

/** The rows of a part that follow from the readings of its device. */
export async function derivedWithin(
  services: Services,
  client: pg.ClientBase | pg.Pool,
  { device, from, to }: Part,
): Promise<Derived[]> {
  const model = modelById(device.modelId);
  const profileFrom = model?.kind === "meter" ? model.profileFrom : undefined;
  const reach = nearSec.day;
  // A half-hour that begins in the part ends at most half an hour after it.
  const counters = await readCounters(services, client, { device, from: from - reach, to: to + reach });
  return knowingLoads(readLoads(client), (samplesOf) =>
    derive({
      counters: withRanges(counters, (name) => counterRange(device, name, samplesOf(device.id, name))),
      ...{ zone: device.zone, from, to, profileFrom },
    }),
  );
}

type Series = Omit<Counter, "range">;

const withRanges = (
  counters: ReadonlyMap<FieldName, Series>,
  rangeOf: (name: FieldName) => CounterRange,
): Map<FieldName, Counter> =>
  new Map([...counters].map(([name, series]) => [name, { ...series, range: rangeOf(name) }]));

/** Trusted readings of the counters of a device, without noise. */
async function readCounters(
  services: Services,
  client: pg.ClientBase | pg.Pool,
  { device, from, to }: Part,
): Promise<ReadonlyMap<FieldName, Series>> {
  const rows = await rowsOfPeriod(client, { deviceIds: [device.id], types: [readingsType], from, to });
  const { sets } = services.parts.readingStore;
  await sets.load(rows.map((row) => row.field_set_id));
  const counters = new Map<FieldName, { ts: number[]; value: number[] }>();
  for (const { ts, status, by_field, field_set_id, v } of rows) {
    const set = sets.byId(field_set_id);
    if (!set) continue;
    const trusted = trustedValues({ status, by_field, set, v: parseValues(v) });
    set.fields.forEach((name, at) => {
      const value = trusted[at];
      if (typeof value !== "number" || fields[name].kind !== "counter") return;
      let counter = counters.get(name);
      if (!counter) counters.set(name, (counter = { ts: [], value: [] }));
      const before = { ts, value: counter.value.at(-1) ?? value };
      counter.ts.push(ts);
      counter.value.push(higherOf(before, { ts, value }).value);
    });
  }
  return counters;
}
