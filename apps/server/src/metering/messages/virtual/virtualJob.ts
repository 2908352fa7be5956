import type { FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { runInTurn, type Services, type Stop } from "#core";
import {
  dueKinds,
  forever,
  runDependants,
  startDependants,
  type ChangedSpan,
  type Dependants,
} from "../due/index.ts";
import {
  counterRange,
  knowingLoads,
  readLoads,
  withoutRollover,
  type CounterRange,
  type SamplesOf,
} from "../growth/index.ts";
import { readCalculated, removeStale, type Calculated } from "../derive/index.ts";
import { isTrusted, parseValues, statusName, statusOfValue, type DeviceMetadata } from "../rows/index.ts";
import { firstTime, newestCalculated, rowsOfPeriod } from "../read/index.ts";
import { virtualFieldsOf } from "./definition.ts";
import * as store from "./store.ts";
import {
  virtualRows,
  virtualStart,
  type Resumed,
  type SourceRow,
  type VirtualFields,
  type VirtualRow,
  type VirtualState,
} from "./virtual.ts";

const partSec = 7 * 86_400;
const partsPerTurn = 8;
/** Locks of virtual devices, one each: two processes do not compute the same one. */
const firstLock = 7_302_000_000;

/** Recomputes virtual devices whose sources have changed, until the worker stops. */
export const startVirtualDevices = (services: Services): Stop =>
  startDependants(services, virtualDevices(services));

/** One run over the changed sources; returns how many it took. */
export const computeVirtualDevices = (services: Services): Promise<number> =>
  runDependants(services, virtualDevices(services));

const virtualDevices = (services: Services): Dependants => ({
  kind: dueKinds.virtualDevices,
  what: "virtual devices",
  sideBySide: 2,
  async compute(source, span, isOver) {
    let rest: number | undefined;
    for (const { id, properties } of await store.virtualDevicesOf(services.database.pool, source.id)) {
      const device = (await services.parts.readingStore.metadata.of([id])).get(id);
      if (!device) continue;
      const of = virtualFieldsOf(properties);
      const turn = { source, device, of, span, isOver };
      const left = await runInTurn(services, firstLock + id, () => computeSpan(services, turn));
      if (left !== undefined) rest = Math.min(rest ?? left, left);
    }
    return rest;
  },
});

interface Turn {
  readonly source: DeviceMetadata;
  readonly device: DeviceMetadata;
  readonly of: VirtualFields;
  readonly span: ChangedSpan;
  readonly isOver: () => boolean;
}

/**
 * Computes the changed range, and further on until nothing differs: a counter carries a change of the past into
 * all that follows. Returns the start of the rest.
 */
async function computeSpan(services: Services, turn: Turn): Promise<number | undefined> {
  const { device, of, span, isOver } = turn;
  const { pool } = services.database;
  const ids = sourceIdsOf(of);
  const resumed = await resumedAt(services, turn);
  let sums = await sumsFrom(services, of, resumed);
  let from = Math.min(span.from, ...[...resumed.values()].map(({ ts }) => ts));
  for (let parts = 0; ; parts++) {
    const first = await firstTime(pool, { deviceIds: [...ids, device.id], from, to: forever });
    if (first === undefined) return undefined;
    if (parts === partsPerTurn || (parts > 0 && isOver())) return first;
    const part = { from: first, to: first + partSec - 1 };
    const read = instants(await readSources(services, pool, { ids, ...part }));
    const { rows, next } = await sums(pool, read);
    sums = next;
    const own = { from: Math.max(first, span.from), to: part.to };
    const hasChanged = await putRows(services, turn, {
      ...own,
      rows: rows.filter(({ ts }) => ts >= span.from),
    });
    if (part.to > span.to && !hasChanged) return undefined;
    from = part.to + 1;
  }
}

/** The devices that a definition takes. */
export const sourceIdsOf = (of: VirtualFields): number[] => [
  ...new Set([...of.values()].flat().map(({ deviceId }) => deviceId)),
];

/** Computes the rows of the next instants, with the usual loads that they ask for, and what goes on after them. */
export type Sums = (
  client: pg.ClientBase | pg.Pool,
  read: readonly (readonly SourceRow[])[],
) => Promise<{ readonly rows: VirtualRow[]; readonly next: Sums }>;

/** Computes rows instant by instant, going on from stored values; without any, from the first instant on. */
export async function sumsFrom(
  services: Services,
  of: VirtualFields,
  resumed: ReadonlyMap<FieldName, Resumed>,
): Promise<Sums> {
  const metadata = await services.parts.readingStore.metadata.of(sourceIdsOf(of));
  const from =
    (state: VirtualState): Sums =>
    async (client, read) => {
      const { rows, state: after } = await knowingLoads(readLoads(client), (samplesOf) =>
        virtualRows(state, rangesOf(metadata, samplesOf), read),
      );
      return { rows, next: from(after) };
    };
  return from(virtualStart(of, resumed));
}

const rangesOf =
  (devices: ReadonlyMap<number, DeviceMetadata>, samplesOf: SamplesOf) =>
  (id: number, field: FieldName): CounterRange => {
    const device = devices.get(id);
    return device ? counterRange(device, field, samplesOf(id, field)) : withoutRollover;
  };

/** The newest stored value of each virtual counter before the changed range. */
async function resumedAt(
  services: Services,
  { device, of, span }: Turn,
): Promise<ReadonlyMap<FieldName, Resumed>> {
  const rows = await newestCalculated(services.database.pool, device.id, span.from);
  const { sets } = services.parts.readingStore;
  await sets.load(rows.map((row) => row.field_set_id));
  const found = new Map<FieldName, Resumed>();
  for (const { ts, msg_type: msgType, field_set_id, v } of rows) {
    const values = parseValues(v);
    for (const [at, name] of (sets.byId(field_set_id)?.fields ?? []).entries()) {
      const value = values[at];
      if (typeof value === "number" && of.has(name) && !found.has(name))
        found.set(name, { ts, msgType, value });
    }
  }
  return found;
}

/** Trusted values of the sources in a part. */
export async function readSources(
  services: Services,
  client: pg.ClientBase | pg.Pool,
  { ids, ...part }: { readonly ids: readonly number[]; readonly from: number; readonly to: number },
): Promise<SourceRow[]> {
  const rows = await rowsOfPeriod(client, { deviceIds: ids, ...part });
  const { sets } = services.parts.readingStore;
  await sets.load(rows.map((row) => row.field_set_id));
  return rows.map(({ device_id: deviceId, msg_type: msgType, ts, status, field_set_id, v, by_field }) => {
    const stored = parseValues(v);
    const values = new Map<FieldName, { value: number; status: number }>();
    for (const [at, name] of (sets.byId(field_set_id)?.fields ?? []).entries()) {
      const value = stored[at];
      const own = statusOfValue({ status, by_field }, name);
      if (typeof value === "number" && isTrusted(own)) values.set(name, { value, status: own });
    }
    return { deviceId, msgType, ts, values };
  });
}

/** Rows of one time each, in order. */
export function instants(rows: readonly SourceRow[]): SourceRow[][] {
  const found: SourceRow[][] = [];
  for (const row of rows) {
    const last = found.at(-1);
    if (last?.[0]?.ts === row.ts) last.push(row);
    else found.push([row]);
  }
  return found;
}

/** Stores the rows of a period in place of those that stand there. False: they are the same. */
async function putRows(
  services: Services,
  { source, device, span }: Turn,
  { from, to, rows }: { readonly from: number; readonly to: number; readonly rows: readonly VirtualRow[] },
): Promise<boolean> {
  const standing = await readCalculated(services, device.id, { from, to });
  const key = ({ msgType, ts }: Pick<VirtualRow, "msgType" | "ts">): string =>
    `${String(msgType)} ${String(ts)}`;
  const now = new Map(rows.map((row) => [key(row), row]));
  // What differs is removed first: a value of a worse status would not replace one of a better.
  const stale = standing.filter((row) => !isSame(row, now.get(key(row))));
  const same = new Set(standing.filter((row) => isSame(row, now.get(key(row)))).map(key));
  const changed = rows.filter((row) => !same.has(key(row)));
  const mark = { kind: dueKinds.virtualDevices, deviceId: source.id };
  await removeStale(services, { device, stale, marks: span.marks, mark });
  const receivedAt = services.clock.now();
  if (changed.length > 0)
    await services.parts.readingStore.ingest(
      changed.map(({ msgType, ts, values, status }) => ({
        ...{ deviceId: device.id, msgType, ts, values, receivedAt },
        source: "calculated" as const,
        status: statusName(status),
      })),
    );
  return stale.length + changed.length > 0;
}

function isSame(standing: Calculated, row: VirtualRow | undefined): boolean {
  if (row?.status !== standing.status) return false;
  const names = Object.keys(row.values) as FieldName[];
  return (
    names.length === standing.names.length &&
    names.every((name) => row.values[name] === standing.values[name])
  );
}
