import { modelClasses, type BridgeEnd, type TransparentPort } from "@metrum/contract/headend";
import { sql } from "kysely";
import { containing, freezesOver, isFrozen, storableJson, tiedDevices, type Db, type Scope } from "#core";
import type { GatewayPlace, LoggedStep } from "#headend/exchanges";

/** A port was requested; the payload is its id. */
export const askedChannel = "bridge_asked";
/** A port has opened or closed, or is to be closed; the payload is its id. */
export const changedChannel = "bridge_told";

export interface BridgeRow {
  readonly id: number;
  readonly companyId: number;
  readonly deviceId: number | null;
  readonly gatewayId: number | null;
  readonly userId: number;
  readonly impersonatorId: number | null;
  readonly sessionId: number;
  readonly address: string;
  readonly line: string;
  readonly state: "asked" | "open" | "closed";
  readonly port: number | null;
  readonly endsAt: number;
  readonly endedBy: BridgeEnd | null;
}

const columns = sql`
  id, company_id as "companyId", device_id as "deviceId", gateway_id as "gatewayId", user_id as "userId",
  impersonator_id as "impersonatorId", session_id as "sessionId", address, line, state, port, ends_at as "endsAt",
  ended_by as "endedBy"`;

export interface Subject {
  readonly deviceId: number | null;
  readonly gatewayId: number | null;
}

export type NewBridge = Omit<BridgeRow, "id" | "state" | "port" | "endedBy"> & {
  readonly processId: number;
  readonly askedAt: number;
};

/**
 * Stores a request and notifies the process that is to serve it; undefined when the line already has a port.
 */
export async function addBridge(db: Db, given: NewBridge): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into transparent_port (company_id, device_id, gateway_id, user_id, impersonator_id, session_id, address, line,
      process_id, asked_at, ends_at)
    values (${given.companyId}, ${given.deviceId}, ${given.gatewayId}, ${given.userId}, ${given.impersonatorId}, ${given.sessionId},
      ${given.address}, ${given.line}, ${given.processId}, ${given.askedAt}, ${given.endsAt})
    on conflict (line) where state <> 'closed' do nothing returning id`.execute(db);
  const id = rows[0]?.id;
  if (id !== undefined) await sql`select pg_notify(${askedChannel}, ${String(id)})`.execute(db);
  return id;
}

export async function bridgeById(db: Db, id: number): Promise<BridgeRow | undefined> {
  const { rows } = await sql<BridgeRow>`select ${columns} from transparent_port where id = ${id}`.execute(db);
  return rows[0];
}

/** The port of a device or gateway that is not closed. */
export async function bridgeOf(db: Db, { deviceId, gatewayId }: Subject): Promise<BridgeRow | undefined> {
  const { rows } = await sql<BridgeRow>`select ${columns} from transparent_port where state <> 'closed'
    and (device_id = ${deviceId} or gateway_id = ${gatewayId})`.execute(db);
  return rows[0];
}

/** Requests to be served by this process. */
export async function askedOf(db: Db, processId: number): Promise<readonly BridgeRow[]> {
  const { rows } = await sql<BridgeRow>`
    select ${columns} from transparent_port where process_id = ${processId} and state = 'asked'`.execute(db);
  return rows;
}

/** Why the port was not opened: its request was withdrawn, or actuation is frozen; undefined: it is open. */
export async function noteOpen(
  system: Db,
  { id, port, at }: { readonly id: number; readonly port: number; readonly at: number },
): Promise<BridgeEnd | undefined> {
  const { rows } = await sql<{ frozen: boolean }>`
    with asked as (
      select p.id, ${isFrozen(sql`p.company_id`)} as frozen from transparent_port p
      where p.id = ${id} and p.state = 'asked' for update
    ), opened as (
      update transparent_port p set state = 'open', port = ${port}, opened_at = ${at}
      from asked where p.id = asked.id and not frozen returning pg_notify(${changedChannel}, p.id::text)
    )
    select frozen from asked left join opened on true`.execute(system);
  if (!rows[0]) return "asked";
  return rows[0].frozen ? "frozen" : undefined;
}

/** False when it is already closed. */
export async function noteClosed(
  db: Db,
  { id, end, at }: { readonly id: number; readonly end: BridgeEnd; readonly at: number },
): Promise<boolean> {
  const { rows } = await sql`update transparent_port set state = 'closed', ended_by = ${end}, ends_at = ${at}
    where id = ${id} and state <> 'closed' returning pg_notify(${changedChannel}, id::text)`.execute(db);
  return rows.length > 0;
}

/** Closes ports of dead processes. Rows: those not closed, by transparent_port_of_process. */
export async function closeAbandoned(db: Db, at: number): Promise<void> {
  await sql`update transparent_port set state = 'closed', ended_by = 'stopped', ends_at = ${at}
    where id in (
      select id from transparent_port p
      where state <> 'closed' and not exists (select from process where process.id = p.process_id)
      order by id for update)`.execute(db);
}

export async function noteBytes(
  db: Db,
  {
    id,
    sent,
    received,
    steps,
  }: {
    readonly id: number;
    readonly sent: number;
    readonly received: number;
    readonly steps?: readonly LoggedStep[];
  },
): Promise<void> {
  await sql`update transparent_port set bytes_sent = ${sent}, bytes_received = ${received},
    steps = ${steps ? storableJson(steps) : null}::jsonb where id = ${id}`.execute(db);
}

/** Traffic counters of an open port; a closed one keeps its last count. */
export async function noteProgress(
  db: Db,
  { id, sent, received }: { readonly id: number; readonly sent: number; readonly received: number },
): Promise<void> {
  await sql`update transparent_port set bytes_sent = ${sent}, bytes_received = ${received}
    where id = ${id} and state = 'open' and (bytes_sent, bytes_received) is distinct from (${sent}, ${received})`.execute(
    db,
  );
}

/**
 * These ports that must be closed, and why: by request, because actuation is frozen, or because the device or
 * gateway was switched off or removed.
 */
export async function unwanted(
  system: Db,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly end: BridgeEnd }[]> {
  const { rows } = await sql<{ id: number; end: BridgeEnd }>`
    select p.id, case when p.state = 'closed' then 'asked' when ${isFrozen(sql`p.company_id`)} then 'frozen'
      else 'switched_off' end as "end"
    from transparent_port p join company c on c.id = p.company_id
      left join device d on d.id = p.device_id left join gateway g on g.id = coalesce(p.gateway_id, d.gateway_id)
    where p.id = any(${[...ids]}::int[]) and (p.state = 'closed' or ${isFrozen(sql`p.company_id`)} or not c.is_active or not coalesce(d.is_active, true)
      or coalesce(d.is_archived, false) or d.deleted_at is not null or not coalesce(g.is_active, true)
      or coalesce(g.is_archived, false) or g.deleted_at is not null)`.execute(system);
  return rows;
}

/** Why outgoing actuation of a company is stopped; undefined: it is not. */
export async function freezeReason(system: Db, companyId: number): Promise<string | undefined> {
  const { rows } = await sql<{ reason: string }>`
    select f.reason ${freezesOver(sql`${companyId}::int`)} order by f.frozen_company_id nulls first limit 1`.execute(
    system,
  );
  return rows[0]?.reason;
}

/** Token hash of a session that has not ended; undefined when it has. */
export async function hashOfSession(db: Db, sessionId: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ hash: Buffer }>`
    select token_hash as hash from session where id = ${sessionId}`.execute(db);
  return rows[0]?.hash;
}

export interface BridgedGateway extends GatewayPlace {
  readonly isActive: boolean;
}

/** One gateway by primary key; undefined when it is in the trash. */
export async function gatewayById(db: Db, id: number): Promise<BridgedGateway | undefined> {
  const { rows } = await sql<BridgedGateway>`
    select id as "gatewayId", model_id as "gatewayModelId", host, port, serial, is_line_entered as "isEntered",
      is_active and not is_archived as "isActive"
    from gateway where id = ${id} and deleted_at is null`.execute(db);
  return rows[0];
}

/** Processes that can serve a line: its holder, or any broker process for a line that any can open. */
export async function serverOf(db: Db, line: string, isUnbound: boolean): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select process_id as id from line_holder where line = ${line}
    union all (select id from process where ${isUnbound} order by id limit 1) limit 1`.execute(db);
  return rows[0]?.id;
}

/** The device, and all devices behind the same gateway. Index device_by_gateway. */
export async function devicesOnLine(db: Db, { deviceId, gatewayId }: Subject): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from device where id = ${deviceId} or gateway_id = coalesce(${gatewayId}::int,
      (select gateway_id from device where id = ${deviceId}))
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** A port as stored; listen address and remaining time come from the process that serves it. */
export type PortRow = Omit<TransparentPort, "host" | "seconds_left">;

export interface Listing {
  readonly scope: Scope;
  /** Staff of the provider see every company of their branch. */
  readonly isBranch: boolean;
  readonly sort_field: "id" | "name" | "port" | "opened_at" | "company_name";
  readonly sort: "asc" | "desc";
  readonly search: string;
  readonly model_id?: number | undefined;
  readonly model_class_id?: number | undefined;
  /** Title of the device or, for class gateway, of the gateway. */
  readonly device_id?: number | undefined;
  readonly is_active?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * A page of transparent ports. Rows: those of the company, by (company_id, id); of all companies for staff.
 */
export async function bridgePage(db: Db, listing: Listing): Promise<{ rows: PortRow[]; total: number }> {
  const { scope } = listing;
  const like = containing(listing.search);
  const active = sql`(p.state = 'open' and exists (select from process where process.id = p.process_id))`;
  const name = sql`coalesce(d.name, g.name)`;
  const conditions = [
    listing.isBranch ? sql`c.path <@ ${scope.companyPath}::ltree` : sql`p.company_id = ${scope.companyId}`,
    tiedDevices(scope, sql`p.device_id`),
    ...(listing.search === "" ? [] : [sql`(${name} ilike ${like} or p.port::text like ${like})`]),
    ...(listing.model_id === undefined ? [] : [sql`coalesce(d.model_id, g.model_id) = ${listing.model_id}`]),
    ...(listing.model_class_id === undefined
      ? []
      : [sql`(p.gateway_id is not null) = ${listing.model_class_id === modelClasses.gateway}`]),
    ...(listing.device_id === undefined ? [] : [sql`${listing.device_id} in (p.device_id, p.gateway_id)`]),
    ...(listing.is_active === undefined ? [] : [sql`${active} = ${listing.is_active}`]),
  ];
  const from = sql`from transparent_port p join company c on c.id = p.company_id left join users u on u.id = p.user_id
    left join device d on d.id = p.device_id left join gateway g on g.id = p.gateway_id
    where ${sql.join(conditions, sql` and `)}`;
  const order = listing.sort === "asc" ? sql`asc nulls last` : sql`desc nulls last`;
  const { rows } = await sql<PortRow>`
    select p.id, coalesce(p.device_id, p.gateway_id) as device_id,
      case when p.device_id is null then ${modelClasses.gateway}::int else ${modelClasses.device}::int end as model_class_id,
      coalesce(d.model_id, g.model_id) as model_id, ${name} as name, c.name as company_name, coalesce(u.name, '') as user_name,
      p.port, ${active} as is_active, p.address, p.opened_at, p.ends_at, p.bytes_sent, p.bytes_received, p.ended_by as end
    ${from} order by ${sql.ref(listing.sort_field)} ${order}, p.id desc
    limit ${listing.limit} offset ${listing.offset}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
