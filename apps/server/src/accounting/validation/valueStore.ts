import { fields, isFieldName, sources, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { estimateMark, parseValues, type ByField, type FieldSets } from "#metering/messages";
import type { Judged, Value } from "./judged.ts";
import { isState, profileField } from "./series.ts";

interface ValueRow {
  readonly msg_type: number;
  readonly ts: number;
  readonly real: number | null;
  readonly received: number;
  readonly status: number;
  readonly source: number;
  readonly field_set_id: number;
  readonly v: string;
  readonly by_field: ByField | null;
  readonly method: string | null;
}

/** Readings, states, the profile of the meter, and its archives. */
const judgedTypes = [1, 2, 5, 100, 101];
const statesType = 2;
/** Rows of a type that are read at once: two months of half-hours, or two weeks of minutes. */
export const mostRows = 20_000;
/** Distance of the rows that stand for denser ones: with a minute between them still 25 minutes apart. */
const spreadSec = 1560;

export interface Values {
  readonly levels: ReadonlyMap<FieldName, readonly Value[]>;
  readonly clock: Judged["clock"];
}

interface OfDevice {
  readonly deviceId: DeviceId;
  readonly from: number;
  readonly to: number;
}

/**
 * Counters and the profile of a device in a period, both ends inclusive. A type with more than 20,000 rows is read
 * at a distance of 26 minutes, the whole period long. Rows that the platform has derived are left out, estimates
 * are not. Rows: 1,500 a month of hours and days, at most 20,000 a type.
 */
export async function readValues(db: Db, sets: FieldSets, of: OfDevice): Promise<Values> {
  return valuesOf((await spreadRows(db, of)).rows, sets);
}

/** Values of a period with the part of it, both ends inclusive, of which no row is left out. */
export interface ValuesAround extends Values {
  readonly wholeFrom: number;
  readonly wholeTo: number;
}

/**
 * Values of a period, from `since` on row by row, as many as are read at once; those before and after them as
 * `readValues`. Rows: at most 60,000 a type.
 */
export async function readValuesAround(
  db: Db,
  sets: FieldSets,
  { since, ...of }: OfDevice & { readonly since: number },
): Promise<ValuesAround> {
  const history = await spreadRows(db, { ...of, to: since - 1 });
  const rows = await oldestRows(db, { ...of, from: since });
  const ends = denseTypes(rows).map(
    (type) => (rows.findLast((row) => row.msg_type === type)?.ts ?? of.to) - 1,
  );
  const wholeTo = Math.min(of.to, ...ends);
  const isCut = wholeTo < of.to;
  const after = isCut ? await spreadRows(db, { ...of, from: wholeTo + 1 }) : { rows: [], isWhole: true };
  const whole = isCut ? rows.filter(({ ts }) => ts <= wholeTo) : rows;
  return {
    ...(await valuesOf([...history.rows, ...whole, ...after.rows], sets)),
    wholeFrom: history.isWhole ? of.from : since,
    wholeTo,
  };
}

const denseTypes = (rows: readonly ValueRow[]): number[] =>
  judgedTypes.filter((type) => rows.filter(({ msg_type }) => msg_type === type).length > mostRows);

const columns = sql`msg_type, ts, real_ts_offset as real, received_at_offset as received, status, source, field_set_id,
  v::text as v, by_field, extra ->> 'method' as method`;
const isGiven = sql`(source <> ${sources.calculated} or extra ? ${estimateMark})`;

/**
 * The oldest rows of each type in a period, one more than are read at once. Index: primary key of message. The id
 * comes from a query on `device` in the same transaction.
 */
async function oldestRows(db: Db, of: OfDevice): Promise<ValueRow[]> {
  const { rows } = await sql<ValueRow>`
    select m.* from unnest(${judgedTypes}::smallint[]) as k (type)
    cross join lateral (
      select ${columns} from message
      where device_id = ${of.deviceId}::int and msg_type = k.type and ts >= ${of.from}::bigint and ts <= ${of.to}::bigint
        and ${isGiven}
      order by ts limit ${mostRows + 1}
    ) m order by m.ts, m.msg_type`.execute(db);
  return rows;
}

/**
 * The rows of a period; of a type with more than are read at once, one of every 26 minutes. Index: primary key of
 * message, once a row.
 */
async function spreadRows(db: Db, of: OfDevice): Promise<{ rows: ValueRow[]; isWhole: boolean }> {
  const oldest = await oldestRows(db, of);
  const dense = denseTypes(oldest);
  if (dense.length === 0) return { rows: oldest, isWhole: true };
  const { rows } = await sql<ValueRow>`
    select m.* from unnest(${dense}::smallint[]) as k (type)
    cross join generate_series(${of.from}::bigint, ${of.to}::bigint, ${spreadSec}) as g (at)
    cross join lateral (
      select ${columns} from message
      where device_id = ${of.deviceId}::int and msg_type = k.type and ts >= g.at
        and ts <= least(g.at + ${spreadSec - 1}, ${of.to}::bigint) and ${isGiven}
      order by ts limit 1
    ) m order by m.ts, m.msg_type`.execute(db);
  const others = oldest.filter(({ msg_type }) => !dense.includes(msg_type));
  return {
    rows: [...others, ...rows].toSorted((a, b) => a.ts - b.ts || a.msg_type - b.msg_type),
    isWhole: false,
  };
}

async function valuesOf(rows: readonly ValueRow[], sets: FieldSets): Promise<Values> {
  await sets.load(rows.map((row) => row.field_set_id));
  const levels = new Map<FieldName, Value[]>();
  const clock: { ts: number; offset: number }[] = [];
  for (const row of rows) addRow(levels, row, sets.byId(row.field_set_id)?.fields ?? []);
  for (const { msg_type, ts, real, source } of rows)
    if (real !== null && msg_type !== 5 && msg_type !== statesType && source !== sources.calculated)
      clock.push({ ts, offset: real });
  return { levels, clock };
}

/**
 * Whether there is anything to judge in a span: a row of a judged type, or an exception that stands. Of a device without
 * both nothing else is read or locked: thousands are taken up at once before they have been heard. Rows: one a type.
 */
export async function isAnythingJudged(
  db: Db,
  of: {
    readonly deviceId: DeviceId;
    readonly values: { readonly from: number; readonly to: number };
    readonly exceptions: { readonly from: number; readonly to: number };
  },
): Promise<boolean> {
  const { rows } = await sql<{ is_judged: boolean }>`
    select exists (
      select from unnest(${judgedTypes}::smallint[]) as k (type) cross join lateral (
        select from message
        where device_id = ${of.deviceId}::int and msg_type = k.type and ts >= ${of.values.from}::bigint
          and ts <= ${of.values.to}::bigint
        limit 1) m
    ) or exists (
      select from validation_exception
      where device_id = ${of.deviceId}::int and to_ts >= ${of.exceptions.from}::bigint
        and from_ts <= ${of.exceptions.to}::bigint
    ) as is_judged`.execute(db);
  return rows[0]?.is_judged === true;
}

function addRow(levels: Map<FieldName, Value[]>, row: ValueRow, names: readonly FieldName[]): void {
  const v = parseValues(row.v);
  names.forEach((field, at) => {
    const value = v[at] ?? null;
    if (value === null || !isJudged(field, row.msg_type)) return;
    const all = levels.get(field);
    if (all) all.push(valueOf(row, field, value));
    else levels.set(field, [valueOf(row, field, value)]);
  });
}

const isJudged = (field: FieldName, msgType: number): boolean =>
  isFieldName(field) &&
  (field === profileField
    ? msgType === 5
    : isState(field) || (msgType !== statesType && fields[field].kind === "counter"));

function valueOf(row: ValueRow, field: FieldName, value: number): Value {
  const { ts, msg_type: msgType, real } = row;
  const own = row.by_field?.[field] ?? {
    status: row.status,
    source: row.source,
    received_at: ts + row.received,
  };
  const { status, source, received_at: receivedAt } = own;
  const meterAt = real === null ? null : ts + real;
  const method = source === sources.calculated && row.method !== null ? { method: row.method } : {};
  return { ts, msgType, field, value, status, source, receivedAt, meterAt, ...method };
}
