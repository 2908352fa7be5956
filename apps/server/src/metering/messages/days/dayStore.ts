import type pg from "pg";
import { dayText, type Day } from "#core";
import {
  dateArray,
  flatten,
  flattenValues,
  int2Array,
  int4Array,
  int8Array,
  sameHoles,
  sliceOf,
  type FieldSets,
} from "../rows/index.ts";
import {
  dayKeyOf,
  emptyDay,
  hasSameHoles,
  mergedDays,
  type DayKey,
  type DayRow,
  type FieldCounts,
} from "./days.ts";

const columns =
  "device_id, msg_type, field_set_id, day, hours, n, first_ts, last_ts, first, last, sum, min, max, value_n, value_first_ts, value_last_ts";

const valuesAt = (parameter: number): string => sliceOf(parameter);
/** For the fields that are not counters. */
const movingAt = (parameter: number): string => sliceOf(parameter, "t", ["c", "d"]);
/** Null if the row has no counts by field: its bounds are null then. */
const countsAt = (parameter: number, type: string): string => `($${String(parameter)}::${type}[])[t.e:t.f]`;

const source = `
  select t.device_id, t.msg_type, t.set, t.day, t.hours, t.n, t.first_ts, t.last_ts,
    ${valuesAt(9)}, ${valuesAt(10)}, ${movingAt(13)}, ${movingAt(14)}, ${movingAt(15)},
    ${countsAt(18, "int4")}, ${countsAt(19, "int8")}, ${countsAt(20, "int8")}
  from unnest($1::int4[], $2::int2[], $3::int4[], $4::date[], $5::int4[], $6::int4[], $7::int8[], $8::int8[],
      $11::int4[], $12::int4[], $16::int4[], $17::int4[], $21::int4[], $22::int4[], $23::bool[])
    as t(device_id, msg_type, set, day, hours, n, first_ts, last_ts, a, b, c, d, e, f, holes)`;

function valuesOf(days: readonly DayRow[]): unknown[] {
  const first = flatten(days.map((day) => day.first));
  const sum = flatten(days.map((day) => day.sum));
  const counts = countsOf(days);
  return [
    int4Array(days.map((day) => day.deviceId)),
    int2Array(days.map((day) => day.msgType)),
    int4Array(days.map((day) => day.set.id)),
    dateArray(days.map((day) => day.day)),
    int4Array(days.map((day) => day.hours)),
    int4Array(days.map((day) => day.n)),
    int8Array(days.map((day) => day.firstTs)),
    int8Array(days.map((day) => day.lastTs)),
    first.values,
    flattenValues(days.map((day) => day.last)),
    first.from,
    first.to,
    sum.values,
    flattenValues(days.map((day) => day.min)),
    flattenValues(days.map((day) => day.max)),
    sum.from,
    sum.to,
    ...counts,
    first.hasHoles,
  ];
}

/** Counts by field, and their bounds for each row; null for rows without any: a slice of null is null. */
function countsOf(days: readonly DayRow[]): Buffer[] {
  const counted = days.flatMap(({ counts }) => counts ?? []);
  const flat = (of: keyof FieldCounts) => counted.flatMap((counts) => counts[of]);
  const from: (number | null)[] = [];
  const to: (number | null)[] = [];
  let length = 0;
  for (const { counts } of days) {
    from.push(counts ? length + 1 : null);
    length += counts?.n.length ?? 0;
    to.push(counts ? length : null);
  }
  return [
    int4Array(flat("n")),
    int8Array(flat("firstTs")),
    int8Array(flat("lastTs")),
    int4Array(from),
    int4Array(to),
  ];
}

const byElement = (expression: string, column: string): string =>
  `case when excluded.${column} = '{}' then excluded.${column}
    else array(select ${expression} from unnest(d.${column}, excluded.${column}) as u(a, b)) end`;

/**
 * Adds new messages to the rows of their days. Exact in any order: only the rows themselves are needed. The
 * database merges rows with one set and the same nulls, which nearly all days have; the others are read,
 * merged here and written.
 */
export async function mergeDays(
  client: pg.ClientBase,
  sets: FieldSets,
  given: { readonly days: readonly DayRow[]; readonly companyOf: (deviceId: number) => number },
): Promise<void> {
  const { days } = given;
  const plain = days.filter(({ counts }) => counts === undefined);
  if (plain.length < days.length) {
    const counted = days.filter(({ counts }) => counts !== undefined);
    await makeDays(
      client,
      counted.map((day) => emptyDay(day, day.set)),
    );
    await lockDays(client, days);
  }
  const merged = await mergePlain(client, plain);
  if (merged < days.length) await mergeOneByOne(client, sets, given);
}

/**
 * Returns how many were merged: rows that are new, or of one set and the same nulls, without counts by field.
 * The others are locked.
 */
async function mergePlain(client: pg.ClientBase, days: readonly DayRow[]): Promise<number> {
  if (days.length === 0) return 0;
  const { rowCount } = await client.query({
    name: "messages-days-merge",
    text: `insert into reading_day as d (${columns}) ${source}
      on conflict (device_id, msg_type, day) do update set
        hours = d.hours | excluded.hours,
        n = d.n + excluded.n,
        first_ts = least(d.first_ts, excluded.first_ts),
        last_ts = greatest(d.last_ts, excluded.last_ts),
        first = case when excluded.first_ts < d.first_ts then excluded.first else d.first end,
        last = case when excluded.last_ts > d.last_ts then excluded.last else d.last end,
        sum = ${byElement("a + b", "sum")},
        min = ${byElement("least(a, b)", "min")},
        max = ${byElement("greatest(a, b)", "max")}
      where d.field_set_id = excluded.field_set_id and d.value_n is null
        and ${sameHoles("d.first", "excluded.first")}`,
    values: valuesOf(days),
  });
  return rowCount ?? 0;
}

/** Rows that `mergePlain` can merge; the result is plain again. */
function isPlainTo(day: DayRow, standing: DayRow): boolean {
  return (
    !day.counts &&
    !standing.counts &&
    day.set.id === standing.set.id &&
    hasSameHoles(day.first, standing.first)
  );
}

/**
 * Merges the remaining rows. They are already locked, by the statement that could not merge them or before
 * it.
 */
async function mergeOneByOne(
  client: pg.ClientBase,
  sets: FieldSets,
  { days, companyOf }: { readonly days: readonly DayRow[]; readonly companyOf: (deviceId: number) => number },
): Promise<void> {
  const standing = new Map((await readDays(client, sets, days)).map((day) => [dayKeyOf(day), day]));
  const merged: DayRow[] = [];
  for (const day of days) {
    const before = standing.get(dayKeyOf(day));
    if (!before || isPlainTo(day, before)) continue;
    // Created just now, so that it can be locked.
    if (before.n === 0) merged.push(day);
    else merged.push(mergedDays(before, day, await sets.union(day.set, before.set, companyOf(day.deviceId))));
  }
  await replaceDays(client, merged);
}

/** Days as whole numbers, and instants of an array as numbers: the driver returns bigints as text there. */
const readColumns = `d.device_id, d.msg_type, d.field_set_id, d.day - '1970-01-01'::date as day, d.hours, d.n, d.first_ts,
  d.last_ts, d.first, d.last, d.sum, d.min, d.max, d.value_n, d.value_first_ts::float8[] as value_first_ts,
  d.value_last_ts::float8[] as value_last_ts`;

interface StoredDay {
  readonly device_id: number;
  readonly msg_type: number;
  readonly day: number;
  readonly field_set_id: number;
  readonly hours: number;
  readonly n: number;
  readonly first_ts: number;
  readonly last_ts: number;
  readonly first: (number | null)[];
  readonly last: (number | null)[];
  readonly sum: (number | null)[];
  readonly min: (number | null)[];
  readonly max: (number | null)[];
  readonly value_n: (number | null)[] | null;
  readonly value_first_ts: (number | null)[] | null;
  readonly value_last_ts: (number | null)[] | null;
}

/** The rows of these days. One per key, by the primary key of reading_day. */
export async function readDays(
  client: pg.ClientBase | pg.Pool,
  sets: FieldSets,
  keys: readonly DayKey[],
): Promise<DayRow[]> {
  const { rows } = await client.query<StoredDay>({
    name: "messages-days-read",
    text: `select ${readColumns}
      from unnest($1::int4[], $2::int2[], $3::date[]) as k(device_id, msg_type, day)
      join reading_day d on d.device_id = k.device_id and d.msg_type = k.msg_type and d.day = k.day`,
    values: keyValues(keys),
  });
  await sets.load(rows.map((row) => row.field_set_id));
  return rows.flatMap((row) => {
    const set = sets.byId(row.field_set_id);
    return set ? [dayOfRow(row, set)] : [];
  });
}

/** The next days of a device with a row, of each of these types. Rows: `limit` a type, by the primary key. */
export async function daysFrom(
  client: pg.ClientBase | pg.Pool,
  sets: FieldSets,
  of: {
    readonly deviceId: number;
    readonly types: readonly number[];
    readonly from: Day;
    readonly limit: number;
  },
): Promise<DayRow[]> {
  const { rows } = await client.query<StoredDay>({
    name: "messages-days-from",
    text: `select ${readColumns} from unnest($2::int2[]) as k(msg_type)
      cross join lateral (
        select * from reading_day where device_id = $1::int4 and msg_type = k.msg_type and day >= $3::date
        order by day limit $4::int4
      ) d`,
    values: [of.deviceId, int2Array(of.types), dayText(of.from), of.limit],
  });
  await sets.load(rows.map((row) => row.field_set_id));
  return rows.flatMap((row) => {
    const set = sets.byId(row.field_set_id);
    return set ? [dayOfRow(row, set)] : [];
  });
}

function dayOfRow(row: StoredDay, set: DayRow["set"]): DayRow {
  const { value_n: n, value_first_ts: firstTs, value_last_ts: lastTs } = row;
  return {
    deviceId: row.device_id,
    msgType: row.msg_type,
    set,
    day: row.day,
    hours: row.hours,
    n: row.n,
    firstTs: row.first_ts,
    lastTs: row.last_ts,
    first: row.first,
    last: row.last,
    sum: row.sum,
    min: row.min,
    max: row.max,
    counts: n && firstTs && lastTs ? { n, firstTs, lastTs } : undefined,
  };
}

const keyValues = (keys: readonly DayKey[]): Buffer[] => [
  int4Array(keys.map((key) => key.deviceId)),
  int2Array(keys.map((key) => key.msgType)),
  dateArray(keys.map((key) => key.day)),
];

/** Creates missing rows of these days, empty, so that they can be locked. */
export async function makeDays(client: pg.ClientBase, days: readonly DayRow[]): Promise<void> {
  await client.query({
    name: "messages-days-make",
    text: `insert into reading_day as d (${columns}) ${source} on conflict (device_id, msg_type, day) do nothing`,
    values: valuesOf(days),
  });
}

/**
 * Locks the rows of these days, which are in the order of their key, against additions. Returns the number of
 * messages of each, in the order of the days; undefined for missing rows.
 */
export async function lockDays(
  client: pg.ClientBase,
  days: readonly DayKey[],
): Promise<readonly (number | undefined)[]> {
  const { rows } = await client.query<{ at: number; n: number }>({
    name: "messages-days-lock",
    text: `select k.at::int4 as at, d.n from reading_day d
      join unnest($1::int4[], $2::int2[], $3::date[]) with ordinality as k(device_id, msg_type, day, at)
        on d.device_id = k.device_id and d.msg_type = k.msg_type and d.day = k.day
      order by d.device_id, d.msg_type, d.day for update of d`,
    values: keyValues(days),
  });
  const counts = new Array<number | undefined>(days.length).fill(undefined);
  for (const { at, n } of rows) counts[at - 1] = n;
  return counts;
}

const assigned = columns
  .split(", ")
  .slice(4)
  .concat("field_set_id")
  .map((name) => `${name} = excluded.${name}`)
  .join(", ");

/** Writes locked rows; those without a message are deleted. */
export async function replaceDays(client: pg.ClientBase, days: readonly DayRow[]): Promise<void> {
  const kept = days.filter((day) => day.n > 0);
  if (kept.length > 0)
    await client.query({
      name: "messages-days-replace",
      text: `insert into reading_day (${columns}) ${source} on conflict (device_id, msg_type, day) do update set ${assigned}`,
      values: valuesOf(kept),
    });
  const empty = days.filter((day) => day.n === 0);
  if (empty.length === 0) return;
  await client.query(
    `delete from reading_day d using unnest($1::int4[], $2::int2[], $3::date[]) as k(device_id, msg_type, day)
      where d.device_id = any($1::int4[]) and d.device_id = k.device_id and d.msg_type = k.msg_type and d.day = k.day`,
    keyValues(empty),
  );
}
