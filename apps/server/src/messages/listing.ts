import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { dayOf, dayText, startOfDay, type Db } from "#core";

/** Message types that a list looks at: what the device shows now, and with the hourly archive how complete it is. */
const readingsType = 1;
const hourlyType = 100;
const daysShown = 7;

/** The newest readings of a device, as a list shows them. */
export interface LatestReading {
  readonly ts: number;
  readonly values: Readonly<Record<string, number | null>>;
}

/**
 * Newest readings of the devices of one page. Rows: one a device, by the primary key of device_latest.
 * The ids come from a query on `device` in the same transaction.
 */
export async function latestReadings(
  db: Db,
  ids: readonly DeviceId[],
): Promise<Map<DeviceId, LatestReading>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ device_id: DeviceId; ts: number; fields: string[]; v: (number | null)[] }>`
    select l.device_id, l.ts, s.fields, l.v
    from device_latest l join field_set s on s.id = l.field_set_id
    where l.device_id = any(${ids}::int[]) and l.msg_type = ${readingsType}::smallint
  `.execute(db);
  return new Map(
    rows.map(({ device_id, ts, fields, v }) => [
      device_id,
      { ts, values: Object.fromEntries(fields.map((name, at) => [name, v[at] ?? null])) },
    ]),
  );
}

/**
 * Share of the hours with data by calendar day of the device's zone, the last seven days, oldest first; the hours of
 * today that have passed count as the whole. A day of a clock change has 23 or 25 hours.
 * Rows: seven a device at most, by the primary key of reading_day.
 */
export async function hourlyCompleteness(
  db: Db,
  zones: ReadonlyMap<DeviceId, string>,
  now: number,
): Promise<Map<DeviceId, number[]>> {
  if (zones.size === 0) return new Map();
  const days = new Map([...new Set(zones.values())].map((zone) => [zone, lastDays(zone, now)]));
  const first = [...days.values()].flatMap((each) => each[0]?.day ?? []).sort()[0];
  const { rows } = await sql<{ device_id: DeviceId; day: string; hours: number }>`
    select device_id, day::text as day, bit_count(bit_or(hours)::bit(32))::int as hours from reading_day
    where device_id = any(${[...zones.keys()]}::int[]) and msg_type in (${readingsType}, ${hourlyType})
      and day >= ${first}::date
    group by device_id, day
  `.execute(db);
  const counted = new Map(rows.map((row) => [`${String(row.device_id)} ${row.day}`, row.hours]));
  return new Map(
    [...zones].map(([id, zone]) => [
      id,
      (days.get(zone) ?? []).map(({ day, hours }) =>
        Math.min(1, (counted.get(`${String(id)} ${day}`) ?? 0) / Math.max(1, hours)),
      ),
    ]),
  );
}

/** The last seven days of a zone with the hours of each that are over at `now`. */
function lastDays(zone: string, now: number): { day: string; hours: number }[] {
  const today = dayOf(zone, now);
  return Array.from({ length: daysShown }, (_, at) => {
    const day = today - daysShown + 1 + at;
    const over = Math.min(now, startOfDay(zone, day + 1)) - startOfDay(zone, day);
    return { day: dayText(day), hours: Math.floor(over / 3600) };
  });
}
