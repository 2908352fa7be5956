import { sources, statuses, type FieldName } from "@metrum/vocabulary";
import type pg from "pg";
import { rounded, storableJson } from "#core";
import {
  clockFault,
  isNumber,
  isTrusted,
  statusOfValue,
  type DeviceMetadata,
  type FieldSet,
  type FieldSets,
  type Incoming,
  type Row,
} from "../rows/index.ts";
import { namesOf, setsOf, type Group } from "./shapes.ts";
import {
  contradicted,
  counterRange,
  knowingLoads,
  readLoads,
  samplesOf,
  statusOf,
  withSuspects,
  type Point,
  type SamplesOf,
} from "../growth/index.ts";
import type { MetadataCache } from "./metadataCache.ts";
import { latestIn, tsOfLatest, withMessage, type Latest, type LatestCache } from "../latest/index.ts";
import type { Quarantined } from "../quarantine/index.ts";
import { strayArchives } from "./strayClock.ts";

/** A batch in the form of the tables: sorted by key, one row per key, duplicates in a separate list. */
export interface Prepared {
  readonly rows: readonly Row[];
  /** Rows of keys that occur earlier in the batch, in order of arrival. */
  readonly duplicates: readonly Row[];
  /** Every row is newer than all known ones of its device and type, so its key is probably free. */
  readonly isFresh: boolean;
  readonly quarantined: readonly Quarantined[];
  /** Ranges of counters whose derived rows must be recomputed, by device. */
  readonly due: ReadonlyMap<number, Span>;
  /** Rows that are not newer than all known ones of their device and type, or that a user has decided about. */
  readonly late: ReadonlySet<Row>;
  /** Time of the last contact with each device, according to these readings. */
  readonly lastReceipts: ReadonlyMap<number, number>;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Deps {
  readonly pool: pg.Pool;
  readonly metadata: MetadataCache;
  readonly sets: FieldSets;
  readonly latestCache: LatestCache;
}

/** A reading to be stored, with its metadata. */
interface Known {
  readonly reading: Incoming;
  readonly device: DeviceMetadata;
  readonly names: readonly FieldName[];
  readonly at: number;
}

/** Derived rows are on half-hours: a new counter reading between two of them changes none. */
const derivedStepSec = 1800;
const largestOffset = 2 ** 31 - 1;

export async function prepare(batch: readonly Incoming[], deps: Deps): Promise<Prepared> {
  const metadata = await deps.metadata.of(deviceIds(batch));
  const names = namesOf(batch);
  const quarantined: Quarantined[] = [];
  const known: Known[] = [];
  batch.forEach((reading, at) => {
    const device = metadata.get(reading.deviceId);
    const own = names[at];
    if (!device || !own || !isType(reading.msgType)) return;
    const reason = clockFault(reading, device);
    if (reason) quarantined.push({ reading, reason, at });
    else known.push({ reading, device, names: own, at });
  });
  sortByKey(known);
  const groups = groupsOf(known);
  await deps.latestCache.load(groups.map(({ device, msgType }) => ({ deviceId: device.id, msgType })));
  const latestOf = (deviceId: number, msgType: number) => deps.latestCache.of(deviceId, msgType);
  const sets = await setsOf(groups, { sets: deps.sets, latestOf });
  const stray = await strayArchives(deps.pool, known);
  const judged = await knowingLoads(readLoads(deps.pool), (storedOf) =>
    judge(groups, sets, { latestOf, storedOf, stray }),
  );
  return {
    ...judged,
    quarantined,
    due: dueOf(judged.rows, latestOf),
    lastReceipts: lastReceiptsOf(judged.rows),
  };
}

type LatestOf = (deviceId: number, msgType: number) => Latest | undefined;

const isType = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 32_768;

function* deviceIds(batch: readonly Incoming[]): Iterable<number> {
  let last: number | undefined;
  for (const { deviceId } of batch) {
    if (deviceId !== last) yield deviceId;
    last = deviceId;
  }
}

function compare({ reading: a }: Known, { reading: b }: Known): number {
  return a.deviceId - b.deviceId || a.msgType - b.msgType || a.ts - b.ts;
}

function sortByKey(known: Known[]): void {
  const isSorted = known.every((each, at) => {
    const before = known[at - 1];
    return !before || compare(before, each) <= 0;
  });
  if (!isSorted) known.sort((a, b) => compare(a, b) || a.at - b.at);
}

function groupsOf(known: readonly Known[]): Group<Known>[] {
  const groups: { device: DeviceMetadata; msgType: number; readings: Known[] }[] = [];
  let last: (typeof groups)[number] | undefined;
  for (const each of known) {
    const { device, reading } = each;
    if (last?.device === device && last.msgType === reading.msgType) last.readings.push(each);
    else groups.push((last = { device, msgType: reading.msgType, readings: [each] }));
  }
  return groups;
}

interface Before {
  readonly latestOf: LatestOf;
  /** Stored values that usual loads follow from. */
  readonly storedOf: SamplesOf;
  /** Archives by a clock that was off. */
  readonly stray: ReadonlySet<Known>;
}

/**
 * Sets the status of every row, comparing each counter with the previous value, and a leap with the usual load: of the
 * batch, else of the store.
 */
function judge(
  groups: readonly Group<Known>[],
  sets: readonly FieldSet[],
  { latestOf, storedOf, stray }: Before,
): Pick<Prepared, "rows" | "duplicates" | "isFresh" | "late"> {
  const rows: Row[] = [];
  const late = new Set<Row>();
  const duplicates: Row[] = [];
  let isFresh = true;
  groups.forEach(({ device, msgType, readings }, n) => {
    const set = sets[n];
    const known = latestOf(device.id, msgType);
    if (!set) return;
    let latest = known && latestIn(known, set);
    let before: Row | undefined;
    const rangeOf: RangeOf = (name) =>
      counterRange(device, name, (until) =>
        samplesOf([...storedOf(device.id, name)(until), ...pointsOf(rows, device, name)], until),
      );
    for (const each of readings) {
      const row = rowOf(each, set, { latest, rangeOf, isStray: stray.has(each) });
      if (before?.ts === row.ts) {
        duplicates.push(row);
        continue;
      }
      rows.push(row);
      const isOld = latest !== undefined && latest.ts >= row.ts;
      if (isOld) isFresh = false;
      if (isOld || row.isDecided) late.add(row);
      latest = withMessage(latest, row, true);
      before = row;
    }
  });
  duplicates.sort((a, b) => a.at - b.at);
  return { rows, duplicates, isFresh, late };
}

type RangeOf = Parameters<typeof contradicted>[2];

/** Trusted values of a counter in the last rows, those of its device. */
function pointsOf(rows: readonly Row[], { id }: DeviceMetadata, name: FieldName): Point[] {
  const points: Point[] = [];
  for (let n = rows.length - 1; n >= 0; n--) {
    const row = rows[n];
    if (row?.device.id !== id) break;
    const value = row.v[row.set.at.get(name) ?? -1] ?? null;
    const isOwn = row.source !== sources.calculated && isTrusted(statusOfValue(row, name));
    if (value !== null && isOwn) points.push({ ts: row.ts, value });
  }
  return points;
}

const noSuspects: readonly FieldName[] = [];

interface Judging {
  readonly latest: Latest | undefined;
  readonly isStray: boolean;
  readonly rangeOf: RangeOf;
}

function rowOf({ reading, device, at }: Known, set: FieldSet, { latest, rangeOf, isStray }: Judging): Row {
  const { meterAt, extra, ts, values, source, status } = reading;
  // An array that grows would keep room for 17 values.
  const v = set.fields.map((name) => {
    const value = values[name];
    return isNumber(value) ? rounded(value) : null;
  });
  const isDecided = status !== undefined || source === "manual";
  const isJudged = set.counters.length > 0 && !isDecided && source !== "calculated";
  const suspects = !isJudged
    ? noSuspects
    : isStray
      ? set.counters.flatMap((place) => set.fields[place] ?? [])
      : contradicted(latest, { ts, set, v }, rangeOf);
  // One literal without spreads: this runs for every reading, and objects of one shape take a tenth of the
  // time.
  const row: Row = {
    device,
    msgType: reading.msgType,
    ts,
    meterAt: meterAt !== undefined && Math.abs(meterAt - ts) <= largestOffset ? Math.round(meterAt) : null,
    receivedAt: Math.round(reading.receivedAt),
    status: status ? statuses[status].id : statusOf(reading, device),
    source: sources[source],
    set,
    v,
    by_field: null,
    extra: extra ? storableJson(extra) : null,
    isDecided,
    isVerdict: reading.isVerdict ?? false,
    isDecodedAgain: reading.isDecodedAgain ?? false,
    userId: reading.userId ?? null,
    reason: reading.reason ?? null,
    at,
  };
  return suspects.length > 0 ? { ...row, ...withSuspects(row, suspects) } : row;
}

/**
 * Derived rows that these readings may change: none when every counter is newer than its latest value and in
 * the same half-hour, which is true of 29 of 30 readings a minute apart.
 */
function dueOf(rows: readonly Row[], latestOf: LatestOf): Map<number, Span> {
  const due = new Map<number, Span>();
  for (const row of rows) {
    if (row.msgType !== 1 || row.set.counters.length === 0) continue;
    const { device, ts } = row;
    if (changesNothingDerived(row, latestOf(device.id, row.msgType))) continue;
    const span = due.get(device.id);
    due.set(device.id, { from: Math.min(span?.from ?? ts, ts), to: Math.max(span?.to ?? ts, ts) });
  }
  return due;
}

function changesNothingDerived({ ts, set, v }: Row, latest: Latest | undefined): boolean {
  const step = Math.floor(ts / derivedStepSec);
  for (const at of set.counters) {
    const name = set.fields[at];
    if (name === undefined || (v[at] ?? null) === null) continue;
    if (!latest || (latest.v[latest.set.at.get(name) ?? -1] ?? null) === null) return false;
    const before = tsOfLatest(latest, name);
    if (ts <= before || step !== Math.floor(before / derivedStepSec)) return false;
  }
  return true;
}

/**
 * Polled and pushed rows show that the device is alive at receipt, imported ones and those of a virtual device that
 * it was alive in their slot.
 */
function lastReceiptsOf(rows: readonly Row[]): Map<number, number> {
  const lastReceipts = new Map<number, number>();
  let [id, latest] = [0, 0];
  for (const { device, source, ts, receivedAt } of rows) {
    const isOwn = source === sources.calculated && device.isVirtual === true;
    if (source === sources.manual || (source === sources.calculated && !isOwn)) continue;
    const at = source === sources.imported || isOwn ? Math.min(ts, receivedAt) : receivedAt;
    if (device.id === id && at <= latest) continue;
    [id, latest] = [device.id, Math.max(at, lastReceipts.get(device.id) ?? 0)];
    lastReceipts.set(id, latest);
  }
  return lastReceipts;
}
