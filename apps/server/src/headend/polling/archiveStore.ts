import type { DeviceId, MessageTypeId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** How far an archive of a device was read. */
export interface ArchiveState {
  readonly msgType: MessageTypeId;
  /** Slots before it are not requested again. Epoch seconds UTC. */
  readonly askedTo: number;
  readonly retryAt: number;
  readonly failures: number;
  /** The beginning of what was read; slots before it were never requested. Epoch seconds UTC. */
  readonly filledFrom: number;
}

/**
 * Read positions of a device's archives; none for archives never requested. Rows: one per archive, by primary
 * key.
 */
export async function archiveStates(db: Db, deviceId: DeviceId): Promise<ReadonlyMap<number, ArchiveState>> {
  const { rows } = await sql<ArchiveState>`
    select msg_type as "msgType", asked_to as "askedTo", retry_at as "retryAt", failures,
      coalesce(filled_from, asked_to) as "filledFrom"
    from archive_state where device_id = ${deviceId}::int`.execute(db);
  return new Map(rows.map((row) => [row.msgType, row]));
}

export async function noteArchive(db: Db, deviceId: DeviceId, state: ArchiveState): Promise<void> {
  await sql`
    insert into archive_state (device_id, msg_type, asked_to, retry_at, failures, filled_from)
    values (${deviceId}::int, ${state.msgType}::smallint, ${state.askedTo}::bigint, ${state.retryAt}::bigint,
      ${state.failures}::smallint, ${state.filledFrom}::bigint)
    on conflict (device_id, msg_type) do update
      set asked_to = excluded.asked_to, retry_at = excluded.retry_at, failures = excluded.failures,
        filled_from = excluded.filled_from`.execute(db);
}

/**
 * After the clock was set back: archives are asked again so much earlier, also for slots of a time that is still to
 * come. Rows: those ahead of the clock.
 */
export async function pullArchivesNear(db: Db, now: number, bySec: number): Promise<void> {
  const isAhead = sql`(retry_at > ${now}::bigint or asked_to > ${now}::bigint)`;
  await sql`
    update archive_state a set asked_to = least(asked_to, ${now}::bigint),
      retry_at = case when retry_at > ${now}::bigint then greatest(${now}::bigint, retry_at - ${bySec}::bigint) else retry_at end
    where (device_id, msg_type) in (
      select device_id, msg_type from archive_state where ${isAhead} order by device_id, msg_type for update)`.execute(
    db,
  );
  await sql`
    update archive_hole set retry_at = greatest(${now}::bigint, retry_at - ${bySec}::bigint)
    where (device_id, msg_type, tries) in (
      select device_id, msg_type, tries from archive_hole where retry_at > ${now}::bigint
      order by device_id, msg_type, tries for update)`.execute(db);
}

/** Slots of an archive that the meter did not deliver, to be requested again. Epoch seconds UTC, the end exclusive. */
export interface ArchiveHole {
  readonly msgType: MessageTypeId;
  /** Unsuccessful requests so far, without the first one. */
  readonly tries: number;
  readonly from: number;
  readonly to: number;
  readonly retryAt: number;
}

/** Holes of a device whose time has come, those requested least first. Rows: four an archive, by primary key. */
export async function dueHoles(db: Db, deviceId: DeviceId, now: number): Promise<ArchiveHole[]> {
  const { rows } = await sql<ArchiveHole>`
    select msg_type as "msgType", tries, from_at as "from", to_at as "to", retry_at as "retryAt"
    from archive_hole where device_id = ${deviceId}::int and retry_at <= ${now}::bigint order by tries`.execute(
    db,
  );
  return rows;
}

/** Adds a hole; one of the same number of tries grows, and keeps its time. */
export async function keepHole(db: Db, deviceId: DeviceId, hole: ArchiveHole): Promise<void> {
  await sql`
    insert into archive_hole (device_id, msg_type, tries, from_at, to_at, retry_at)
    values (${deviceId}::int, ${hole.msgType}::smallint, ${hole.tries}::smallint, ${hole.from}::bigint,
      ${hole.to}::bigint, ${hole.retryAt}::bigint)
    on conflict (device_id, msg_type, tries) do update
      set from_at = least(archive_hole.from_at, excluded.from_at), to_at = greatest(archive_hole.to_at, excluded.to_at)`.execute(
    db,
  );
}

/** Rows: one, by primary key. */
export async function removeHole(db: Db, deviceId: DeviceId, { msgType, tries }: ArchiveHole): Promise<void> {
  await sql`delete from archive_hole where device_id = ${deviceId}::int and msg_type = ${msgType}::smallint
    and tries = ${tries}::smallint`.execute(db);
}
