import { statuses } from "@metrum/vocabulary";
import type pg from "pg";
import type { Clock, Events } from "#core";
import { settleConflicts, type Outcome, type Settled } from "./conflicts.ts";
import { sumDays, type DayMessage } from "./days.ts";
import type { Facts } from "./facts.ts";
import type { FieldSets } from "./fieldSets.ts";
import type { Levels } from "./levels.ts";
import type { Partitions } from "./partitions.ts";
import { compareKeys, prepare, type Prepared } from "./prepare.ts";
import { recountDays } from "./recount.ts";
import type { Incoming, Row } from "./types.ts";
import { copyMessages, insertMessages, markDue, mergeDays, raiseLatest } from "./write.ts";

export interface Store {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly sets: FieldSets;
  readonly levels: Levels;
  readonly partitions: Partitions;
}

export interface Written {
  /** By position in the batch. */
  readonly outcomes: readonly Outcome[];
  readonly stored: Events["readingsStored"];
  readonly heard: ReadonlyMap<number, number>;
}

/** Stores a batch in one transaction; resolves after COMMIT. Every table is locked in the order of its key. */
export async function writeBatch(store: Store, batch: readonly Incoming[]): Promise<Written> {
  const prepared = await prepare(batch, store);
  await store.partitions.ensure(timesOf(prepared.rows));
  const { isNew, settled, latest } = await inTransaction(store.pool, (client) =>
    writeTables(client, store, prepared),
  );
  for (const { device, msgType, ts, set, v } of latest)
    store.levels.raise(device.id, msgType, { ts, set, v });
  const stored = prepared.rows.filter((_, at) => isNew[at]);
  const outcomes = new Array<Outcome>(batch.length).fill("unknown");
  for (const { at } of prepared.aside) outcomes[at] = "aside";
  for (const { at } of stored) outcomes[at] = "stored";
  for (const [{ at }, outcome] of settled.outcomes) outcomes[at] = outcome;
  return {
    outcomes,
    stored: spansOf([...stored, ...settled.changed.map(({ row }) => row)]),
    heard: prepared.heard,
  };
}

interface Tables {
  readonly isNew: readonly boolean[];
  readonly settled: Settled;
  readonly latest: readonly Row[];
}

const nothingSettled: Settled = { changed: [], outcomes: new Map() };

async function writeTables(client: pg.ClientBase, store: Store, prepared: Prepared): Promise<Tables> {
  const { rows, again } = prepared;
  const inserting = insert(client, prepared);
  inserting.catch(() => undefined);
  // While the database inserts, the days are summed as if every row were new, which is almost always so.
  const days = sumDays(rows);
  const isNew = await inserting;
  await writeAside(client, prepared.aside);
  const allNew = isNew.every(Boolean) && again.length === 0;
  const stored = allNew ? rows : rows.filter((_, at) => isNew[at]);
  const conflicting = allNew ? [] : [...rows.filter((_, at) => !isNew[at]), ...again];
  const settled =
    conflicting.length > 0
      ? await settleConflicts(client, store.sets, { rows: conflicting, nowMs: store.clock.nowMs() })
      : nothingSettled;
  const written = allNew ? rows : [...stored, ...settled.changed.map(({ row }) => row)].sort(compareKeys);
  const latest = newest(written);
  const touched = allNew ? undefined : new Set<number>(written.map(({ device }) => device.id));
  if (settled.changed.length > 0) await recountDays(client, store.sets, daysToRecount(stored, settled));
  else await mergeDays(client, allNew ? days : sumDays(stored));
  await raiseLatest(client, latest);
  await markDue(
    client,
    touched ? new Map([...prepared.due].filter(([id]) => touched.has(id))) : prepared.due,
  );
  return { isNew, settled, latest };
}

/** Begins the transaction and inserts; says of each row whether it is new. */
async function insert(client: pg.ClientBase, { rows, isFresh }: Prepared): Promise<readonly boolean[]> {
  if (isFresh && rows.length > 0) {
    if (await copyMessages(client, rows)) return rows.map(() => true);
  } else await client.query("begin");
  return rows.length > 0 ? insertMessages(client, rows) : [];
}

/** Every day row that loses or gains a message. Rows that only gain are counted anew too, so that locks keep one order. */
function daysToRecount(stored: readonly Row[], settled: Settled): Parameters<typeof recountDays>[2] {
  const touched: DayMessage[] = [...stored, ...settled.changed.flatMap(({ row, before }) => [row, before])];
  const zones = new Map(touched.map(({ device }) => [device.id, device.zone]));
  return { days: sumDays(touched), zoneOf: (deviceId) => zones.get(deviceId) ?? "UTC" };
}

/** The newest row of each device and type, in the order of the key; as the rows are. */
function newest(rows: readonly Row[]): Row[] {
  const latest: Row[] = [];
  for (const row of rows) {
    if (row.status === statuses.rejected.id) continue;
    const last = latest.at(-1);
    if (last?.device !== row.device || last.msgType !== row.msgType) latest.push(row);
    else if (last.ts <= row.ts) latest[latest.length - 1] = row;
  }
  return latest;
}

async function writeAside(client: pg.ClientBase, aside: Prepared["aside"]): Promise<void> {
  for (const { reading } of aside) {
    const { deviceId, receivedAt, msgType, ts, ...rest } = reading;
    await client.query(
      `insert into message_aside (device_id, received_at, msg_type, ts, reading)
        values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [
        deviceId,
        Math.round(receivedAt),
        msgType,
        Number.isSafeInteger(ts) ? ts : 0,
        JSON.stringify({ ts, ...rest }).replaceAll("\\u0000", ""),
      ],
    );
  }
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

/** `run` begins the transaction, with its first statement. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  run: (client: pg.ClientBase) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const result = await run(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    const isClean = await client.query("rollback").then(
      () => true,
      () => false,
    );
    client.release(!isClean);
    throw error;
  }
}
