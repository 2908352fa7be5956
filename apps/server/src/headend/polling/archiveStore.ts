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
}

/**
 * Read positions of a device's archives; none for archives never requested. Rows: one per archive, by primary
 * key.
 */
export async function archiveStates(db: Db, deviceId: DeviceId): Promise<ReadonlyMap<number, ArchiveState>> {
  const { rows } = await sql<ArchiveState>`
    select msg_type as "msgType", asked_to as "askedTo", retry_at as "retryAt", failures
    from archive_state where device_id = ${deviceId}::int`.execute(db);
  return new Map(rows.map((row) => [row.msgType, row]));
}

export async function noteArchive(db: Db, deviceId: DeviceId, state: ArchiveState): Promise<void> {
  await sql`
    insert into archive_state (device_id, msg_type, asked_to, retry_at, failures)
    values (${deviceId}::int, ${state.msgType}::smallint, ${state.askedTo}::bigint, ${state.retryAt}::bigint,
      ${state.failures}::smallint)
    on conflict (device_id, msg_type) do update
      set asked_to = excluded.asked_to, retry_at = excluded.retry_at, failures = excluded.failures`.execute(
    db,
  );
}
