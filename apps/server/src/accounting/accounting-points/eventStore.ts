import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db, Scope } from "#core";
import type { PointEventTable } from "./tables.ts";

export interface NewEvent {
  readonly pointId: AccountingPointId;
  readonly ts: number;
  readonly kind: PointEventTable["kind"];
  readonly deviceId: DeviceId | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An event that a user causes or adds. */
export async function insertEvent(db: Db, scope: Scope, event: NewEvent): Promise<number> {
  const { id } = await db
    .insertInto("point_event")
    .values({
      point_id: event.pointId,
      company_id: scope.companyId,
      ts: event.ts,
      kind: event.kind,
      device_id: event.deviceId,
      details: JSON.stringify(event.details),
      user_id: scope.userId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Events of a point by the interval of a device that they belong to. */
export async function deleteEventsOf(db: Db, pointId: AccountingPointId, pointDevice: number): Promise<void> {
  await sql`delete from point_event where point_id = ${pointId}::int
    and details ->> 'point_device' = ${String(pointDevice)}`.execute(db);
}

/** The events of a corrected interval happened at its ends. Index point_event_of_point. */
export async function moveEventsOf(
  db: Db,
  pointId: AccountingPointId,
  pointDevice: number,
  { from, to }: { readonly from: number; readonly to: number | null },
): Promise<void> {
  await sql`update point_event set ts = case kind when 'removed' then coalesce(${to}::bigint, ts) else ${from}::bigint end
    where point_id = ${pointId}::int and details ->> 'point_device' = ${String(pointDevice)}`.execute(db);
}
