import {
  quarantineBounds,
  quarantineReasons,
  quarantineStates,
  type QuarantineReason,
} from "@metrum/contract/metering";
import { sources } from "@metrum/vocabulary";
import type pg from "pg";
import { sql } from "kysely";
import { storableJson, type Db, type Services } from "#core";
import { int2Array, int4Array, int8Array, textArray, type Incoming } from "../rows/index.ts";
import type { LockedRow } from "./quarantineStore.ts";

/** A reading that is not stored, with its position in the batch. */
export interface Quarantined {
  readonly reading: Incoming;
  readonly reason: QuarantineReason;
  readonly at: number;
}

/**
 * Puts readings into quarantine, as far as their device and its company have room; the rest is only counted.
 * Three statements, whatever the number of readings. Devices are locked in the order of their ids. Returns
 * the devices that had no waiting readings before.
 */
export async function writeQuarantine(
  client: pg.ClientBase,
  given: readonly Quarantined[],
): Promise<ReadonlySet<number>> {
  if (given.length === 0) return new Set();
  const { room, empty } = await roomOf(client, new Set(given.map(({ reading }) => reading.deviceId)));
  const kept = given.filter(({ reading: { deviceId } }) => {
    const left = room.get(deviceId) ?? 0;
    room.set(deviceId, left - 1);
    return left > 0;
  });
  const added = kept.length > 0 ? await insert(client, kept) : new Map<number, number>();
  const changes = [...room].map(([id, left]) => ({
    id,
    added: added.get(id) ?? 0,
    notKept: Math.max(0, -left),
  }));
  await client.query({
    name: "messages-quarantine-count",
    text: `update quarantine_count c set waiting = c.waiting + t.added, not_kept = c.not_kept + t.not_kept
      from unnest($1::int4[], $2::int4[], $3::int4[]) as t(id, added, not_kept) where c.device_id = t.id`,
    values: [
      int4Array(changes.map(({ id }) => id)),
      int4Array(changes.map((each) => each.added)),
      int4Array(changes.map((each) => each.notKept)),
    ],
  });
  return new Set(empty.filter((id) => added.has(id)));
}

interface RoomRow {
  readonly device_id: number;
  readonly waiting: number;
  readonly of_company: number;
}

/**
 * Readings that each device may add. Index quarantine_count_open: devices with readings in quarantine, of
 * these companies.
 */
async function roomOf(
  client: pg.ClientBase,
  ids: ReadonlySet<number>,
): Promise<{ readonly room: Map<number, number>; readonly empty: readonly number[] }> {
  const sorted = [...ids].sort((a, b) => a - b);
  await client.query({
    name: "messages-quarantine-lock",
    text: `insert into quarantine_count as c (device_id) select * from unnest($1::int4[])
      on conflict (device_id) do update set device_id = excluded.device_id`,
    values: [int4Array(sorted)],
  });
  const { rows } = await client.query<RoomRow>({
    name: "messages-quarantine-room",
    text: `with asked as (
        select c.device_id, c.waiting, d.company_id from quarantine_count c join device d on d.id = c.device_id
        where c.device_id = any($1::int4[])
      ), full_of as (
        select d.company_id, sum(c.waiting)::int4 as waiting from quarantine_count c join device d on d.id = c.device_id
        where (c.waiting > 0 or c.not_kept > 0) and d.company_id in (select company_id from asked) group by d.company_id
      )
      select asked.device_id, asked.waiting, coalesce(full_of.waiting, 0) as of_company
      from asked left join full_of using (company_id)`,
    values: [int4Array(sorted)],
  });
  const { ofDevice, ofCompany } = quarantineBounds;
  const room = new Map(
    rows.map(({ device_id, waiting, of_company }) => [
      device_id,
      Math.max(0, Math.min(ofDevice - waiting, ofCompany - of_company)),
    ]),
  );
  return { room, empty: rows.flatMap(({ device_id, waiting }) => (waiting === 0 ? [device_id] : [])) };
}

/** Limit of different readings of one device, type and time stamp per receipt. */
const mostOfKey = 1_000;

/** Adds rows; a repeated reading is stored once. Returns how many were added, by device. */
async function insert(client: pg.ClientBase, kept: readonly Quarantined[]): Promise<Map<number, number>> {
  const sameKey = new Map<string, string[]>();
  const rows = kept.flatMap(({ reading, reason }) => {
    const { deviceId, msgType, receivedAt, ts, source, isReleased: _, ...rest } = reading;
    const json = storableJson(rest);
    const stamp = Number.isSafeInteger(ts) ? ts : 0;
    const key = `${String(deviceId)} ${String(receivedAt)} ${String(msgType)} ${String(stamp)}`;
    const same = sameKey.get(key) ?? [];
    if (same.includes(json) || same.length > mostOfKey) return [];
    sameKey.set(key, same);
    const n = same.push(json) - 1;
    return [
      {
        ...{ deviceId, msgType, receivedAt: Math.round(receivedAt), ts: stamp, n, json },
        reason: quarantineReasons[reason],
        source: sources[source],
      },
    ];
  });
  const { rows: added } = await client.query<{ device_id: number; n: number }>({
    name: "messages-quarantine",
    text: `with added as (
        insert into reading_quarantine (device_id, received_at, msg_type, ts, n, reason, source, reading)
        select * from unnest($1::int4[], $2::int8[], $3::int2[], $4::int8[], $5::int2[], $6::int2[], $7::int2[], $8::text[]::jsonb[])
        on conflict do nothing returning device_id
      )
      select device_id, count(*)::int4 as n from added group by device_id`,
    values: [
      int4Array(rows.map((row) => row.deviceId)),
      int8Array(rows.map((row) => row.receivedAt)),
      int2Array(rows.map((row) => row.msgType)),
      int8Array(rows.map((row) => row.ts)),
      int2Array(rows.map((row) => row.n)),
      int2Array(rows.map((row) => row.reason)),
      int2Array(rows.map((row) => row.source)),
      textArray(rows.map((row) => row.json)),
    ],
  });
  return new Map(added.map(({ device_id, n }) => [device_id, n]));
}

/** Records the decision in one statement, and frees the room. */
export async function noteDecision(
  db: Db,
  rows: readonly LockedRow[],
  by: { readonly state: keyof typeof quarantineStates; readonly userId: number; readonly at: number },
): Promise<void> {
  await sql`
    update reading_quarantine q set state = ${quarantineStates[by.state]}, decided_at = ${by.at}, decided_by = ${by.userId}
    from unnest(${rows.map((row) => row.device_id)}::int[], ${rows.map((row) => row.received_at)}::bigint[],
      ${rows.map((row) => row.msg_type)}::smallint[], ${rows.map((row) => row.ts)}::bigint[], ${rows.map((row) => row.n)}::smallint[])
      as k(device_id, received_at, msg_type, ts, n)
    where (q.device_id, q.received_at, q.msg_type, q.ts, q.n) = (k.device_id, k.received_at, k.msg_type, k.ts, k.n)`.execute(
    db,
  );
  await countWaiting(db, [...new Set(rows.map((row) => row.device_id))]);
}

/** Recounts the waiting readings of these devices, which frees the room of decided ones. */
export async function countWaiting(db: Db, deviceIds: readonly number[]): Promise<void> {
  const ids = deviceIds.toSorted((a, b) => a - b);
  await sql`
    with held as (
      select device_id from quarantine_count where device_id = any(${ids}::int[]) order by device_id for update
    ), counted as (
      select held.device_id, (select count(*) from reading_quarantine q where q.device_id = held.device_id
        and q.state = ${sql.lit(quarantineStates.waiting)})::int as n from held
    )
    update quarantine_count c set waiting = n, not_kept = case when n = 0 then 0 else not_kept end
    from counted where c.device_id = counted.device_id`.execute(db);
}

const countedAtOnce = 200;

/** Recounts every device with waiting readings, because expired ones free their room. */
export async function recountQuarantine({ database }: Pick<Services, "database">): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select device_id as id from quarantine_count where waiting > 0 order by device_id`.execute(
    database.system,
  );
  for (let at = 0; at < rows.length; at += countedAtOnce)
    await countWaiting(
      database.system,
      rows.slice(at, at + countedAtOnce).map(({ id }) => id),
    );
}
