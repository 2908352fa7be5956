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
