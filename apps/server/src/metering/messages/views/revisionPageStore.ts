import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { ByField } from "../rows/index.ts";

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

/** A revision with its key and the origins of its values. */
export interface RevisionOfSpan extends StoredRevision {
  readonly msg_type: number;
  readonly ts: number;
  readonly by_field: ByField | null;
}

const mostOfSpan = 200;

/**
 * The newest revisions of rows of a span, both ends inclusive, that were accepted. Rows: 200 at most, by the primary
 * key of message_revision.
 */
export async function revisionsIn(
  db: Db,
  of: {
    readonly deviceId: DeviceId;
    readonly types: readonly number[];
    readonly from: number;
    readonly to: number;
  },
): Promise<RevisionOfSpan[]> {
  const { rows } = await sql<RevisionOfSpan>`
    select msg_type, ts, replaced_at, field_set_id, status, source, received_at, v::text as v, by_field, is_refused,
      replaced_by, reason
    from message_revision
    where device_id = ${of.deviceId}::int and msg_type = any(${[...of.types]}::smallint[])
      and ts >= ${of.from}::bigint and ts <= ${of.to}::bigint and not is_refused
    order by replaced_at desc, revision desc limit ${mostOfSpan}`.execute(db);
  return rows;
}
