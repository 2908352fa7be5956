import { sources } from "@metrum/vocabulary";
import type pg from "pg";
import { inTransaction, isUniqueViolation, together, type Clock, type Events, type Partitions } from "#core";
import { RowVanished, settleConflicts, takenKeys, type Outcome, type Settled } from "./conflicts.ts";
import {
  dayKeyOf,
  daysTouched,
  lockDays,
  mergeDays,
  recountDays,
  sumDays,
  type DayRow,
} from "../days/index.ts";
import type { MetadataCache } from "./metadataCache.ts";
import {
  compareKeys,
  copyMessages,
  findStored,
  insertMessages,
  rowKeyOf,
  type FieldSets,
  type Found,
  type Incoming,
  type Row,
} from "../rows/index.ts";
import { raiseLatest, type LatestCache, type Raised } from "../latest/index.ts";
import { prepare, type Prepared } from "./prepare.ts";
import { currentDependants, markDue, marksOf } from "../due/index.ts";
import { writeQuarantine } from "../quarantine/index.ts";

export interface Store {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly metadata: MetadataCache;
  readonly sets: FieldSets;
  readonly latestCache: LatestCache;
  readonly partitions: Partitions;
  readonly revisionPartitions: Partitions;
}

export interface Written {
  /** By position in the batch. */
  readonly outcomes: readonly Outcome[];
  readonly stored: Events["readingsStored"];
  readonly lastReceipts: ReadonlyMap<number, number>;
  readonly quarantineBegan: Events["quarantineBegan"];
}

/**
 * Stores a batch in one transaction; resolves after COMMIT. Every table is locked in the order of its key.
 */
export async function writeBatch(store: Store, batch: readonly Incoming[]): Promise<Written> {
  const prepared = await prepare(batch, store);
  await store.partitions.ensure(timesOf(prepared.rows));
  await store.revisionPartitions.ensure([store.clock.now()]);
  const { stored, repeated, settled, raised, began } = await write(store, prepared);
  for (const { device, msgType, latest } of raised) store.latestCache.raise(device.id, msgType, latest);
  const outcomes = new Array<Outcome>(batch.length).fill("unknown");
  for (const { at } of prepared.quarantined) outcomes[at] = "quarantined";
  for (const { at } of stored) outcomes[at] = "stored";
  for (const { at } of repeated) outcomes[at] = "repeated";
  for (const [{ at }, outcome] of settled.outcomes) outcomes[at] = outcome;
  return {
    outcomes,
    stored: spansOf([...stored, ...settled.changed.map(({ row }) => row)]),
    lastReceipts: prepared.lastReceipts,
    quarantineBegan: await ownedBy(store, began),
  };
}

async function ownedBy(
  { metadata }: Store,
  deviceIds: ReadonlySet<number>,
): Promise<Events["quarantineBegan"]> {
  if (deviceIds.size === 0) return [];
  const known = await metadata.of(deviceIds);
  return [...deviceIds].flatMap((id) => {
    const device = known.get(id);
    return device ? [{ companyId: device.companyId, deviceId: device.id }] : [];
  });
}

const nothingSettled: Settled = { changed: [], outcomes: new Map() };

interface Tables {
  readonly stored: readonly Row[];
  readonly repeated: readonly Row[];
  readonly settled: Settled;
  readonly raised: readonly Raised[];
  /** Devices that have readings in quarantine since this batch. */
  readonly began: ReadonlySet<number>;
}

/** For so few rows an insert, which is sent together with what follows from it, takes less time than COPY. */
const mostFew = 100;

async function write(store: Store, prepared: Prepared): Promise<Tables> {
  const { rows, duplicates, quarantined, late, isFresh } = prepared;
  const isPlain = isFresh && duplicates.length === 0 && quarantined.length === 0 && late.size === 0;
  if (isPlain && rows.length > 0 && rows.length <= mostFew)
    try {
      return await inTransaction(store.pool, (client) => writeFew(client, store, prepared));
    } catch (error) {
      // One of the keys was taken after all.
      if (!isUniqueViolation(error)) throw error;
    }
  return inTransaction(store.pool, (client) => writeTables(client, store, prepared));
}

/** New rows whose keys are believed to be free, and all that follows from them, in one round trip. */
async function writeFew(client: pg.ClientBase, store: Store, prepared: Prepared): Promise<Tables> {
  const { rows } = prepared;
  const days = sumDays(rows);
  const marks = marksOfNew(prepared, store, { late: new Set(), decided: new Set(), dependants: new Map() });
  const [, , raised] = await together(client, () => [
    Promise.all([client.query("begin"), insertMessages(client, rows)]),
    addToDays(client, store.sets, { rows, days }),
    raiseLatest(client, store, rows),
    markDue(client, marks),
  ]);
  return { stored: rows, repeated: [], settled: nothingSettled, raised, began: new Set() };
}

type Hasty = Pick<Parameters<typeof marksOf>[0], "late" | "decided" | "dependants">;

/** If every row of a batch is new. */
const marksOfNew = ({ rows, due }: Prepared, { clock }: Store, hasty: Hasty): ReturnType<typeof marksOf> =>
  marksOf({ rows, derived: due, ...hasty, now: clock.now() });

async function writeTables(client: pg.ClientBase, store: Store, prepared: Prepared): Promise<Tables> {
  const { rows } = prepared;
  const inserting = insert(client, store.sets, prepared);
  inserting.catch(() => undefined);
  // While the database inserts, the days are summed as if every row were new, which is almost always true.
  const days = sumDays(rows);
  const { stored, found } = await inserting;
  const began = await writeQuarantine(client, prepared.quarantined);
  if (stored.length === rows.length && prepared.duplicates.length === 0) {
    const hasty = await hastyOf(client, haste(prepared, stored, nothingSettled));
    const marks = marksOfNew(prepared, store, hasty);
    const [, raised] = await together(client, () => [
      addToDays(client, store.sets, { rows, days }),
      raiseLatest(client, store, rows),
      markDue(client, marks),
    ]);
    return { stored, repeated: found.repeated, settled: nothingSettled, raised, began };
  }
  const settled = await settle(client, store, prepared, found);
  const written = byKeyOf(stored, settled);
  await changeDays(client, store.sets, { stored, settled });
  const raised = await raiseLatest(client, store, written);
  const touched = new Set<number>(written.map(({ device }) => device.id));
  await markDue(
    client,
    marksOf({
      rows: written,
      refused: refusedOf(settled),
      derived: new Map([...prepared.due].filter(([id]) => touched.has(id))),
      ...(await hastyOf(client, haste(prepared, stored, settled))),
      now: store.clock.now(),
    }),
  );
  return { stored, repeated: found.repeated, settled, raised, began };
}

/** Nobody waits a minute for a correction because a device was tied just now. */
async function hastyOf(client: pg.ClientBase, hasty: ReturnType<typeof haste>): Promise<Hasty> {
  return { ...hasty, dependants: await currentDependants(client, hasty.late) };
}

/** Devices whose past has changed, and those of values that somebody has decided about. */
function haste(
  { late }: Prepared,
  stored: readonly Row[],
  { changed }: Settled,
): { readonly late: ReadonlySet<number>; readonly decided: ReadonlySet<number> } {
  const rows = changed.map(({ row }) => row);
  // A late row that was stored before has changed nothing.
  if (late.size > 0) rows.push(...stored.filter((row) => late.has(row)));
  const idsOf = (some: readonly Row[]) => new Set<number>(some.map(({ device }) => device.id));
  return { late: idsOf(rows), decided: idsOf(rows.filter(({ isDecided }) => isDecided)) };
}

/** Stored rows, and the existing rows under the keys of the others. */
interface Inserted {
  readonly stored: readonly Row[];
  readonly found: Found;
}

/** Retries when another batch inserts keys between lookup and write. */
const mostRaces = 5;
/** Rows are looked up by primary key: otherwise the planner reads whole partitions of the period. */
const byKey = "set local enable_hashjoin = off; set local enable_mergejoin = off";
const nothingFound: Found = { free: [], repeated: [], taken: [] };

/** Begins the transaction and inserts the rows whose keys are free. */
async function insert(
  client: pg.ClientBase,
  sets: FieldSets,
  { rows, isFresh }: Prepared,
): Promise<Inserted> {
  if (isFresh && rows.length > 0) {
    if (await copyMessages(client, rows, `begin; ${byKey};`)) return { stored: rows, found: nothingFound };
  } else await client.query(`begin; ${byKey}`);
  for (let tried = 1; tried <= mostRaces; tried++) {
    const found = await findStored(client, sets, { rows });
    if (found.free.length === 0 || (await copyMessages(client, found.free)))
      return { stored: found.free, found };
  }
  throw new RowVanished();
}

/**
 * Compares the others with existing rows: rows with taken keys and those that occur more than once in the
 * batch.
 */
async function settle(
  client: pg.ClientBase,
  { sets, clock }: Store,
  { duplicates }: Prepared,
  found: Found,
): Promise<Settled> {
  const late = await findStored(client, sets, { rows: [...duplicates].sort(compareKeys), withRepeats: true });
  const keys = takenKeys(found.taken, duplicates, late.taken);
  return settleConflicts(client, sets, { keys, nowMs: clock.nowMs() });
}

/** Rows whose values stay beside those that stand: they contradict them. */
const refusedOf = ({ outcomes }: Settled): readonly Row[] =>
  [...outcomes].flatMap(([row, outcome]) =>
    outcome === "refused" && row.source !== sources.calculated ? [row] : [],
  );

/** Stored rows and changed rows, in the order of the key. */
function byKeyOf(stored: readonly Row[], { changed }: Settled): readonly Row[] {
  const rows = changed.map(({ row }) => row);
  return stored.length === 0 ? rows : [...stored, ...rows].sort(compareKeys);
}

async function addToDays(
  client: pg.ClientBase,
  sets: FieldSets,
  { rows, days }: { readonly rows: readonly Row[]; readonly days: readonly DayRow[] },
): Promise<void> {
  // Loaded only for days that the database could not merge.
  let companies: Map<number, number> | undefined;
  const companyOf = (deviceId: number): number => {
    companies ??= new Map(rows.map(({ device }) => [device.id, device.companyId]));
    return companies.get(deviceId) ?? 0;
  };
  await mergeDays(client, sets, { days, companyOf });
}

/** Days with a changed row are recomputed; to the others the new rows are added. */
async function changeDays(
  client: pg.ClientBase,
  sets: FieldSets,
  { stored, settled }: { readonly stored: readonly Row[]; readonly settled: Settled },
): Promise<void> {
  const changed = daysTouched(settled.changed.map(({ row }) => row));
  if (stored.length === 0) return recountDays(client, sets, changed, { added: [], ...settled });
  // All locked first, in one order, so that two batches that change some and add to others cannot deadlock.
  if (changed.length > 0) await lockDays(client, daysTouched(byKeyOf(stored, settled)));
  const recounted = new Set(changed.map(dayKeyOf));
  const days = sumDays(stored).filter((day) => !recounted.has(dayKeyOf(day)));
  // A row may be both: stored, and changed by a later reading of the same batch. Its day did not count it
  // before.
  const [added, now] = [
    new Set(stored.map(rowKeyOf)),
    new Set(settled.changed.map(({ row }) => rowKeyOf(row))),
  ];
  await recountDays(client, sets, changed, {
    added: [
      ...stored.filter((row) => !now.has(rowKeyOf(row))),
      ...settled.changed.flatMap(({ row }) => (added.has(rowKeyOf(row)) ? row : [])),
    ],
    changed: settled.changed.filter(({ row }) => !added.has(rowKeyOf(row))),
  });
  await addToDays(client, sets, { rows: stored, days });
}

/** Stored ranges by device and type, for the subscribers. */
function spansOf(rows: readonly Row[]): Events["readingsStored"] {
  const spans = new Map<number, Events["readingsStored"][number]>();
  for (const { device, msgType, ts } of rows) {
    const key = device.id * 65_536 + msgType;
    const { from, to } = spans.get(key) ?? { from: ts, to: ts };
    spans.set(key, {
      companyId: device.companyId,
      deviceId: device.id,
      msgType,
      from: Math.min(from, ts),
      to: Math.max(to, ts),
    });
  }
  return [...spans.values()];
}

function* timesOf(rows: readonly Row[]): Iterable<number> {
  for (const { ts } of rows) yield ts;
}
