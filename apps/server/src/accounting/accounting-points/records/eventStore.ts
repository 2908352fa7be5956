import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "#core";
import type { By, PointDeviceId } from "./deviceStore.ts";
import type { PointEventTable } from "./tables.ts";

export interface NewEvent {
  readonly pointId: AccountingPointId;
  readonly ts: number;
  readonly kind: PointEventTable["kind"];
  readonly deviceId: DeviceId | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An event that a user causes or adds. */
export async function insertEvent(db: Db, scope: By, event: NewEvent): Promise<number> {
  const [id] = await insertEvents(db, scope, [event]);
  if (id === undefined) throw new Error("an event was added without an id");
  return id;
}

/** Ids in the order given. */
export async function insertEvents(db: Db, scope: By, events: readonly NewEvent[]): Promise<number[]> {
  if (events.length === 0) return [];
  const rows = await db
    .insertInto("point_event")
    .values(
      events.map((event) => ({
        point_id: event.pointId,
        company_id: scope.companyId,
        ts: event.ts,
        kind: event.kind,
        device_id: event.deviceId,
        details: JSON.stringify(event.details),
        user_id: scope.userId,
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

export interface NewReplacement {
  readonly pointId: AccountingPointId;
  readonly at: number;
  readonly deviceId: DeviceId;
  readonly oldDeviceId: DeviceId;
  /** The interval of the new device. */
  readonly pointDevice: PointDeviceId;
  readonly act: string | undefined;
}

/** Another device measures the point from the instant of its installation on. */
export async function insertReplaced(db: Db, scope: By, given: NewReplacement): Promise<void> {
  const { pointId, at, deviceId, oldDeviceId, pointDevice, act } = given;
  const details = { point_device: pointDevice, old_device_id: oldDeviceId, ...(act ? { act } : {}) };
  await insertEvent(db, scope, { pointId, ts: at, kind: "replaced", deviceId, details });
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

/** A reset or rollover that the readings show, at the first value after it. */
export interface RecognisedEvent {
  readonly ts: number;
  readonly kind: "reset" | "rollover";
  readonly device_id: DeviceId;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Stores what was recognised in some spans of a point, once each, and removes what no longer holds; events that a user
 * has added stay. Rows: the events of the point, a few. Index: point_event_of_point.
 */
export async function noteRecognised(
  client: pg.ClientBase,
  given: {
    readonly pointId: AccountingPointId;
    /** Both inclusive. */
    readonly spans: readonly { readonly from: number; readonly to: number }[];
    readonly events: readonly RecognisedEvent[];
  },
): Promise<void> {
  const { pointId, spans, events } = given;
  await client.query({
    name: "points-events-gone",
    text: `delete from point_event e using unnest($2::int8[], $3::int8[]) as s(from_ts, to_ts)
      where e.point_id = $1::int4 and e.ts >= s.from_ts and e.ts <= s.to_ts and e.kind in ('reset', 'rollover')
        and e.user_id is null and not exists (
          select from jsonb_to_recordset($4::jsonb) as k(ts int8, kind text, device_id int4)
          where k.ts = e.ts and k.kind = e.kind and k.device_id = e.device_id)`,
    values: [pointId, spans.map(({ from }) => from), spans.map(({ to }) => to), JSON.stringify(events)],
  });
  if (events.length === 0) return;
  await client.query({
    name: "points-events-new",
    text: `insert into point_event (point_id, company_id, ts, kind, device_id, details)
      select p.id, p.company_id, k.ts, k.kind, k.device_id, k.details
      from accounting_point p cross join jsonb_to_recordset($2::jsonb) as k(ts int8, kind text, device_id int4, details jsonb)
      where p.id = $1::int4
      on conflict (point_id, kind, ts, device_id) where kind in ('reset', 'rollover') do update set details = excluded.details
      where point_event.user_id is null and point_event.details <> excluded.details`,
    values: [pointId, JSON.stringify(events)],
  });
}

/** Events of a point that persons have added. Index point_event_of_point. */
export async function countEvents(db: Db, pointId: AccountingPointId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from point_event where point_id = ${pointId}::int and kind in ('verified', 'note')`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Removes an event that a person has added; undefined if there is none with this id. */
export async function deleteEntered(
  db: Db,
  pointId: AccountingPointId,
  id: number,
): Promise<{ readonly kind: string; readonly ts: number; readonly details: unknown } | undefined> {
  const { rows } = await sql<{ kind: string; ts: number; details: unknown }>`
    delete from point_event where id = ${id}::int and point_id = ${pointId}::int and kind in ('verified', 'note')
    returning kind, ts, details`.execute(db);
  return rows[0];
}
