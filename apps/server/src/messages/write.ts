import pg from "pg";
import { int2Array, int4Array, int8Array, textArray } from "./arrays.ts";
import { copyColumns, copyData, copyFrom } from "./copy.ts";
import { flatten, sliceOf } from "./flatten.ts";
import type { Span } from "./prepare.ts";
import type { Row } from "./types.ts";

const messageColumns = copyColumns;
const messageSource = `
  select t.ts, t.device_id, t.real, t.received, t.msg_type, t.set, t.status, t.source,
    ${sliceOf(9)},
    t.extra::jsonb, t.by_field::jsonb
  from unnest($1::int8[], $2::int4[], $3::int4[], $4::int4[], $5::int2[], $6::int4[], $7::int2[], $8::int2[],
      $10::int4[], $11::int4[], $12::bool[], $13::text[], $14::text[])
    as t(ts, device_id, real, received, msg_type, set, status, source, a, b, holes, extra, by_field)`;

function messageValues(rows: readonly Row[]): Buffer[] {
  const v = flatten(rows.map((row) => row.v));
  return [
    int8Array(rows.map((row) => row.ts)),
    int4Array(rows.map((row) => row.device.id)),
    int4Array(rows.map((row) => (row.meterAt === null ? null : row.meterAt - row.ts))),
    int4Array(rows.map((row) => row.receivedAt - row.ts)),
    int2Array(rows.map((row) => row.msgType)),
    int4Array(rows.map((row) => row.set.id)),
    int2Array(rows.map((row) => row.status)),
    int2Array(rows.map((row) => row.source)),
    v.values,
    v.from,
    v.to,
    v.hasHoles,
    textArray(rows.map((row) => row.extra)),
    textArray(rows.map((row) => (row.by_field ? JSON.stringify(row.by_field) : null))),
  ];
}

/**
 * Begins the transaction and writes rows that are believed to be new: three times as fast as an insert that looks for
 * conflicts. False when one of the keys was taken after all; then nothing of them is written.
 */
export async function copyMessages(client: pg.ClientBase, rows: readonly Row[]): Promise<boolean> {
  try {
    const text = `begin; savepoint fresh; copy message (${messageColumns}) from stdin (format binary)`;
    await copyFrom(client, text, copyData(rows));
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== uniqueViolation) throw error;
    await client.query("rollback to savepoint fresh");
    return false;
  }
}

const uniqueViolation = "23505";

/** Which of these rows are new. The database names them only when some are not. */
export async function insertMessages(
  client: pg.ClientBase,
  rows: readonly Row[],
): Promise<readonly boolean[]> {
  const { rows: answers } = await client.query<{ n: number; keys: [number, number, number][] | null }>({
    name: "messages-insert",
    text: `with new as (
        insert into message (${messageColumns}) ${messageSource}
        on conflict (device_id, msg_type, ts) do nothing returning device_id, msg_type, ts
      )
      select count(*)::int as n, case when count(*) < $15::int then coalesce(json_agg(json_build_array(device_id, msg_type, ts)), '[]') end as keys
      from new`,
    values: [...messageValues(rows), rows.length],
  });
  const keys = answers[0]?.keys;
  if (!keys) return rows.map(() => true);
  const inserted = new Set(keys.map((key) => key.join(" ")));
  return rows.map(({ device, msgType, ts }) =>
    inserted.has(`${String(device.id)} ${String(msgType)} ${String(ts)}`),
  );
}

/** Puts these rows in the place of what stands under their keys; the rows are locked already. */
export async function replaceMessages(client: pg.ClientBase, rows: readonly Row[]): Promise<void> {
  const times = rows.map(({ ts }) => ts);
  await client.query({
    name: "messages-replace",
    text: `update message m set real_ts_offset = n.real_ts_offset, received_at_offset = n.received_at_offset,
        field_set_id = n.field_set_id, status = n.status, source = n.source, v = n.v, extra = n.extra, by_field = n.by_field
      from (${messageSource}) as n(${messageColumns})
      where m.device_id = n.device_id and m.msg_type = n.msg_type and m.ts = n.ts and m.ts >= $15::int8 and m.ts <= $16::int8`,
    values: [...messageValues(rows), Math.min(...times), Math.max(...times)],
  });
}

/** Marks spans of counters whose derived rows are to be recomputed. */
export async function markDue(client: pg.ClientBase, due: ReadonlyMap<number, Span>): Promise<void> {
  if (due.size === 0) return;
  const marks = [...due].sort(([a], [b]) => a - b);
  await client.query({
    name: "messages-due",
    text: `insert into derive_due as d (device_id, from_ts, to_ts)
      select * from unnest($1::int4[], $2::int8[], $3::int8[])
      on conflict (device_id) do update set from_ts = least(d.from_ts, excluded.from_ts),
        to_ts = greatest(d.to_ts, excluded.to_ts), marks = d.marks + 1, leased_until = 0, attempts = 0, error = null`,
    values: [
      int4Array(marks.map(([id]) => id)),
      int8Array(marks.map(([, span]) => span.from)),
      int8Array(marks.map(([, span]) => span.to)),
    ],
  });
}
