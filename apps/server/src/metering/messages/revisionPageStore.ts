import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** A version of a row that was replaced, or that was not accepted. */
export interface StoredRevision {
  /** Epoch milliseconds. */
  readonly replaced_at: number;
  readonly field_set_id: number;
  readonly status: number;
  readonly source: number;
  readonly received_at: number | null;
  readonly v: string;
  readonly is_refused: boolean;
  readonly replaced_by: number | null;
  readonly reason: string | null;
}

const most = 50;

/** The newest revisions of one row. Rows: 50 at most, by the primary key of message_revision. */
export async function revisionsOf(
  db: Db,
  of: { readonly deviceId: DeviceId; readonly msgType: number; readonly ts: number },
): Promise<StoredRevision[]> {
  const { rows } = await sql<StoredRevision>`
    select replaced_at, field_set_id, status, source, received_at, v::text as v, is_refused, replaced_by, reason
    from message_revision
    where device_id = ${of.deviceId}::int and msg_type = ${of.msgType}::smallint and ts = ${of.ts}::bigint
    order by replaced_at desc, revision desc limit ${most}`.execute(db);
  return rows;
}
