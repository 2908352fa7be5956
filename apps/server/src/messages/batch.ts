import type pg from "pg";
import { inTransaction, type Clock, type Events, type Partitions } from "#core";
import { settleConflicts, type Outcome, type Settled } from "./conflicts.ts";
import { dayKeyOf, daysTouched, sumDays, type DayRow } from "./days.ts";
import { lockDays, mergeDays } from "./dayStore.ts";
import type { Facts } from "./facts.ts";
import type { FieldSets } from "./fieldSets.ts";
import { raiseLatest, type Raised } from "./latestStore.ts";
import type { Levels } from "./levels.ts";
import { prepare, type Prepared } from "./prepare.ts";
import { writeQuarantine } from "./quarantineWrite.ts";
import { recountDays } from "./recount.ts";
import { compareKeys } from "./rowKey.ts";
import type { Incoming, Row } from "./types.ts";
import { copyMessages, insertMessages, markDue } from "./write.ts";

export interface Store {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly sets: FieldSets;
  readonly levels: Levels;
  readonly partitions: Partitions;
  readonly revisionPartitions: Partitions;
}

export interface Written {
  /** By position in the batch. */
  readonly outcomes: readonly Outcome[];
  readonly stored: Events["readingsStored"];
  readonly heard: ReadonlyMap<number, number>;
  readonly quarantineBegan: Events["quarantineBegan"];
}

/** Stores a batch in one transaction; resolves after COMMIT. Every table is locked in the order of its key. */
export async function writeBatch(store: Store, batch: readonly Incoming[]): Promise<Written> {
  const prepared = await prepare(batch, store);
  await store.partitions.ensure(timesOf(prepared.rows));
  await store.revisionPartitions.ensure([store.clock.now()]);
  const { isNew, settled, raised, began } = await inTransaction(store.pool, (client) =>
    writeTables(client, store, prepared),
  );
  for (const { device, msgType, latest } of raised) store.levels.raise(device.id, msgType, latest);
  const stored = prepared.rows.filter((_, at) => isNew[at]);
  const outcomes = new Array<Outcome>(batch.length).fill("unknown");
  for (const { at } of prepared.quarantined) outcomes[at] = "quarantined";
  for (const { at } of stored) outcomes[at] = "stored";
  for (const [{ at }, outcome] of settled.outcomes) outcomes[at] = outcome;
  return {
    outcomes,
    stored: spansOf([...stored, ...settled.changed.map(({ row }) => row)]),
    heard: prepared.heard,
    quarantineBegan: await ownedBy(store, began),
  };
}

async function ownedBy({ facts }: Store, deviceIds: ReadonlySet<number>): Promise<Events["quarantineBegan"]> {
  if (deviceIds.size === 0) return [];
  const known = await facts.of(deviceIds);
  return [...deviceIds].flatMap((id) => {
    const device = known.get(id);
    return device ? [{ companyId: device.companyId, deviceId: device.id }] : [];
  });
}

interface Tables {
  readonly isNew: readonly boolean[];
  readonly settled: Settled;
  readonly raised: readonly Raised[];
  /** Devices whose readings have begun to wait in quarantine. */
  readonly began: ReadonlySet<number>;
}

const nothingSettled: Settled = { changed: [], outcomes: new Map() };

async function writeTables(client: pg.ClientBase, store: Store, prepared: Prepared): Promise<Tables> {
  const { rows, again } = prepared;
  const inserting = insert(client, prepared);
  inserting.catch(() => undefined);
  // While the database inserts, the days are summed as if every row were new, which is almost always so.
  const days = sumDays(rows);
  const isNew = await inserting;
  const began = await writeQuarantine(client, prepared.quarantined);
  const allNew = isNew.every(Boolean) && again.length === 0;
  const stored = allNew ? rows : rows.filter((_, at) => isNew[at]);
  const conflicting = allNew ? [] : [...rows.filter((_, at) => !isNew[at]), ...again];
  const settled =
    conflicting.length > 0
      ? await settleConflicts(client, store.sets, { rows: conflicting, nowMs: store.clock.nowMs() })
      : nothingSettled;
  const written = allNew ? rows : [...stored, ...settled.changed.map(({ row }) => row)].sort(compareKeys);
  if (allNew) await addToDays(client, store.sets, { rows, days });
  else await changeDays(client, store.sets, { stored, settled });
  const raised = await raiseLatest(client, store.sets, written);
  const touched = allNew ? undefined : new Set<number>(written.map(({ device }) => device.id));
  await markDue(
    client,
    touched ? new Map([...prepared.due].filter(([id]) => touched.has(id))) : prepared.due,
  );
  return { isNew, settled, raised, began };
}

async function addToDays(
  client: pg.ClientBase,
  sets: FieldSets,
  { rows, days }: { readonly rows: readonly Row[]; readonly days: readonly DayRow[] },
): Promise<void> {
  // Asked only for days that the database could not merge.
  let companies: Map<number, number> | undefined;
  const companyOf = (deviceId: number): number => {
    companies ??= new Map(rows.map(({ device }) => [device.id, device.companyId]));
    return companies.get(deviceId) ?? 0;
  };
  await mergeDays(client, sets, { days, companyOf });
}

/** Days in which a row has changed are counted anew; to the others the new rows are added. */
async function changeDays(
  client: pg.ClientBase,
  sets: FieldSets,
  { stored, settled }: { readonly stored: readonly Row[]; readonly settled: Settled },
): Promise<void> {
  const changed = daysTouched(settled.changed.map(({ row }) => row));
  // All of them first, in one order: two batches that change some and add to others never wait for each other in a circle.
  if (changed.length > 0)
    await lockDays(client, daysTouched([...stored, ...settled.changed.map(({ row }) => row)]));
  const recounted = new Set(changed.map(dayKeyOf));
  const days = sumDays(stored).filter((day) => !recounted.has(dayKeyOf(day)));
  await recountDays(client, sets, changed);
  await addToDays(client, sets, { rows: stored, days });
}

/** Begins the transaction and inserts; says of each row whether it is new. */
async function insert(client: pg.ClientBase, { rows, isFresh }: Prepared): Promise<readonly boolean[]> {
  if (isFresh && rows.length > 0) {
    if (await copyMessages(client, rows)) return rows.map(() => true);
  } else await client.query("begin");
  return rows.length > 0 ? insertMessages(client, rows) : [];
}

/** What each device and type has got, for those who listen. */
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
