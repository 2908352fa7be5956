import { fields, isFieldName, sources, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import {
  denseTypes,
  hasRows,
  oldestGiven,
  parseValues,
  spreadGiven,
  type FieldSets,
  type GivenRow,
  type GivenSpan,
} from "#metering/messages";
import type { Judged, Value } from "./judged.ts";
import { isState, profileField } from "./series.ts";

/** Readings, states, the profile of the meter, and its archives. */
const judgedTypes = [1, 2, 5, 100, 101];
const statesType = 2;
export interface Values {
  readonly levels: ReadonlyMap<FieldName, readonly Value[]>;
  readonly clock: Judged["clock"];
}

/**
 * Counters and the profile of a device in a period, both ends inclusive. A type with more than 20,000 rows is read
 * at a distance of 26 minutes, the whole period long. Rows that the platform has derived are left out, estimates
 * are not. Rows: 1,500 a month of hours and days, at most 20,000 a type.
 */
export async function readValues(db: Db, sets: FieldSets, of: GivenSpan): Promise<Values> {
  return valuesOf((await spreadGiven(db, judgedTypes, of)).rows, sets);
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
  { since, ...of }: GivenSpan & { readonly since: number },
): Promise<ValuesAround> {
  const history = await spreadGiven(db, judgedTypes, { ...of, to: since - 1 });
  const rows = await oldestGiven(db, judgedTypes, { ...of, from: since });
  const ends = denseTypes(rows).map(
    (type) => (rows.findLast((row) => row.msg_type === type)?.ts ?? of.to) - 1,
  );
  const wholeTo = Math.min(of.to, ...ends);
  const isCut = wholeTo < of.to;
  const after = isCut
    ? await spreadGiven(db, judgedTypes, { ...of, from: wholeTo + 1 })
    : { rows: [], isWhole: true };
  const whole = isCut ? rows.filter(({ ts }) => ts <= wholeTo) : rows;
  return {
    ...(await valuesOf([...history.rows, ...whole, ...after.rows], sets)),
    wholeFrom: history.isWhole ? of.from : since,
    wholeTo,
  };
}

async function valuesOf(rows: readonly GivenRow[], sets: FieldSets): Promise<Values> {
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
    select ${hasRows(judgedTypes, { deviceId: of.deviceId, ...of.values })} or exists (
      select from validation_exception
      where device_id = ${of.deviceId}::int and to_ts >= ${of.exceptions.from}::bigint
        and from_ts <= ${of.exceptions.to}::bigint
    ) as is_judged`.execute(db);
  return rows[0]?.is_judged === true;
}

function addRow(levels: Map<FieldName, Value[]>, row: GivenRow, names: readonly FieldName[]): void {
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

function valueOf(row: GivenRow, field: FieldName, value: number): Value {
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
