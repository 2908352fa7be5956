import type pg from "pg";
import {
  flatten,
  inOrderOf,
  int2Array,
  int4Array,
  int8Array,
  sliceOf,
  textArray,
  type DeviceMetadata,
  type FieldSets,
  type Row,
} from "../rows/index.ts";
import type { Clock } from "#core";
import { isWhole, latestIn, withMessage, type Latest } from "./latest.ts";
import { latestOf, type LatestCache, type LatestRow } from "./latestCache.ts";
import { countedBefore, latestOfMessages } from "./latestOfMessages.ts";

/** The latest values of a device and message type after a batch. */
export interface Raised {
  readonly device: DeviceMetadata;
  readonly msgType: number;
  readonly latest: Latest;
}

interface Pair {
  readonly device: DeviceMetadata;
  readonly msgType: number;
  readonly rows: readonly Row[];
  /** Result of the rows of the batch alone; undefined when all are rejected. */
  readonly latest: Latest | undefined;
  /** The newest row has all values of the others, with one origin. */
  readonly isPlain: boolean;
}

/**
 * Stores the newest value of each field of each device and type; the rows are in the order of the key. The
 * database does it alone if the newest row has every stored value, as nearly always, or if no value is
 * stored; else the values are merged here.
 */
export async function raiseLatest(
  client: pg.ClientBase,
  { sets, latestCache, clock }: LatestParts,
  rows: readonly Row[],
): Promise<readonly Raised[]> {
  const pairs = pairsOf(rows);
  if (pairs.length === 0) return [];
  if (pairs.every(({ isPlain }) => isPlain)) {
    const raised = pairs.flatMap(({ device, msgType, latest }) =>
      latest ? [{ device, msgType, latest }] : [],
    );
    const isKnown = ({ device, msgType }: Raised) => latestCache.of(device.id, msgType) !== undefined;
    const [overwritten, added] = await Promise.all([
      overwriteLatest(client, raised.filter(isKnown)),
      writeLatest(
        client,
        raised.filter((each) => !isKnown(each)),
        "new",
      ),
    ]);
    // A row that was not written is one of another process, of another set, or newer.
    if (overwritten + added === raised.length) return raised;
  }
  await lockLatest(client, pairs);
  return mergeLatest(client, { sets, before: countedBefore(clock) }, pairs);
}

interface LatestParts {
  readonly sets: FieldSets;
  readonly latestCache: LatestCache;
  readonly clock: Pick<Clock, "now">;
}

interface Merging {
  readonly sets: FieldSets;
  /** See `countedBefore`. */
  readonly before: number;
}

function pairsOf(rows: readonly Row[]): Pair[] {
  const pairs: { device: DeviceMetadata; msgType: number; rows: Row[] }[] = [];
  for (const row of rows) {
    const last = pairs.at(-1);
    if (last?.device.id === row.device.id && last.msgType === row.msgType) last.rows.push(row);
    else pairs.push({ device: row.device, msgType: row.msgType, rows: [row] });
  }
  return pairs.flatMap((pair) => {
    const newest = pair.rows.at(-1);
    let latest: Latest | undefined;
    // The usual case, without reading existing rows.
    if (newest && isWhole(newest)) latest = newest;
    else for (const row of pair.rows) latest = withMessage(latest, row);
    const { device, msgType, rows } = pair;
    return latest ? [{ device, msgType, rows, latest, isPlain: latest.by_field === null }] : [];
  });
}

/** The pairs in the order of their key, which prevents deadlocks between batches. */
export async function lockLatest(
  client: pg.ClientBase,
  pairs: readonly Pick<Pair, "device" | "msgType">[],
): Promise<void> {
  await client.query({
    name: "messages-latest-lock",
    text: `select from device_latest l
      join unnest($1::int4[], $2::int2[]) as k(device_id, msg_type) on l.device_id = k.device_id and l.msg_type = k.msg_type
      order by l.device_id, l.msg_type for update of l`,
    values: keyValues(pairs),
  });
}

/** Existing rows are locked by now. One that appears meanwhile is locked and merged as well. */
async function mergeLatest(
  client: pg.ClientBase,
  merging: Merging,
  pairs: readonly Pair[],
): Promise<readonly Raised[]> {
  const { sets } = merging;
  const standing = await readLatestOf(client, sets, pairs);
  const raised: Raised[] = [];
  const changed: Raised[] = [];
  const added: { pair: Pair; raised: Raised }[] = [];
  for (const pair of pairs) {
    const { device, msgType, rows } = pair;
    const before = standing.get(`${String(device.id)} ${String(msgType)}`);
    const counted = before && (await countedLatest(client, merging, { device, msgType, latest: before }));
    const latest = await mergedLatest(sets, counted, rows);
    if (!latest) continue;
    raised.push({ device, msgType, latest });
    if (!before) added.push({ pair, raised: { device, msgType, latest } });
    else if (latest !== before) changed.push({ device, msgType, latest });
  }
  await writeLatest(client, changed, "locked");
  const written = await writeLatest(
    client,
    added.map((each) => each.raised),
    "new",
  );
  if (written === added.length) return raised;
  const addedPairs = added.map(({ pair }) => pair);
  await lockLatest(client, addedPairs);
  return [...raised, ...(await mergeLatest(client, merging, addedPairs))];
}

/** The latest values without those ahead of the clock. */
async function countedLatest(
  client: pg.ClientBase,
  { sets, before }: Merging,
  { device, msgType, latest }: Raised,
): Promise<Latest | undefined> {
  if (latest.ts < before) return latest;
  const wanted = new Set<string>(latest.set.fields.filter((_, at) => (latest.v[at] ?? null) !== null));
  return latestOfMessages(client, sets, { deviceId: device.id, msgType, set: latest.set, wanted, before });
}

async function mergedLatest(
  sets: FieldSets,
  before: Latest | undefined,
  rows: readonly Row[],
): Promise<Latest | undefined> {
  let latest = before;
  for (const row of rows) {
    const set = latest ? await sets.union(latest.set, row.set, row.device.companyId) : row.set;
    const message = row.set.id === set.id ? row : { ...row, set, v: inOrderOf(set, row.set, row.v) };
    latest = withMessage(latest && latestIn(latest, set), message);
  }
  return latest;
}

/** One row per pair, by the primary key of device_latest; by device and message type. */
export async function readLatestOf(
  client: pg.ClientBase,
  sets: FieldSets,
  pairs: readonly Pick<Pair, "device" | "msgType">[],
): Promise<Map<string, Latest>> {
  const { rows } = await client.query<LatestRow>({
    name: "messages-latest-read",
    text: `select l.device_id, l.msg_type, l.ts, l.received_at, l.field_set_id, l.status, l.source, l.v, l.by_field
      from unnest($1::int4[], $2::int2[]) as k(device_id, msg_type)
      join device_latest l on l.device_id = k.device_id and l.msg_type = k.msg_type`,
    values: keyValues(pairs),
  });
  await sets.load(rows.map((row) => row.field_set_id));
  return new Map(
    rows.flatMap((row) => {
      const latest = latestOf(row, sets);
      return latest ? [[`${String(row.device_id)} ${String(row.msg_type)}`, latest]] : [];
    }),
  );
}

const keyValues = (pairs: readonly Pick<Pair, "device" | "msgType">[]): Buffer[] => [
  int4Array(pairs.map(({ device }) => device.id)),
  int2Array(pairs.map(({ msgType }) => msgType)),
];

/**
 * Overwrites existing rows of the same set and nulls that are not newer; returns their number. An update
 * takes a fifth less time than an insert that finds every key taken.
 */
async function overwriteLatest(client: pg.ClientBase, raised: readonly Raised[]): Promise<number> {
  if (raised.length === 0) return 0;
  const { rowCount } = await client.query({
    name: "messages-latest-overwrite",
    text: `update device_latest l set ts = t.ts, received_at = t.received_at, status = t.status, source = t.source,
        v = ${sliceOf(8)}, by_field = null
      from unnest(${parametersOfLatest}) as t(${columnsOfLatest})
      where l.device_id = t.device_id and l.msg_type = t.msg_type and l.ts <= t.ts and l.field_set_id = t.set
        and case when t.holes then array_positions(l.v, null) = array_positions(${sliceOf(8)}, null)
          else array_position(l.v, null) is null end`,
    values: valuesOfLatest(raised),
  });
  return rowCount ?? 0;
}

const parametersOfLatest =
  "$1::int4[], $2::int2[], $3::int8[], $4::int8[], $5::int4[], $6::int2[], $7::int2[], $9::int4[], $10::int4[], $11::bool[]";
const columnsOfLatest = "device_id, msg_type, ts, received_at, set, status, source, a, b, holes";

function valuesOfLatest(raised: readonly Raised[]): Buffer[] {
  const v = flatten(raised.map(({ latest }) => latest.v));
  return [
    ...keyValues(raised),
    int8Array(raised.map(({ latest }) => latest.ts)),
    int8Array(raised.map(({ latest }) => latest.receivedAt)),
    int4Array(raised.map(({ latest }) => latest.set.id)),
    int2Array(raised.map(({ latest }) => latest.status)),
    int2Array(raised.map(({ latest }) => latest.source)),
    v.values,
    v.from,
    v.to,
    v.hasHoles,
  ];
}

/**
 * Returns how many it has written. "locked": over rows that were read and locked before. "new": only where no
 * row exists.
 */
export async function writeLatest(
  client: pg.ClientBase,
  raised: readonly Raised[],
  how: keyof typeof onConflict,
): Promise<number> {
  if (raised.length === 0) return 0;
  const { rowCount } = await client.query({
    name: `messages-latest-${how}`,
    text: `insert into device_latest as l (device_id, msg_type, ts, received_at, field_set_id, status, source, v, by_field)
      select t.device_id, t.msg_type, t.ts, t.received_at, t.set, t.status, t.source, ${sliceOf(8)}, t.by_field::jsonb
      from unnest(${parametersOfLatest}, $12::text[]) as t(${columnsOfLatest}, by_field)
      on conflict (device_id, msg_type) do ${onConflict[how]}`,
    values: [
      ...valuesOfLatest(raised),
      textArray(raised.map(({ latest }) => (latest.by_field ? JSON.stringify(latest.by_field) : null))),
    ],
  });
  return rowCount ?? 0;
}

/** Latest values that are ahead of the clock. Rows: one per device and type, once per check of the installation. */
export async function latestAhead(pool: pg.Pool, before: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from device_latest where ts >= $1::int8",
    [before],
  );
  return rows[0]?.count ?? 0;
}

/** No message with a latest value is left. */
export async function removeLatest(client: pg.ClientBase, deviceId: number, msgType: number): Promise<void> {
  await client.query("delete from device_latest where device_id = $1::int4 and msg_type = $2::int2", [
    deviceId,
    msgType,
  ]);
}

const onConflict = {
  new: "nothing",
  locked: `update set ts = excluded.ts, received_at = excluded.received_at, field_set_id = excluded.field_set_id,
    status = excluded.status, source = excluded.source, v = excluded.v, by_field = excluded.by_field`,
} as const;
