import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { dayText, decimal, type Day } from "#core";
import { dayFlags } from "../records/index.ts";
import type { AddedAmount, DayRow } from "../days/index.ts";

/** First key of the lock under which the days of a point are computed; the second is the point. */
const daysLock = 7_301_094;

/**
 * Locks the days of a point until the end of the transaction. Of two computations the later one reads what the earlier
 * one has written.
 */
export async function lockDays(client: pg.ClientBase, pointId: AccountingPointId): Promise<void> {
  await client.query({
    name: "points-lock",
    text: "select pg_advisory_xact_lock($1::int4, $2::int4)",
    values: [daysLock, pointId],
  });
}

/** What is stored of a point at any time. */
export interface PointRecord {
  readonly zone: string;
  /** The day from which the company divides gaps at ends of months; null: it does not. */
  readonly dividesFrom: Day | null;
  /** Registers that have a row of a day. */
  readonly stored: readonly string[];
  /** Added amounts, by time. */
  readonly added: readonly AddedAmount[];
  /** Resets or rollovers were recognised. */
  readonly hasRecognised: boolean;
}

/**
 * What is stored of a point; undefined if it was deleted. Rows: one a register, amount and event, some dozen, by the
 * primary key of point_day and the indexes point_amount_of_point and point_event_of_point.
 */
export async function pointRecord(
  client: pg.ClientBase,
  pointId: AccountingPointId,
): Promise<PointRecord | undefined> {
  const { rows } = await client.query<RecordRow>({
    name: "points-record",
    text: `select p.timezone as zone,
        (c.options ->> 'divides_gaps_from')::date - '1970-01-01'::date as "dividesFrom",
        array(
          with recursive r(field) as (
            (select field from point_day where point_id = $1::int4 order by field limit 1)
            union all
            select (select d.field from point_day d where d.point_id = $1::int4 and d.field > r.field
              order by d.field limit 1) from r where r.field is not null
          ) select field from r where field is not null
        ) as stored,
        (select json_agg(json_build_object('field', a.field, 'from', a.from_ts, 'to', a.to_ts,
            'amount', a.amount::text, 'note', a.note) order by a.from_ts, a.id)
          from point_amount a where a.point_id = $1::int4) as added,
        exists (select from point_event e
          where e.point_id = $1::int4 and e.kind in ('reset', 'rollover') and e.user_id is null) as "hasRecognised"
      from accounting_point p join company c on c.id = p.company_id where p.id = $1::int4`,
    values: [pointId],
  });
  const [row] = rows;
  if (!row) return undefined;
  const added = row.added?.map((each) => ({ ...each, amount: decimal(each.amount) })) ?? [];
  return { ...row, added };
}

interface RecordRow extends Omit<PointRecord, "added"> {
  readonly added: readonly (Omit<AddedAmount, "amount"> & { readonly amount: string })[] | null;
}

/** A tie of a device to a point. */
export interface DeviceTie {
  readonly point_id: AccountingPointId;
  readonly from_ts: number;
  readonly to_ts: number | null;
}

/** Points that a device measured in a span. Index: point_device_of_device. */
export async function pointsOfDevice(
  pool: pg.Pool,
  deviceId: DeviceId,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<DeviceTie[]> {
  const { rows } = await pool.query<DeviceTie>({
    name: "points-of-device",
    text: `select point_id, from_ts, to_ts from point_device
      where device_id = $1::int4 and from_ts <= $3::int8 and (to_ts is null or to_ts >= $2::int8) order by point_id`,
    values: [deviceId, from, to],
  });
  return rows;
}

/** Rows of days around a window, by register. */
export interface Neighbours {
  readonly field: string;
  /** The last day with a value of the register or a gap before the window, and the first one after it. */
  readonly before: Day | null;
  readonly after: Day | null;
}

/**
 * Neighbours of the registers that have a row in a window, or that are named. Rows: two a register, by the primary
 * key of point_day.
 */
export async function neighboursOf(
  client: pg.ClientBase,
  given: {
    readonly pointId: AccountingPointId;
    readonly from: Day;
    /** Inclusive. */
    readonly to: Day;
    readonly fields: readonly string[];
  },
): Promise<Neighbours[]> {
  const { rows } = await client.query<Neighbours>({
    name: "points-neighbours",
    text: `select k.field,
        (select d.day - '1970-01-01'::date from point_day d
          where d.point_id = $1::int4 and d.field = k.field and d.day < $2::date and ${isValued}
          order by d.day desc limit 1) as before,
        (select d.day - '1970-01-01'::date from point_day d
          where d.point_id = $1::int4 and d.field = k.field and d.day > $3::date and ${isValued}
          order by d.day limit 1) as after
      from unnest($4::text[]) as k(field)`,
    values: [given.pointId, dayText(given.from), dayText(given.to), [...given.fields]],
  });
  return rows;
}

/** Condition: a value of the register lies in the day, or a gap ends in it. */
const isValued = "(d.start_value is not null or d.gap_amount is not null)";

/** The next such day of a register before or after a day; null: none. Rows: one, by the primary key of point_day. */
export async function valuedDay(
  client: pg.ClientBase,
  given: {
    readonly pointId: AccountingPointId;
    readonly field: string;
    readonly day: Day;
    readonly side: "before" | "after";
  },
): Promise<Day | null> {
  const { pointId, field, day, side } = given;
  const [sign, order] = side === "before" ? ["<", "desc"] : [">", "asc"];
  const { rows } = await client.query<{ day: Day }>({
    name: `points-valued-${side}`,
    text: `select d.day - '1970-01-01'::date as day from point_day d
      where d.point_id = $1::int4 and d.field = $2::text and d.day ${sign} $3::date and ${isValued}
      order by d.day ${order} limit 1`,
    values: [pointId, field, dayText(day)],
  });
  return rows[0]?.day ?? null;
}

/**
 * The first day from a given one on that has a row, and the last day, in a range or the next with a value after it, in
 * which a register was reset or rolled over; null: none. Rows: those of the range, and two a register, by the primary
 * key of point_day.
 */
export async function storedDays(
  client: pg.ClientBase,
  given: {
    readonly pointId: AccountingPointId;
    readonly fields: readonly string[];
    readonly from: Day;
    /** Both inclusive. */
    readonly falls: { readonly from: Day; readonly to: Day };
  },
): Promise<{ readonly next: Day | null; readonly fall: Day | null }> {
  const { pointId, fields, from, falls } = given;
  if (fields.length === 0) return { next: null, fall: null };
  const { rows } = await client.query<{ next: Day | null; fall: Day | null }>({
    name: "points-stored-days",
    text: `select (
        select min(k.day) - '1970-01-01'::date from unnest($3::text[]) as f(field) cross join lateral (
          select d.day from point_day d where d.point_id = $1::int4 and d.field = f.field and d.day >= $2::date
          order by d.day limit 1) k
      ) as next, (
        select max(k.day) - '1970-01-01'::date from unnest($3::text[]) as f(field) cross join lateral (
          select d.day, d.flags from point_day d
          where d.point_id = $1::int4 and d.field = f.field and d.day >= $4::date and d.day <= $5::date
          union all
          (select d.day, d.flags from point_day d where d.point_id = $1::int4 and d.field = f.field and d.day > $5::date
          order by d.day limit 1)) k
        where k.flags & ${String(dayFlags.rollover | dayFlags.reset | dayFlags.much)} <> 0
      ) as fall`,
    values: [pointId, dayText(from), [...fields], dayText(falls.from), dayText(falls.to)],
  });
  return rows[0] ?? { next: null, fall: null };
}

/** Days of one register to be replaced. */
export interface Replaced {
  readonly field: string;
  readonly days: readonly Day[];
  readonly rows: readonly DayRow[];
}

/**
 * Replaces the rows of these days: those that no longer hold are deleted, those that have not changed are not
 * written. `stored`: registers that have a row. Index: primary key of point_day.
 */
export async function replaceDays(
  client: pg.ClientBase,
  pointId: AccountingPointId,
  given: {
    readonly registers: readonly Replaced[];
    readonly stored: readonly string[];
    readonly now: number;
  },
): Promise<void> {
  const { registers, stored, now } = given;
  const keys = registers.flatMap(({ field, days }) =>
    stored.includes(field) ? days.map((day) => ({ field, day: dayText(day) })) : [],
  );
  const rows = registers.flatMap((register) => register.rows);
  const kept = new Set(rows.map(({ field, day }) => `${field} ${day}`));
  const gone = keys.filter(({ field, day }) => !kept.has(`${field} ${day}`));
  if (gone.length > 0)
    await client.query({
      name: "points-days-gone",
      text: `delete from point_day d using unnest($2::text[], $3::date[]) as k(field, day)
        where d.point_id = $1::int4 and d.field = k.field and d.day = k.day`,
      values: [pointId, gone.map(({ field }) => field), gone.map(({ day }) => day)],
    });
  if (rows.length === 0) return;
  await client.query({
    name: "points-days",
    text: `insert into point_day as d (point_id, ${columns.join(", ")}, computed_at)
      select $1::int4, ${columns.join(", ")}, $3::int8 from jsonb_to_recordset($2::jsonb) as k(${typed})
      on conflict (point_id, field, day) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(", ")},
        computed_at = excluded.computed_at
      where (${columns.map((name) => `d.${name}`).join(", ")}) is distinct from (${columns.map((name) => `excluded.${name}`).join(", ")})`,
    values: [pointId, JSON.stringify(rows), now],
  });
}

const types = {
  field: "text",
  day: "date",
  amount: "numeric",
  gap_amount: "numeric",
  gap_from: "int8",
  gap_day: "date",
  gap_sec: "int4",
  gap_estimated: "numeric",
  estimated: "numeric",
  length_sec: "int4",
  known_sec: "int4",
  start_value: "float8",
  end_value: "float8",
  ratio: "numeric",
  status: "int2",
  flags: "int4",
} as const satisfies Record<keyof DayRow, string>;
const columns = Object.keys(types);
const typed = Object.entries(types)
  .map(([name, type]) => `${name} ${type}`)
  .join(", ");

/** Some days of some points by chance, none of points that wait for a computation. Rows: all points. */
export async function sampledPoints(
  client: pg.ClientBase,
  most: number,
): Promise<{ readonly point_id: AccountingPointId; readonly day: Day }[]> {
  const { rows } = await client.query<{ point_id: AccountingPointId; day: Day }>(
    `select p.id as point_id, d.day - '1970-01-01'::date as day
      from (select id from accounting_point order by random() limit $1::int4) p
      cross join lateral (
        select day from point_day where point_id = p.id and field = 'main' and day < current_date
        order by random() limit 1
      ) d
      where not exists (select from point_due q where q.point_id = p.id)
        and not exists (select from reading_due q join point_device t on t.device_id = q.device_id
          where q.kind = 1 and t.point_id = p.id)`,
    [most],
  );
  return rows;
}

/** Rows of a window with exact decimals as they are computed. Rows: one a register and day. */
export async function storedDayRows(
  client: pg.ClientBase,
  pointId: AccountingPointId,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<DayRow[]> {
  const shown = Object.entries(types).map(([name, type]) =>
    type === "numeric"
      ? `trim_scale(${name})::text as ${name}`
      : type === "date"
        ? `${name}::text as ${name}`
        : name,
  );
  const { rows } = await client.query<DayRow>(
    `select ${shown.join(", ")} from point_day where point_id = $1::int4 and day >= $2::date and day <= $3::date`,
    [pointId, dayText(from), dayText(to)],
  );
  return rows;
}

/**
 * Months of a span of days whose text is not that of the days, first days. Rows: a few; index: primary keys of
 * point_month and point_day.
 */
export async function differingMonths(
  client: pg.ClientBase,
  pointId: AccountingPointId,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select k.month::text as month
      from (select distinct date_trunc('month', day)::date as month from generate_series($2::date, $3::date, '1 day') day) k
      left join point_month m on m.point_id = $1::int4 and m.month = k.month
      where m.days is distinct from packed_month($1::int4, k.month)`,
    [pointId, dayText(from), dayText(to)],
  );
  return rows.map(({ month }) => month);
}

/**
 * Packs months of a point from its days as the triggers do; the caller holds the lock of its days. Rows: a few; index:
 * primary keys of point_month and point_day.
 */
export async function repackMonths(
  client: pg.ClientBase,
  pointId: AccountingPointId,
  months: readonly string[],
): Promise<void> {
  await client.query(
    `with made as materialized (
        select month, packed_month($1::int4, month) as days from unnest($2::date[]) as k(month)
      ), gone as (
        delete from point_month m using made k where k.days is null and m.point_id = $1::int4 and m.month = k.month
      )
      insert into point_month as m (point_id, month, days)
        select $1::int4, month, days from made where days is not null
        on conflict (point_id, month) do update set days = excluded.days where m.days <> excluded.days`,
    [pointId, [...months]],
  );
}
