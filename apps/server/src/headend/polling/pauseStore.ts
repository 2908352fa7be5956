import { sql } from "kysely";
import type { Db } from "#core";
import type { DueDevice } from "./store.ts";

type Paused = Pick<DueDevice, "gatewayId" | "pauseSec" | "stationId" | "stationPauseSec" | "failures">;

/** A gateway or base station with a pause. Both have ids of one number space. */
interface Carrier {
  readonly id: number;
  readonly pauseSec: number;
}

/** What makes the polls of a device wait for those of others. */
export const carriersOf = ({ gatewayId, pauseSec, stationId, stationPauseSec }: Paused): Carrier[] => [
  ...(gatewayId !== null && pauseSec > 0 ? [{ id: gatewayId, pauseSec }] : []),
  ...(stationId !== null && stationPauseSec > 0 ? [{ id: stationId, pauseSec: stationPauseSec }] : []),
];

/**
 * Reserves a time for the poll of each device, at least the pause of its gateway and base station after the one before,
 * whichever planner reserved that; devices that answer come first. Returns the times of those that have to wait, in
 * epoch seconds. A reservation that is not used delays others by one pause.
 */
export async function reserveTimes<Device extends Paused>(
  db: Db,
  devices: readonly Device[],
  now: number,
): Promise<ReadonlyMap<Device, number>> {
  const paused = devices.filter((device) => carriersOf(device).length > 0);
  const free = await takeTimes(db, countsOf(paused), now);
  const times = new Map<Device, number>();
  for (const device of paused.toSorted((a, b) => a.failures - b.failures)) {
    const carriers = carriersOf(device);
    const at = Math.max(now, ...carriers.map(({ id }) => free.get(id) ?? now));
    for (const { id, pauseSec } of carriers) free.set(id, (free.get(id) ?? now) + pauseSec);
    if (at > now) times.set(device, at);
  }
  return times;
}

/** Drops reservations that have passed, those of removed gateways among them. Rows: one a carrier with a pause. */
export async function forgetTimes(db: Db, now: number): Promise<void> {
  await sql`delete from poll_rest where free_at < ${now}`.execute(db);
}

/** After the clock was set back: reservations are so much earlier. Rows: one a carrier with a pause. */
export async function pullTimesNear(db: Db, now: number, bySec: number): Promise<void> {
  await sql`
    update poll_rest set free_at = greatest(${now}::bigint, free_at - ${bySec}::bigint)
    where carrier_id in (
      select carrier_id from poll_rest where free_at > ${now}::bigint order by carrier_id for update)`.execute(
    db,
  );
}

/** Seconds that the polls of these devices take of each carrier. */
function countsOf(devices: readonly Paused[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const device of devices)
    for (const { id, pauseSec } of carriersOf(device)) counts.set(id, (counts.get(id) ?? 0) + pauseSec);
  return counts;
}

/** Takes spans of these lengths; returns when each begins. Rows: one a carrier, by primary key, in the order of ids. */
async function takeTimes(
  db: Db,
  lengths: ReadonlyMap<number, number>,
  now: number,
): Promise<Map<number, number>> {
  if (lengths.size === 0) return new Map();
  const ids = [...lengths.keys()].sort((a, b) => a - b);
  const { rows } = await sql<{ id: number; until: number }>`
    insert into poll_rest as rest (carrier_id, free_at)
    select id, ${now}::bigint + length from unnest(${ids}::int[], ${ids.map((id) => lengths.get(id) ?? 0)}::int[]) as wanted (id, length)
    on conflict (carrier_id) do update
      set free_at = greatest(rest.free_at, ${now}::bigint) + excluded.free_at - ${now}::bigint
    returning carrier_id as id, free_at as until`.execute(db);
  return new Map(rows.map(({ id, until }) => [id, until - (lengths.get(id) ?? 0)]));
}
