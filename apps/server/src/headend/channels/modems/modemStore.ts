import { sql } from "kysely";
import type { Db } from "#core";
import type { SeenModem } from "./seenModems.ts";

/** Unknown identities kept per port; the least recently seen are removed first. */
const mostUnknown = 1000;

/** A modem connection to be written. */
export interface ModemRow extends SeenModem {
  readonly port: number;
  readonly profile: string;
}

/** A modem that is or was connected. Times are epoch seconds. */
export interface ModemConnection {
  readonly port: number;
  readonly identity: string;
  readonly profile: string;
  readonly is_online: boolean;
  readonly process_id: number | null;
  readonly ip_address: string;
  readonly last_at: number;
  readonly gateway_id: number | null;
  readonly modem_type: string | null;
  readonly rssi: number | null;
  readonly end_device_type: string | null;
  readonly end_device_version: string | null;
  readonly end_device_model_id: number | null;
}

const connectionColumns = sql`m.port, m.identity, m.profile, m.is_online, m.process_id, m.ip_address, m.last_at,
  g.id as gateway_id, m.modem_type, m.rssi, m.end_device_type, m.end_device_version, m.end_device_model_id`;
/**
 * Whether an identity is registered is read from `gateway` now, not from the time of the connection. Index
 * gateway_device_id_idx.
 */
const connectionTables = sql`modem_connection m
  left join gateway g on g.device_id = m.identity and g.deleted_at is null`;

/** Stores the ports that this process has opened. */
export async function noteModemPorts(
  db: Db,
  processId: number,
  ports: readonly { readonly port: number; readonly profile: string }[],
): Promise<void> {
  await sql`
    insert into modem_port (port, process_id, profile)
    select port, ${processId}, profile
    from unnest(${ports.map(({ port }) => port)}::int[], ${ports.map(({ profile }) => profile)}::text[]) as opened (port, profile)
    on conflict (port, process_id) do update set profile = excluded.profile`.execute(db);
}

/** Ports open in any process, and those whose modems are still stored. */
export async function modemPortsSeen(db: Db): Promise<{ port: number; profile: string }[]> {
  const { rows } = await sql<{ port: number; profile: string }>`
    select distinct on (port) port, profile from (
      select port, profile, 0 as place from modem_port union all select port, profile, 1 from modem_connection
    ) known order by port, place`.execute(db);
  return rows;
}

/**
 * Writes connections of this process. A row that another process has live is kept: of two connections of a
 * modem the active one is shown. Rows: those given, by primary key.
 */
export async function noteModems(db: Db, processId: number, rows: readonly ModemRow[]): Promise<void> {
  await sql`
    insert into modem_connection as known (port, identity, profile, state, is_online, process_id, ip_address, connected_at,
      last_at, gateway_id, modem_type, rssi)
    select port, identity, profile, state, true, ${processId}::int, ip_address, connected_at, last_at,
      (select id from gateway where id = seen.gateway_id), modem_type, rssi
    from unnest(${rows.map((row) => row.port)}::int[], ${rows.map((row) => row.identity)}::text[],
      ${rows.map((row) => row.profile)}::text[], ${rows.map((row) => row.state)}::text[],
      ${rows.map((row) => row.address)}::text[], ${rows.map((row) => row.connectedAt)}::bigint[],
      ${rows.map((row) => row.lastAt)}::bigint[], ${rows.map((row) => row.gatewayId)}::int[],
      ${rows.map((row) => row.modemType ?? null)}::text[], ${rows.map((row) => row.rssi ?? null)}::smallint[])
      as seen (port, identity, profile, state, ip_address, connected_at, last_at, gateway_id, modem_type, rssi)
    on conflict (port, identity) do update set profile = excluded.profile, state = excluded.state, is_online = true,
      process_id = excluded.process_id, ip_address = excluded.ip_address, connected_at = excluded.connected_at,
      last_at = greatest(known.last_at, excluded.last_at), gateway_id = excluded.gateway_id,
      modem_type = coalesce(excluded.modem_type, known.modem_type), rssi = coalesce(excluded.rssi, known.rssi), released_at = null
    where excluded.state = 'live' or known.state <> 'live' or not known.is_online
      or known.process_id is not distinct from excluded.process_id`.execute(db);
  const ports = [...new Set(rows.filter(({ state }) => state === "unknown").map(({ port }) => port))];
  if (ports.length > 0) await makeRoom(db, ports);
}

/** Identifies a connection among those of all ports. */
export const modemKey = (port: number, identity: string): string => `${String(port)}/${identity}`;

/**
 * Connections stored as live in this process. Index modem_connection_process_id_idx; rows: the modems
 * connected here.
 */
export async function modemsOfProcess(db: Db, processId: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ port: number; identity: string }>`
    select port, identity from modem_connection where process_id = ${processId} and is_online`.execute(db);
  return new Set(rows.map(({ port, identity }) => modemKey(port, identity)));
}

async function makeRoom(db: Db, ports: readonly number[]): Promise<void> {
  await sql`
    delete from modem_connection old using (
      select port, identity, row_number() over (partition by port order by is_online desc, last_at desc) as place
      from modem_connection where gateway_id is null and port = any(${[...ports]}::int[])
    ) ranked
    where old.port = ranked.port and old.identity = ranked.identity and ranked.place > ${mostUnknown}`.execute(
    db,
  );
}

/** Marks connections of this process as ended; rows taken over by another process are left alone. */
export async function noteModemsGone(
  db: Db,
  processId: number,
  { rows, at }: { readonly rows: readonly ModemRow[]; readonly at: number },
): Promise<void> {
  await sql`
    with held as materialized (
      select port, identity from modem_connection
      where process_id = ${processId} and (port, identity) in (
        select * from unnest(${rows.map((row) => row.port)}::int[], ${rows.map((row) => row.identity)}::text[]))
      order by port, identity for update)
    update modem_connection known set is_online = false, process_id = null,
      last_at = greatest(known.last_at, seen.last_at)
    from unnest(${rows.map((row) => row.port)}::int[], ${rows.map((row) => row.identity)}::text[],
      ${rows.map((row) => Math.min(row.lastAt, at))}::bigint[]) as seen (port, identity, last_at)
    where known.port = seen.port and known.identity = seen.identity and known.process_id = ${processId}
      and (known.port, known.identity) in (select port, identity from held)`.execute(db);
}

/** Connections and ports of processes that have ended: their modems are expected to dial in again. */
export async function forgetModemsOf(db: Db, processIds: readonly number[]): Promise<void> {
  const gone = sql`any(${[...processIds]}::int[])`;
  await sql`delete from modem_port where process_id = ${gone}`.execute(db);
  await sql`
    update modem_connection set is_online = false, process_id = null,
      released_at = case when is_online then extract(epoch from now())::bigint end
    where (port, identity) in (
      select port, identity from modem_connection where process_id = ${gone} order by port, identity for update)`.execute(
    db,
  );
}

/** Time that a modem has to dial in again: it notices at its next heartbeat. */
const dialsAgainSec = 120;

/**
 * Gateways whose modem is expected to dial in again, since the process that held it has ended: that they are not
 * connected says nothing about them yet. By the clock of the database. Index modem_connection_released.
 */
export async function gatewaysDialling(db: Db, gatewayIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (gatewayIds.length === 0) return new Set();
  const { rows } = await sql<{ gateway_id: number }>`
    select gateway_id from modem_connection
    where gateway_id = any(${[...new Set(gatewayIds)]}::int[])
      and abs(released_at - extract(epoch from now())) < ${dialsAgainSec}::int`.execute(db);
  return new Set(rows.map((row) => row.gateway_id));
}

/**
 * Every modem of these ports, or of all, last seen first. Rows: all of the table, at most 20,000 a process
 * and 1,000 unknown per port.
 */
export async function modemConnections(
  db: Db,
  ports: readonly number[] | undefined,
): Promise<ModemConnection[]> {
  const { rows } = await sql<ModemConnection>`
    select ${connectionColumns} from ${connectionTables}
    where ${ports === undefined ? sql`true` : sql`m.port = any(${[...ports]}::int[])`}
    order by m.last_at desc, m.identity`.execute(db);
  return rows;
}

/** Modems that are not registered as a gateway, newest first. Index modem_connection_unknown. */
export async function unknownModems(db: Db, limit: number): Promise<ModemConnection[]> {
  const { rows } = await sql<ModemConnection>`
    select ${connectionColumns} from ${connectionTables} where m.gateway_id is null and g.id is null
    order by m.is_online desc, m.last_at desc, m.identity limit ${limit}`.execute(db);
  return rows;
}

/** One modem on one port; undefined when it was never seen there. Primary key. */
export async function modemConnection(
  db: Db,
  port: number,
  identity: string,
): Promise<ModemConnection | undefined> {
  const { rows } = await sql<ModemConnection>`
    select ${connectionColumns} from ${connectionTables}
    where m.port = ${port} and m.identity = ${identity}`.execute(db);
  return rows[0];
}

/**
 * Records which device answers behind a modem. A reported version is kept until another device answers there.
 */
export async function noteEndDevice(
  db: Db,
  { port, identity }: Pick<ModemConnection, "port" | "identity">,
  found: { readonly modelId: number | null; readonly title: string; readonly version: string | null },
): Promise<void> {
  await sql`update modem_connection set end_device_type = ${found.title}, end_device_model_id = ${found.modelId}::int,
      end_device_version = coalesce(${found.version}::text,
        case when end_device_type = ${found.title} then end_device_version end)
    where port = ${port} and identity = ${identity}`.execute(db);
}
