import type { DownlinkOutcome } from "@metrum/protocols/lorawan";
import { sql, type RawBuilder } from "kysely";
import { isControlStopped, type Db } from "#core";

/** An order was written; no payload. */
export const wantedChannel = "downlink_wanted";
/** An order has ended; the payload is its id. */
export const endedChannel = "downlink_ended";

/**
 * `waiting` and `sending` are not final; `unknown`: it was being sent when its process or connection ended.
 */
export type OrderState = "waiting" | "sending" | "sent" | "no_line" | "refused" | "unknown";

export interface NewOrder {
  readonly deviceId: number;
  readonly way: string;
  /** With the prefix of the company if it goes through the embedded broker; empty over HTTP. */
  readonly topic: string;
  /** Network server that the platform connects to; null: through the embedded broker. */
  readonly serverId: number | null;
  readonly fPort: number;
  readonly payload: Uint8Array;
  readonly confirmed: boolean;
  readonly reference: string;
  /** When the network server shall drop it from the queue of the device, if it can; null: it keeps it. */
  readonly validUntil: number | null;
  /** For a command that changes the device: not sent while actuation is frozen. */
  readonly changesDevice: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface Order extends NewOrder {
  readonly id: number;
  readonly companyId: number;
  readonly networkId: string;
}

/** An order, with a notification on commit. */
export async function addOrder(db: Db, given: NewOrder): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into downlink_order (device_id, way, topic, network_server_id, fport, payload, confirmed, reference,
        valid_until, changes_device, created_at, expires_at)
      values (${given.deviceId}, ${given.way}, ${given.topic}, ${given.serverId}, ${given.fPort}, ${Buffer.from(given.payload)},
        ${given.confirmed}, ${given.reference}, ${given.validUntil}::bigint,
        ${given.changesDevice}, ${given.createdAt}, ${given.expiresAt})
      returning id
    )
    select id::float8 as id, pg_notify(${wantedChannel}, '') from added`.execute(db);
  return rows[0]?.id ?? 0;
}

const columns = sql`
  o.id::float8 as id, o.device_id as "deviceId", o.way, o.topic, o.network_server_id as "serverId", o.fport as "fPort", o.payload,
  o.confirmed, o.reference, o.valid_until as "validUntil", o.changes_device as "changesDevice", o.created_at as "createdAt", o.expires_at as "expiresAt", d.company_id as "companyId",
  d."deviceID" as "networkId"`;

/** Orders taken per query. */
const takenAtOnce = 500;

/** Untaken orders, oldest first. Rows: the open ones, by downlink_order_open. */
export async function waitingOrders(db: Db, now: number): Promise<readonly Order[]> {
  const { rows } = await sql<Order>`
    select ${columns} from downlink_order o join device d on d.id = o.device_id
    where o.state = 'waiting' and o.expires_at > ${now} order by o.id limit ${takenAtOnce}`.execute(db);
  return rows;
}

/** Open orders, locked in the order of their ids: processes that end several cannot block each other. */
const openOrders = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select o.id from downlink_order o where o.state in ('waiting', 'sending') and ${condition} order by o.id for update)`;

/**
 * After the clock was set back: orders of a time that is still to come were written so much earlier, and expire then.
 * Rows: the open ones, by downlink_order_open.
 */
export async function pullOrdersNear(db: Db, now: number, bySec: number): Promise<void> {
  await sql`
    update downlink_order set created_at = created_at - ${bySec}::bigint, expires_at = expires_at - ${bySec}::bigint
    where id in ${openOrders(sql`o.created_at > ${now}::bigint`)}`.execute(db);
}

const companyOfOrder = sql`(select company_id from device where id = o.device_id)`;

/** Condition: an order that a freeze of control, or the end of its company, stops. */
const isStopped = (now: number): RawBuilder<unknown> =>
  sql`o.changes_device and ${isControlStopped(companyOfOrder, now)}`;

/**
 * False when another process was first, it has expired, or the control of its company is stopped. Committed before the
 * first byte is sent.
 */
export async function takeOrder(
  system: Db,
  { id, processId, now }: { readonly id: number; readonly processId: number; readonly now: number },
): Promise<boolean> {
  const { rows } = await sql`
    update downlink_order o set state = 'sending', process_id = ${processId}
    where o.id = ${id} and o.state = 'waiting' and o.expires_at > ${now} and not (${isStopped(now)}) returning o.id`.execute(
    system,
  );
  return rows.length > 0;
}

/** The connection was lost before a byte was sent: another process may take it. */
export async function putBack(db: Db, id: number): Promise<void> {
  await sql`update downlink_order set state = 'waiting', process_id = null where id = ${id} and state = 'sending'`.execute(
    db,
  );
}

/**
 * Ends the orders that a freeze of control stops, those put back since included; returns them. An order being sent
 * goes on. Rows: the open ones, by downlink_order_open.
 */
export async function endFrozen(system: Db, now: number): Promise<readonly OverdueOrder[]> {
  const { rows } = await sql<OverdueOrder>`
    with ended as (
      update downlink_order o set state = 'no_line', message = 'the control of devices has been stopped',
        ended_at = ${now}
      from device d where d.id = o.device_id and o.id in ${openOrders(sql`o.state = 'waiting' and ${isStopped(now)}`)}
      returning ${columns}, o.state, o.message
    )
    select *, pg_notify(${endedChannel}, id::text) from ended`.execute(system);
  return rows;
}

/** False when it has already ended. */
export async function endOrder(
  db: Db,
  { id, state, message, now }: { id: number; state: OrderState; message: string; now: number },
): Promise<boolean> {
  const { rows } = await sql`
    update downlink_order set state = ${state}, message = ${message.slice(0, 255)}, ended_at = ${now}
    where id = ${id} and state = 'sending' returning pg_notify(${endedChannel}, id::text)`.execute(db);
  return rows.length > 0;
}

export interface OverdueOrder extends Order {
  readonly state: OrderState;
  readonly message: string;
}

/** After this time an order still being sent has lost its process. */
const lostAfterSec = 60;
const keptSec = 7 * 86_400;

/**
 * Ends expired orders and those left behind by a process; returns both. Whether one of the second kind was
 * sent is unknown, so it is not sent again. Deletes orders that ended long ago.
 */
export async function endOverdue(db: Db, now: number): Promise<readonly OverdueOrder[]> {
  const { rows } = await sql<OverdueOrder>`
    with ended as (
      update downlink_order o set ended_at = ${now},
        state = case o.state when 'waiting' then 'no_line' else 'unknown' end,
        message = case o.state when 'waiting' then 'no network server is connected' else 'its process ended while it was sent' end
      from device d
      where d.id = o.device_id and o.id in ${openOrders(sql`(o.state = 'waiting' and o.expires_at <= ${now}
        or o.state = 'sending' and (o.expires_at <= ${now - lostAfterSec}
          or not exists (select from process where process.id = o.process_id)))`)}
      returning ${columns}, o.state, o.message
    )
    select *, pg_notify(${endedChannel}, id::text) from ended`.execute(db);
  await sql`delete from downlink_order where ended_at < ${now - keptSec}`.execute(db);
  return rows;
}

/** What a network server reports of an order that was handed over to it, by the reference given with it. */
export interface OrderReport {
  readonly deviceId: number;
  readonly reference: string;
  readonly outcome: DownlinkOutcome;
}

/** Reports come in any order and several times: a later one of this list replaces an earlier one. */
const reportOrder: readonly DownlinkOutcome[] = [
  "queued",
  "sent",
  "not_acknowledged",
  "failed",
  "acknowledged",
];
const rankOf = (outcome: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(array_position(${[...reportOrder]}::text[], ${outcome}), 0)`;

/** Notes reports; those of unknown orders or of other devices change nothing. Index downlink_order_reference. */
export async function noteReports(db: Db, reports: readonly OrderReport[]): Promise<void> {
  if (reports.length === 0) return;
  await sql`
    with report as (
      select distinct on (device_id, reference) *
      from unnest(${reports.map(({ deviceId }) => deviceId)}::int[], ${reports.map(({ reference }) => reference)}::text[],
        ${reports.map(({ outcome }) => outcome)}::text[]) as given (device_id, reference, outcome)
      order by device_id, reference, ${rankOf(sql`outcome`)} desc
    ), known as (
      select o.id, report.outcome from report
        join downlink_order o on o.device_id = report.device_id and o.reference = report.reference
      where ${rankOf(sql`report.outcome`)} > ${rankOf(sql`o.network_report`)}
      order by o.id for update of o
    )
    update downlink_order o set network_report = known.outcome, is_report_new = true from known where o.id = known.id`.execute(
    db,
  );
}

/** An order with a report that was not passed on. */
export interface ReportedOrder {
  readonly id: number;
  readonly deviceId: number;
  readonly outcome: DownlinkOutcome;
}

/** Reports of orders that were handed over, each once; the oldest. Index downlink_order_reported. */
export async function newReports(db: Db, limit: number): Promise<readonly ReportedOrder[]> {
  const { rows } = await sql<ReportedOrder>`
    update downlink_order set is_report_new = false
    where id in (select id from downlink_order where is_report_new and state = 'sent' order by id limit ${limit}
      for update skip locked)
    returning id::float8 as id, device_id as "deviceId", network_report as outcome`.execute(db);
  return rows;
}

export async function stateOf(db: Db, id: number): Promise<OrderState | undefined> {
  const { rows } = await sql<{
    state: OrderState;
  }>`select state from downlink_order where id = ${id}`.execute(db);
  return rows[0]?.state;
}
