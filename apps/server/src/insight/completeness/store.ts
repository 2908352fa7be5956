import { exchangeKinds } from "@metrum/contract/headend";
import { quarantineStates } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";

/** A device of the board. */
export interface BoardDevice {
  readonly id: DeviceId;
  readonly name: string;
  readonly place: string | null;
  readonly device_group_id: number;
  readonly model_id: number;
  readonly report_period_update: number;
  readonly zone: string;
  /** Epoch seconds. */
  readonly created_at: number;
}

/** A device visible to the session; undefined otherwise. One row by primary key. */
export async function boardDevice(db: Db, scope: Scope, id: DeviceId): Promise<BoardDevice | undefined> {
  const { rows } = await sql<BoardDevice>`
    select device.id, device.name, device.place, device.device_group_id, device.model_id, device.report_period_update,
      coalesce(device.timezone, company.timezone) as zone,
      floor(extract(epoch from device.created_at))::bigint as created_at
    from device join company on company.id = device.company_id
    where device.id = ${id}::int and ${visibleDevices(scope, { trash: "included" })}`.execute(db);
  return rows[0];
}

/** A span of a device within one day (UTC), epoch seconds, the end exclusive. */
export interface Window {
  readonly deviceId: DeviceId;
  readonly from: number;
  readonly to: number;
}

/** Exchanges of a device from `at` to `lastAt`, epoch seconds: more than one if equal failures were counted. */
export interface ExchangeFact {
  readonly device_id: DeviceId;
  readonly at: number;
  readonly lastAt: number;
  readonly result: number;
  readonly n: number;
}

/** Exchanges read of one window: those of a device polled every five minutes; of more, the first. */
export const mostExchanges = 300;

const bringReadings = sql.join(
  [exchangeKinds.poll, exchangeKinds.request, exchangeKinds.uplink].map(({ id }) => sql.lit(id)),
);
const columnsOf = (windows: readonly Window[]) => sql`
  unnest(${windows.map(({ deviceId }) => deviceId)}::int[], ${windows.map(({ from }) => from)}::bigint[],
    ${windows.map(({ to }) => to)}::bigint[]) as w (device_id, since, until)`;

/**
 * Polls and uplinks in these windows, oldest first in each. A row counts failures until the end of its day
 * (UTC). Rows: at most 300 a window; silent devices have one a day. Index: primary key of poll_log.
 */
export async function exchangesIn(db: Db, windows: readonly Window[]): Promise<ExchangeFact[]> {
  if (windows.length === 0) return [];
  const { rows } = await exchangesQuery(windows).execute(db);
  return rows;
}

export function exchangesQuery(windows: readonly Window[]): RawBuilder<ExchangeFact> {
  return sql<ExchangeFact>`
    select w.device_id, l.at, l."lastAt", l.result, l.n
    from ${columnsOf(windows)} cross join lateral (
      select started_ms / 1000 as at, coalesce(last_ms, started_ms) / 1000 as "lastAt", result, repeats + 1 as n
      from poll_log
      where device_id = w.device_id and started_ms >= (w.since - w.since % 86400) * 1000
        and started_ms < w.until * 1000 and coalesce(last_ms, started_ms) >= w.since * 1000 and kind in (${bringReadings})
      order by started_ms limit ${mostExchanges}) l`;
}

/** The newest poll of each device. One row each, by the primary key of poll_log. */
export async function newestPolls(db: Db, ids: readonly DeviceId[]): Promise<ExchangeFact[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ExchangeFact>`
    select d.id as device_id, l.at, l."lastAt", l.result, l.n
    from unnest(${ids}::int[]) as d (id) cross join lateral (
      select started_ms / 1000 as at, coalesce(last_ms, started_ms) / 1000 as "lastAt", result, repeats + 1 as n
      from poll_log where device_id = d.id and kind = ${exchangeKinds.poll.id}
      order by started_ms desc limit 1) l`.execute(db);
  return rows;
}

/** Receipts of readings that are in quarantine or were discarded from it. */
export interface QuarantineFact {
  readonly device_id: DeviceId;
  readonly msg_type: number;
  readonly received_at: number;
}

/** Rows: at most 300 a window. Index: primary key of reading_quarantine. */
export async function quarantinedIn(db: Db, windows: readonly Window[]): Promise<QuarantineFact[]> {
  if (windows.length === 0) return [];
  const { rows } = await sql<QuarantineFact>`
    select w.device_id, q.msg_type, q.received_at
    from ${columnsOf(windows)} cross join lateral (
      select distinct msg_type, received_at from reading_quarantine
      where device_id = w.device_id and received_at >= w.since and received_at < w.until
        and state <> ${quarantineStates.released}
      order by received_at limit ${mostExchanges}) q`.execute(db);
  return rows;
}

/** What can be switched off, so that a device delivers no data. */
export type Switched = "device" | "polling" | "gateway" | "company" | "group";

/** Something that a device depends on was switched on or off. */
export interface SwitchFact {
  readonly device_id: DeviceId;
  readonly what: Switched;
  readonly at: number;
  readonly isOn: boolean;
}

/**
 * When users switched these devices, their polling, present gateways, present poll groups and the company, in lists
 * or with forms, oldest first. Rows: all of these subjects, kept for three years. Index: audit_by_subject.
 */
export async function switchesOf(db: Db, companyId: number, ids: readonly DeviceId[]): Promise<SwitchFact[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<SwitchFact>`
    select d.id as device_id, s.what, floor(extract(epoch from a.at))::bigint as at,
      case when a.action in ('gateway.trash', 'company.delete') then false
        when a.action in ('gateway.restore', 'company.restore') then true
        when a.action = 'gateway.archive' then a.after ->> 'is_archived' <> 'true'
        else coalesce(a.after ->> 'is_active', a.after ->> 'is_polled') = 'true' end as "isOn"
    from device d left join poll_group_device m on m.device_id = d.id
    cross join lateral (values
      ('device', 'device ' || d.id, array['device.switch', 'device.create', 'device.edit']),
      ('polling', 'device ' || d.id, array['device.switchPolling']),
      ('gateway', 'gateway ' || d.gateway_id, array['gateway.create', 'gateway.update', 'gateway.switch',
        'gateway.archive', 'gateway.trash', 'gateway.restore']),
      ('group', 'poll group ' || m.group_id, array['pollGroup.switch', 'pollGroup.create', 'pollGroup.update']),
      ('company', 'company ' || d.company_id, array['company.switch', 'company.delete', 'company.restore'])
    ) as s (what, subject, actions)
    join audit a on a.company_id = ${companyId}::int and a.subject = s.subject and a.action = any(s.actions)
    where d.id = any(${ids}::int[]) and a.result = 'ok' and (a.after ?| array['is_active', 'is_polled']
      or a.action in ('gateway.archive', 'gateway.trash', 'gateway.restore', 'company.delete', 'company.restore'))
    order by a.at, a.id`.execute(db);
  return rows;
}

/** How far an archive of a device was requested. Rows: one an archive, by primary key. */
export async function requestedTo(
  db: Db,
  ids: readonly DeviceId[],
): Promise<{ device_id: DeviceId; msg_type: number; asked_to: number }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ device_id: DeviceId; msg_type: number; asked_to: number }>`
    select device_id, msg_type, asked_to from archive_state where device_id = any(${ids}::int[])`.execute(db);
  return rows;
}

/** The exchange log of the company before this second has expired; 0: none of it. One row by primary key. */
export async function logExpiredTo(db: Db, companyId: number): Promise<number> {
  const { rows } = await sql<{ expired_to: number }>`
    select expired_to from company_retention where company_id = ${companyId}::int and kind = 'exchanges'`.execute(
    db,
  );
  return rows[0]?.expired_to ?? 0;
}

/**
 * Readings that came into quarantine, by quarter of an hour of receipt: days of every zone consist of whole ones.
 * Rows: 10,000 a device at most. Index: primary key of reading_quarantine.
 */
export async function quarantinedByQuarter(
  db: Db,
  windows: readonly Window[],
): Promise<{ device_id: DeviceId; quarter: number; reason: number; n: number }[]> {
  const { rows } = await sql<{ device_id: DeviceId; quarter: number; reason: number; n: number }>`
    select w.device_id, q.received_at / 900 as quarter, q.reason, count(*)::int as n
    from ${columnsOf(windows)}
    join reading_quarantine q on q.device_id = w.device_id and q.received_at >= w.since and q.received_at < w.until
    group by 1, 2, 3`.execute(db);
  return rows;
}
