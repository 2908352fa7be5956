import { fields, isFieldName, sources, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { estimateMark, parseValues, type ByField, type FieldSets } from "#metering/messages";
import type { Judged, Value } from "./judged.ts";
import { profileField } from "./series.ts";

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

/** Readings, the profile of the meter, and its archives. */
const judgedTypes = [1, 5, 100, 101];
/** Values of a type that are read at most: two months of half-hours and 20 days of minutes. */
const mostRows = 20_000;

export interface Values {
  readonly levels: ReadonlyMap<FieldName, readonly Value[]>;
  readonly clock: Judged["clock"];
}

/**
 * Counters and the profile of a device in a period, both ends inclusive; of each type the newest 20,000 rows.
 * Rows that the platform has derived are left out, estimates are not. Rows: 1,500 a month of hours and days.
 * Index: primary key of message, backwards. The id comes from a query on `device` in the same transaction.
 */
export async function readValues(
  db: Db,
  sets: FieldSets,
  of: { readonly deviceId: DeviceId; readonly from: number; readonly to: number },
): Promise<Values> {
  const { rows } = await sql<ValueRow>`
    select m.* from unnest(${judgedTypes}::smallint[]) as k (type)
    cross join lateral (
      select msg_type, ts, real_ts_offset as real, received_at_offset as received, status, source, field_set_id,
        v::text as v, by_field, extra ->> 'method' as method
      from message
      where device_id = ${of.deviceId}::int and msg_type = k.type and ts >= ${of.from}::bigint and ts <= ${of.to}::bigint
        and (source <> ${sources.calculated} or extra ? ${estimateMark})
      order by ts desc limit ${mostRows}
    ) m order by m.ts, m.msg_type`.execute(db);
  await sets.load(rows.map((row) => row.field_set_id));
  const levels = new Map<FieldName, Value[]>();
  const clock: { ts: number; offset: number }[] = [];
  for (const row of rows) addRow(levels, row, sets.byId(row.field_set_id)?.fields ?? []);
  for (const { msg_type, ts, real, source } of rows)
    if (real !== null && msg_type !== 5 && source !== sources.calculated) clock.push({ ts, offset: real });
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
  isFieldName(field) && (field === profileField ? msgType === 5 : fields[field].kind === "counter");

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
