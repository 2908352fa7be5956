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
