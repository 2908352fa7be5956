import pg from "pg";
import { boolArray, dateArray, float8Array, int2Array, int4Array, int8Array, textArray } from "./arrays.ts";
import { copyColumns, copyData, copyFrom } from "./copy.ts";
import type { DayRow } from "./days.ts";
import type { Span } from "./prepare.ts";
import type { Row } from "./types.ts";

/**
 * Arrays of different length in one parameter: all values behind each other, and for each row where its own begin and
 * end. A hole is NaN on the way (no reading holds one) and null again in the table.
 */
function flatten(arrays: readonly (readonly (number | null)[])[]): {
  values: Buffer;
  from: Buffer;
  to: Buffer;
  hasHoles: boolean[];
} {
  const values: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const hasHoles: boolean[] = [];
  for (const array of arrays) {
    from.push(values.length + 1);
    let holes = false;
    for (const value of array) {
      if (value === null) holes = true;
      values.push(value ?? Number.NaN);
    }
    hasHoles.push(holes);
    to.push(values.length);
  }
  return { values: float8Array(values), from: int4Array(from), to: int4Array(to), hasHoles };
}

const messageColumns = copyColumns;
const messageSource = `
  select t.ts, t.device_id, t.real, t.received, t.msg_type, t.set, t.status, t.source,
    case when t.holes then array_replace(($9::float8[])[t.a:t.b], 'NaN'::float8, null) else ($9::float8[])[t.a:t.b] end,
    t.extra::jsonb
  from unnest($1::int8[], $2::int4[], $3::int4[], $4::int4[], $5::int2[], $6::int2[], $7::int2[], $8::int2[],
      $10::int4[], $11::int4[], $12::bool[], $13::text[])
    as t(ts, device_id, real, received, msg_type, set, status, source, a, b, holes, extra)`;

function messageValues(rows: readonly Row[]): Buffer[] {
  const v = flatten(rows.map((row) => row.v));
  return [
    int8Array(rows.map((row) => row.ts)),
    int4Array(rows.map((row) => row.device.id)),
    int4Array(rows.map((row) => (row.meterAt === null ? null : row.meterAt - row.ts))),
    int4Array(rows.map((row) => row.receivedAt - row.ts)),
    int2Array(rows.map((row) => row.msgType)),
    int2Array(rows.map((row) => row.set.id)),
    int2Array(rows.map((row) => row.status)),
    int2Array(rows.map((row) => row.source)),
    v.values,
    v.from,
    v.to,
    boolArray(v.hasHoles),
    textArray(rows.map((row) => row.extra)),
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
      select count(*)::int as n, case when count(*) < $14::int then coalesce(json_agg(json_build_array(device_id, msg_type, ts)), '[]') end as keys
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
  await client.query({
    name: "messages-replace",
    text: `insert into message (${messageColumns}) ${messageSource}
      on conflict (device_id, msg_type, ts) do update set real_ts_offset = excluded.real_ts_offset,
        received_at_offset = excluded.received_at_offset, field_set_id = excluded.field_set_id,
        status = excluded.status, source = excluded.source, v = excluded.v, extra = excluded.extra`,
    values: messageValues(rows),
  });
}

const dayColumns =
  "device_id, msg_type, field_set_id, day, hours, n, first_ts, last_ts, first, last, sum, min, max";
const daySource = `
  select t.device_id, t.msg_type, t.set, t.day, t.hours, t.n, t.first_ts, t.last_ts,
    ($9::float8[])[t.a:t.b], ($10::float8[])[t.a:t.b], ($13::float8[])[t.c:t.d], ($14::float8[])[t.c:t.d], ($15::float8[])[t.c:t.d]
  from unnest($1::int4[], $2::int2[], $3::int2[], $4::date[], $5::int4[], $6::int4[], $7::int8[], $8::int8[],
      $11::int4[], $12::int4[], $16::int4[], $17::int4[])
    as t(device_id, msg_type, set, day, hours, n, first_ts, last_ts, a, b, c, d)`;

function dayValues(days: readonly DayRow[]): Buffer[] {
  const first = flatten(days.map((day) => day.first));
  const sum = flatten(days.map((day) => day.sum));
  return [
    int4Array(days.map((day) => day.deviceId)),
    int2Array(days.map((day) => day.msgType)),
    int2Array(days.map((day) => day.set.id)),
    dateArray(days.map((day) => day.day)),
    int4Array(days.map((day) => day.hours)),
    int4Array(days.map((day) => day.n)),
    int8Array(days.map((day) => day.firstTs)),
    int8Array(days.map((day) => day.lastTs)),
    first.values,
    flatten(days.map((day) => day.last)).values,
    first.from,
    first.to,
    sum.values,
    flatten(days.map((day) => day.min)).values,
    flatten(days.map((day) => day.max)).values,
    sum.from,
    sum.to,
  ];
}

const byElement = (expression: string, column: string): string =>
  `case when excluded.${column} = '{}' then excluded.${column}
    else array(select ${expression} from unnest(d.${column}, excluded.${column}) as u(a, b)) end`;

/** Adds new messages to the rows of their days. Exact in any order: nothing but the row itself is read. */
export async function mergeDays(client: pg.ClientBase, days: readonly DayRow[]): Promise<void> {
  if (days.length === 0) return;
  await client.query({
    name: "messages-days-merge",
    text: `insert into reading_day as d (${dayColumns}) ${daySource}
      on conflict (device_id, msg_type, day, field_set_id) do update set
        hours = d.hours | excluded.hours,
        n = d.n + excluded.n,
        first_ts = least(d.first_ts, excluded.first_ts),
        last_ts = greatest(d.last_ts, excluded.last_ts),
        first = case when excluded.first_ts < d.first_ts then excluded.first else d.first end,
        last = case when excluded.last_ts > d.last_ts then excluded.last else d.last end,
        sum = ${byElement("a + b", "sum")},
        min = ${byElement("least(a, b)", "min")},
        max = ${byElement("greatest(a, b)", "max")}`,
    values: dayValues(days),
  });
}

/** Locks these rows, making those that are missing, so that nobody adds to them while they are counted anew. */
export async function lockDays(client: pg.ClientBase, days: readonly DayRow[]): Promise<void> {
  await client.query({
    name: "messages-days-lock",
    text: `insert into reading_day as d (${dayColumns}) ${daySource}
      on conflict (device_id, msg_type, day, field_set_id) do update set n = d.n`,
    values: dayValues(days),
  });
}

/** Writes rows that were locked and counted anew; those without a message go. */
export async function replaceDays(client: pg.ClientBase, days: readonly DayRow[]): Promise<void> {
  const set = ["hours", "n", "first_ts", "last_ts", "first", "last", "sum", "min", "max"];
  await client.query({
    name: "messages-days-replace",
    text: `insert into reading_day (${dayColumns}) ${daySource}
      on conflict (device_id, msg_type, day, field_set_id) do update set ${set.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    values: dayValues(days),
  });
  const empty = days.filter((day) => day.n === 0);
  if (empty.length === 0) return;
  await client.query(
    `delete from reading_day d using unnest($1::int4[], $2::int2[], $3::date[], $4::int2[]) as k(device_id, msg_type, day, set)
      where d.device_id = any($1::int4[]) and d.device_id = k.device_id and d.msg_type = k.msg_type and d.day = k.day and d.field_set_id = k.set`,
    [
      int4Array(empty.map((day) => day.deviceId)),
      int2Array(empty.map((day) => day.msgType)),
      dateArray(empty.map((day) => day.day)),
      int2Array(empty.map((day) => day.set.id)),
    ],
  );
}

/** Keeps the newest message of each device and type; the rows are the newest of the batch, in the order of the key. */
export async function raiseLatest(client: pg.ClientBase, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const v = flatten(rows.map((row) => row.v));
  await client.query({
    name: "messages-latest",
    text: `insert into device_latest as l (device_id, msg_type, ts, received_at, field_set_id, status, source, v)
      select t.device_id, t.msg_type, t.ts, t.received_at, t.set, t.status, t.source,
        case when t.holes then array_replace(($8::float8[])[t.a:t.b], 'NaN'::float8, null) else ($8::float8[])[t.a:t.b] end
      from unnest($1::int4[], $2::int2[], $3::int8[], $4::int8[], $5::int2[], $6::int2[], $7::int2[], $9::int4[], $10::int4[], $11::bool[])
        as t(device_id, msg_type, ts, received_at, set, status, source, a, b, holes)
      on conflict (device_id, msg_type) do update set ts = excluded.ts, received_at = excluded.received_at,
        field_set_id = excluded.field_set_id, status = excluded.status, source = excluded.source, v = excluded.v
        where l.ts <= excluded.ts`,
    values: [
      int4Array(rows.map((row) => row.device.id)),
      int2Array(rows.map((row) => row.msgType)),
      int8Array(rows.map((row) => row.ts)),
      int8Array(rows.map((row) => row.receivedAt)),
      int2Array(rows.map((row) => row.set.id)),
      int2Array(rows.map((row) => row.status)),
      int2Array(rows.map((row) => row.source)),
      v.values,
      v.from,
      v.to,
      boolArray(v.hasHoles),
    ],
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
