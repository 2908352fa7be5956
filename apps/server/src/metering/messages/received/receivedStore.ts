import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { dayText, type Db } from "#core";

/** The hours of days that contain trusted rows, by ascending day: bit n is hour n. */
export interface ReceivedHours {
  readonly device_id: DeviceId;
  readonly msg_type: number;
  readonly days: readonly number[];
  readonly hours: readonly number[];
  /** The same days and hours as a text, by which equal ones are recognized. */
  readonly shape: string;
}

const daySec = 86_400;

interface WantedType {
  readonly deviceId: DeviceId;
  readonly msgType: number;
}

/** As text: the driver would write each number of a list as a text of its own. */
const listed = (numbers: readonly number[]): string => `{${numbers.join()}}`;

const wantedTypes = (wanted: readonly WantedType[]): RawBuilder<unknown> =>
  sql`unnest(${listed(wanted.map(({ deviceId }) => deviceId))}::int[], ${listed(wanted.map(({ msgType }) => msgType))}::int[])
      as w (device_id, msg_type)`;

/** Days and hours as texts of arrays; or in `days` the first day of which a device and type have rows, without hours. */
interface DaysRow extends Pick<ReceivedHours, "device_id" | "msg_type"> {
  readonly days: string;
  readonly hours: string | null;
}

const hoursIn = (
  wanted: readonly WantedType[],
  span: { readonly from: number; readonly to: number },
): RawBuilder<DaysRow> => sql<DaysRow>`
    select d.device_id, d.msg_type, array_agg(d.day - '1970-01-01'::date order by d.day)::text as days,
      array_agg(d.hours order by d.day)::text as hours
    from ${wantedTypes(wanted)}
    join reading_day d on d.device_id = w.device_id and d.msg_type = w.msg_type::smallint
    where d.day between ${dayBefore(span.from)}::date and ${dayBefore(span.to + 2 * daySec)}::date
    group by d.device_id, d.msg_type`;

const firstDaysIn = (wanted: readonly WantedType[]): RawBuilder<DaysRow> => sql<DaysRow>`
    select w.device_id, w.msg_type, (d.day - '1970-01-01'::date)::text as days, null as hours
    from ${wantedTypes(wanted)}
    cross join lateral (select day from reading_day where device_id = w.device_id and msg_type = w.msg_type::smallint
      and hours <> 0 order by day limit 1) d`;

/**
 * Rows: one per device, type and day, by the primary key of reading_day. They arrive as one row per device and
 * type, because objects of every day are most of the cost of a long list.
 */
export async function receivedHours(
  db: Db,
  wanted: readonly WantedType[],
  span: { readonly from: number; readonly to: number },
): Promise<ReceivedHours[]> {
  return parsedHours((await hoursIn(wanted, span).execute(db)).rows);
}

function parsedHours(rows: readonly DaysRow[]): ReceivedHours[] {
  const known = new Map<string, Omit<ReceivedHours, "device_id" | "msg_type">>();
  return rows.flatMap(({ device_id, msg_type, days, hours }) => {
    if (hours === null) return [];
    const shape = days + hours;
    const parsed = known.get(shape) ?? { days: numbersOf(days), hours: numbersOf(hours), shape };
    known.set(shape, parsed);
    return [{ device_id, msg_type, ...parsed }];
  });
}

/** The first day of a device and type with a trusted row, since 1970-01-01. */
export interface FirstDay extends Pick<ReceivedHours, "device_id" | "msg_type"> {
  readonly day: number;
}

const parsedDays = (rows: readonly DaysRow[]): FirstDay[] =>
  rows.flatMap(({ device_id, msg_type, days, hours }) =>
    hours === null ? [{ device_id, msg_type, day: Number(days) }] : [],
  );

/** Rows: one each, by the primary key of reading_day. */
export async function firstDays(db: Db, wanted: readonly WantedType[]): Promise<FirstDay[]> {
  if (wanted.length === 0) return [];
  return parsedDays((await firstDaysIn(wanted).execute(db)).rows);
}

/** Both in one statement; hours in no span, or first days of no types, are not read. */
export async function hoursAndFirstDays(
  db: Db,
  {
    wanted,
    span,
    young,
  }: {
    readonly wanted: readonly WantedType[];
    readonly span: { readonly from: number; readonly to: number } | undefined;
    readonly young: readonly WantedType[];
  },
): Promise<{ readonly hours: readonly ReceivedHours[]; readonly firstDays: readonly FirstDay[] }> {
  const queries = [
    ...(span ? [hoursIn(wanted, span)] : []),
    ...(young.length > 0 ? [firstDaysIn(young)] : []),
  ];
  if (queries.length === 0) return { hours: [], firstDays: [] };
  const { rows } = await sql<DaysRow>`${sql.join(queries, sql` union all `)}`.execute(db);
  return { hours: parsedHours(rows), firstDays: parsedDays(rows) };
}

/** Numbers of an array in its text form, none of them null. */
const numbersOf = (array: string): number[] => array.slice(1, -1).split(",").map(Number);

/** The day before that of an instant in UTC: no zone is further behind. */
const dayBefore = (at: number): string => dayText(Math.floor(at / daySec) - 1);
