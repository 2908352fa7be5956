import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { dayText, type Day } from "#core";

/** A device whose days must be recomputed in another zone, with the progress. */
export interface ZoneDue {
  readonly device_id: DeviceId;
  readonly next_day: Day | null;
  readonly zone: string;
  readonly company_id: number;
  readonly attempts: number;
  /** Its latest values and times are recounted too. */
  readonly is_whole: boolean;
}

/** Seconds before a failed device is retried. */
const againSec = 60;

/** Has all stored numbers of a device recounted from its messages, at once. */
export async function markWhole(client: pg.ClientBase, deviceId: number): Promise<void> {
  await client.query(
    `insert into zone_due (device_id, due_at, is_whole) values ($1::int4, 0, true)
      on conflict (device_id) do update set is_whole = true, next_day = null, attempts = 0, error = null`,
    [deviceId],
  );
}

/** Deletes marks of deleted devices. */
export async function forgetGone(pool: pg.Pool): Promise<void> {
  await pool.query("delete from zone_due z where not exists (select from device d where d.id = z.device_id)");
}

/** The next device after an id, its mark locked; the zone is read now, not cached. */
export async function takeZoneDue(
  client: pg.ClientBase,
  { after, mostAttempts }: { readonly after: number; readonly mostAttempts: number },
): Promise<ZoneDue | undefined> {
  const { rows } = await client.query<ZoneDue>({
    name: "messages-zone-next",
    text: `select z.device_id, z.next_day - '1970-01-01'::date as next_day, coalesce(d.timezone, c.timezone) as zone, d.company_id, z.attempts, z.is_whole
      from zone_due z join device d on d.id = z.device_id join company c on c.id = d.company_id
      where z.device_id > $1::int4 and z.attempts < ${String(mostAttempts)}
        and z.due_at <= extract(epoch from clock_timestamp())
      order by z.device_id limit 1 for update of z skip locked`,
    values: [after],
  });
  return rows[0];
}

/** Records that the days before this one are done. */
export async function noteCounted(client: pg.ClientBase, deviceId: DeviceId, before: Day): Promise<void> {
  await client.query("update zone_due set next_day = $2::date, attempts = 0 where device_id = $1::int4", [
    deviceId,
    dayText(before),
  ]);
}

/**
 * Counts a failure; the device is retried a little later. Of two workers that fail at the same attempt one counts it.
 */
export async function putZoneOff(
  pool: pg.Pool,
  { device_id, attempts }: Pick<ZoneDue, "device_id" | "attempts">,
  error: unknown,
): Promise<void> {
  await pool.query(
    `update zone_due set attempts = attempts + 1, error = $3::text, due_at = due_at + ${String(againSec)}
      where device_id = $1::int4 and attempts = $2::int4`,
    [device_id, attempts, error instanceof Error ? error.message : String(error)],
  );
}

/** After the clock was set back: marks of a time that is still to come are due so much earlier. */
export async function pullZonesNear(pool: pg.Pool, now: number, bySec: number): Promise<void> {
  await pool.query(
    `update zone_due set due_at = greatest($1::int8, due_at - $2::int8)
      where device_id in (select device_id from zone_due where due_at > $1::int8 order by device_id for update)`,
    [now, bySec],
  );
}

export async function forgetZoneDue(client: pg.ClientBase, deviceId: DeviceId): Promise<void> {
  await client.query("delete from zone_due where device_id = $1::int4", [deviceId]);
}
