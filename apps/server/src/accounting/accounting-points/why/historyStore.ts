import type { AccountingPointId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { PointEventTable, RegisterValues, Standard, TermKind } from "../records/index.ts";

/** An event of a point with the name of the user who added or caused it. */
export interface EventRow {
  readonly id: number;
  readonly ts: number;
  readonly kind: PointEventTable["kind"];
  readonly device_id: DeviceId | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly user: string | null;
}

/** Events of a point that came through `resolve`, oldest first. Index point_event_of_point. */
export async function eventsOf(db: Db, pointId: AccountingPointId): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select e.id, e.ts, e.kind, e.device_id, e.details, u.name as user
    from point_event e left join users u on u.id = e.user_id
    where e.point_id = ${pointId}::int order by e.ts, e.id limit 5000`.execute(db);
  return rows;
}

export interface TermRow {
  readonly id: number;
  readonly kind: TermKind;
  readonly from_ts: number;
  readonly to_ts: number | null;
  readonly number: number | null;
  readonly voltage_level_id: number | null;
  readonly ref_id: number | null;
  readonly ref_name: string | null;
  /** Of a transformer: "200/5". */
  readonly ref_ratio: string | null;
  readonly standard: Standard | null;
  readonly reading: RegisterValues;
  readonly note: string;
  readonly user: string | null;
}

/** All terms of a point with the names of what they refer to, oldest first. Index point_term_of_point. */
export async function termRows(db: Db, pointId: AccountingPointId): Promise<TermRow[]> {
  const { rows } = await sql<TermRow>`
    select t.id, t.kind, t.from_ts, t.to_ts, t.number::float8 as number, t.voltage_level_id,
      coalesce(t.consumer_id, t.supplier_id, t.transformer_id) as ref_id,
      coalesce(k.name, v.name, x.title) as ref_name,
      trim_scale(x.primary_value)::text || '/' || trim_scale(x.secondary_value)::text as ref_ratio,
      t.standard, t.reading, t.note, u.name as user
    from point_term t
      left join consumer k on k.id = t.consumer_id
      left join supplier v on v.id = t.supplier_id
      left join transformer x on x.id = t.transformer_id
      left join users u on u.id = t.user_id
    where t.point_id = ${pointId}::int order by t.from_ts, t.id`.execute(db);
  return rows;
}

/** Names of users by id, those that the session may see. */
export async function userNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from users where id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Who entered readings of a device at an instant, by the audit of the company. Index audit_by_subject. */
export async function enteredBy(
  db: Db,
  { deviceId, at }: { readonly deviceId: DeviceId; readonly at: number },
): Promise<number | null> {
  const { rows } = await sql<{ user_id: number | null }>`
    select user_id from audit
    where company_id = metrum_company() and subject = ${`device ${String(deviceId)}`} and action in ('reading.enter', 'reading.confirm')
      and at >= to_timestamp(${at}::float8 - 5) and at <= to_timestamp(${at}::float8 + 10)
    order by at limit 1`.execute(db);
  return rows[0]?.user_id ?? null;
}

/** Amounts added for the time before devices of a point, by their intervals. */
export async function meterlessAmounts(
  db: Db,
  pointId: AccountingPointId,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; amount: number }>`
    select point_device_id as id, sum(amount)::float8 as amount from point_amount
    where point_id = ${pointId}::int and point_device_id is not null and field = 'main' group by 1`.execute(
    db,
  );
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

/** The exchange of a device that brought readings at an instant. Primary key of poll_log, an hour of it. */
export async function exchangeAt(
  db: Db,
  { deviceId, receivedAt }: { readonly deviceId: DeviceId; readonly receivedAt: number },
): Promise<{ readonly id: number; readonly at: number } | undefined> {
  const { rows } = await sql<{ id: number; at: number }>`
    select started_ms as id, started_ms / 1000 as at from poll_log
    where device_id = ${deviceId}::int and received_at = ${receivedAt}::bigint
      and started_ms >= ${(receivedAt - 3600) * 1000}::bigint and started_ms <= ${(receivedAt + 60) * 1000}::bigint
    order by started_ms desc limit 1`.execute(db);
  return rows[0];
}

/** When the newest day of a span was computed. Primary key of point_day. */
export async function computedAt(
  db: Db,
  of: {
    readonly pointId: AccountingPointId;
    readonly field: string;
    readonly fromDay: string;
    readonly toDay: string;
  },
): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select max(computed_at)::float8 as at from point_day
    where point_id = ${of.pointId}::int and field = ${of.field} and day >= ${of.fromDay}::date and day <= ${of.toDay}::date
  `.execute(db);
  return rows[0]?.at ?? null;
}
