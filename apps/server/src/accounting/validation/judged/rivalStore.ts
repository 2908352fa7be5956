import { isFieldName, sources, statuses, type DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { parseValues, type ByField, type FieldSets } from "#metering/messages";
import type { Rival } from "./judged.ts";

interface RivalRow {
  readonly msg_type: number;
  readonly ts: number;
  readonly status: number;
  readonly source: number;
  readonly received_at: number | null;
  readonly is_refused: boolean;
  readonly field_set_id: number;
  readonly v: string;
  readonly by_field: ByField | null;
}

/** Readings and archives. */
const types = [1, 100, 101];
const mostRows = 2_000;
const measured = [statuses.measured.id, statuses.late.id];
const entered = [statuses.manual.id, statuses.suspect.id];

/**
 * Values of a span, both ends inclusive, that do not stand: measured ones, and those of a person that were not confirmed.
 * Rows: 2,000 at most, the oldest of the span, by the primary key of message_revision.
 */
export async function readRivals(
  db: Db,
  sets: FieldSets,
  of: { readonly deviceId: DeviceId; readonly from: number; readonly to: number },
): Promise<Rival[]> {
  const { rows } = await sql<RivalRow>`
    select msg_type, ts, status, source, received_at, is_refused, field_set_id, v::text as v, by_field
    from message_revision
    where device_id = ${of.deviceId}::int and msg_type = any(${types}::smallint[])
      and ts >= ${of.from}::bigint and ts <= ${of.to}::bigint and source <> ${sources.calculated}
    order by ts, msg_type, replaced_at, revision limit ${mostRows}`.execute(db);
  await sets.load(rows.map((row) => row.field_set_id));
  return rows.flatMap((row) => rivalsOf(row, sets.byId(row.field_set_id)?.fields ?? []));
}

function rivalsOf(row: RivalRow, names: readonly string[]): Rival[] {
  const { ts, msg_type: msgType, is_refused: isRefused } = row;
  const v = parseValues(row.v);
  return names.flatMap((field, at) => {
    const value = v[at] ?? null;
    const { status, source, received_at } = row.by_field?.[field] ?? row;
    const isKept = isOfPerson({ source, status }) ? entered.some((id) => id === status) : isMeasured(status);
    if (value === null || !isFieldName(field) || !isKept) return [];
    const receivedAt = received_at ?? ts;
    return [{ ts, msgType, field, value, status, source, receivedAt, meterAt: null, isRefused }];
  });
}

const isMeasured = (status: number): boolean => measured.some((id) => id === status);

/** Entered, or of a file and not confirmed. */
const isOfPerson = ({ source, status }: { readonly source: number; readonly status: number }): boolean =>
  source === sources.manual || (source === sources.imported && status === statuses.suspect.id);
