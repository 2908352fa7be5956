import type { GatewayListInput, GatewaySelection } from "@metrum/contract/metering";
import type { BaseStationId, GatewayId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { foundPage, visibleDevices, type Db, type FoundBy, type Scope } from "#core";
import { isSilent } from "#metering/device-state";
import { carrierConditions } from "./carrierListStore.ts";

/** Devices behind a gateway. */
export interface Behind {
  readonly devices_count: number;
  /** Active ones that are silent. */
  readonly silent_count: number;
  /** Newest reading of one of them. */
  readonly last_data_at: number | null;
}

/** Counts the visible devices behind the row of `gateway`, for a lateral join. Index device_by_gateway. */
export const devicesBehind = (scope: Scope, now: number): RawBuilder<Behind> => sql<Behind>`(
  select count(*)::int as devices_count, max(s.last_data_at) as last_data_at,
    (count(*) filter (where d.is_active and ${isSilent(now)}))::int as silent_count
  from device d join device_state s on s.device_id = d.id
  where d.gateway_id = gateway.id and ${visibleDevices(scope, { as: "d", archive: "excluded" })})`;

/** A gateway with what is behind it. */
export interface GatewayRow extends Behind {
  readonly id: GatewayId;
  readonly model_id: number;
  readonly interface_id: number;
  readonly name: string;
  readonly device_id: string;
  readonly base_station_id: BaseStationId | null;
  readonly base_station_name: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly serial_path: string | null;
  readonly desc: string;
  readonly phone_number: string;
  readonly login: string;
  readonly has_password: boolean;
  readonly timezone: string | null;
  readonly company_timezone: string;
  readonly report_period_update: number;
  readonly warning_report_period: number;
  readonly poll_pause: number;
  readonly dlms_wrapper: boolean;
  readonly is_active: boolean;
  readonly is_deleted: boolean;
  readonly is_archived: boolean;
  readonly last_session_at: number | null;
  readonly created_at: number;
  readonly control_port: number | null;
  /** TCP port of its open transparent port. */
  readonly bridge_port: number | null;
}

export interface GatewayPage {
  readonly filter: GatewaySelection;
  readonly sort_field: NonNullable<GatewayListInput["sort_field"]>;
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
  readonly now: number;
}

const sortColumns = {
  id: sql`gateway.id`,
  name: sql`gateway.name`,
  device_id: sql`gateway.device_id`,
  interface_id: sql`gateway.interface_id`,
  report_period_update: sql`gateway.report_period_update`,
  last_session_at: sql`gateway.last_session_at`,
} as const;

/**
 * A page of gateways with their total; the devices behind are counted for its rows only. Rows: those of a
 * company by gateway_listed, 20,000 at most; the devices of the page by device_by_gateway.
 */
export async function gatewayPage(
  by: FoundBy,
  scope: Scope,
  { filter, sort_field, now, ...page }: GatewayPage,
): Promise<{ readonly total: number; readonly rows: GatewayRow[] }> {
  const { total, ids } = await foundPage<GatewayId>(by, {
    rows: sql`gateway where ${conditions(scope, filter)}`,
    id: sql`gateway.id`,
    key: sortColumns[sort_field],
    ...page,
  });
  return { total, rows: await gatewaysOf(by.db, scope, { ids, now }) };
}

/** Ids of all gateways that match a filter: 20,000 at most. Index gateway_listed, or gateway_trash. */
export async function matchingGateways(db: Db, scope: Scope, filter: GatewaySelection): Promise<GatewayId[]> {
  const { rows } = await sql<{ id: GatewayId }>`
    select gateway.id from gateway where ${conditions(scope, filter)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** One gateway that came through `resolve`; primary key. */
export async function gatewayRow(
  db: Db,
  scope: Scope,
  { id, now }: { readonly id: GatewayId; readonly now: number },
): Promise<GatewayRow | undefined> {
  const [row] = await gatewaysOf(db, scope, { ids: [id], now });
  return row;
}

/** Gateways of these models outside archive and trash, by name. Index gateway_listed. */
export async function gatewaysWith(
  db: Db,
  scope: Scope,
  asked: {
    readonly modelIds: readonly number[];
    /** Gateways with a listener too, whatever their model. */
    readonly areListening: boolean;
    readonly search: string;
    readonly limit: number;
    readonly now: number;
  },
): Promise<GatewayRow[]> {
  const ofModel = sql`gateway.model_id = any(${[...asked.modelIds]}::int[])`;
  const { rows } = await sql<{ id: GatewayId }>`
    select gateway.id from gateway
    where ${conditions(scope, { search_string: asked.search })}
      and ${asked.areListening ? sql`(${ofModel} or gateway.listens is not null)` : ofModel}
    order by gateway.name, gateway.id limit ${asked.limit}::int`.execute(db);
  return gatewaysOf(db, scope, { ids: rows.map(({ id }) => id), now: asked.now });
}

/** Gateways in the order of these ids. */
async function gatewaysOf(
  db: Db,
  scope: Scope,
  { ids, now }: { readonly ids: readonly GatewayId[]; readonly now: number },
): Promise<GatewayRow[]> {
  const { rows } = await sql<GatewayRow>`
    select gateway.id, gateway.model_id, gateway.interface_id, gateway.name, gateway.device_id, gateway.base_station_id,
      base_station.name as base_station_name, gateway.host, gateway.port, gateway.serial ->> 'path' as serial_path,
      gateway."desc", gateway.phone_number, gateway.login, secret.gateway_id is not null as has_password, gateway.timezone,
      company.timezone as company_timezone, gateway.report_period_update, gateway.warning_report_period, gateway.poll_pause, gateway.dlms_wrapper, gateway.is_active,
      gateway.deleted_at is not null as is_deleted, gateway.is_archived, gateway.last_session_at,
      extract(epoch from gateway.created_at)::int as created_at, gateway.control_port, bridge.port as bridge_port,
      behind.devices_count, behind.silent_count, behind.last_data_at
    from unnest(${[...ids]}::int[]) with ordinality as page (id, place)
      join gateway on gateway.id = page.id
      join company on company.id = gateway.company_id
      left join base_station on base_station.id = gateway.base_station_id
      left join gateway_secret secret on secret.gateway_id = gateway.id
      left join lateral (
        select port from transparent_port where gateway_id = gateway.id and state = 'open' limit 1
      ) bridge on true
      cross join lateral ${devicesBehind(scope, now)} behind
    order by page.place`.execute(db);
  return rows;
}

/** Last connection of a modem, from any process. */
export interface ModemContact {
  readonly isConnected: boolean;
  readonly at: number;
  /** Last reported signal, dBm. */
  readonly rssi: number | null;
}

/**
 * By gateway, for those that came from a scoped query: connections belong to no company. Index
 * modem_connection_identity_idx.
 */
export async function contactsOf(
  system: Db,
  ids: readonly GatewayId[],
): Promise<ReadonlyMap<GatewayId, ModemContact>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ModemContact & { readonly id: GatewayId }>`
    select g.id, bool_or(m.is_online and m.state = 'live') as "isConnected", max(m.last_at) as at,
      (array_agg(m.rssi order by m.last_at desc) filter (where m.rssi is not null))[1] as rssi
    from gateway g join modem_connection m on m.identity = g.device_id
    where g.id = any(${[...ids]}::int[]) group by g.id`.execute(system);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A gateway as a carrier of devices. */
export interface Carrier {
  readonly id: GatewayId;
  readonly name: string;
  readonly model_id: number;
  readonly isListening: boolean;
  readonly isDeleted: boolean;
  readonly isArchived: boolean;
}

/** Gateways that came through `resolve`; primary key. */
export async function carriersOf(
  db: Db,
  ids: readonly GatewayId[],
): Promise<ReadonlyMap<GatewayId, Carrier>> {
  const { rows } = await sql<Carrier>`
    select id, name, model_id, listens is not null as "isListening", deleted_at is not null as "isDeleted", is_archived as "isArchived"
    from gateway where id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Models of the devices behind a gateway, each with the name of one of them. Index device_by_gateway. */
export async function modelsBehind(db: Db, id: GatewayId): Promise<{ model_id: number; name: string }[]> {
  const { rows } = await sql<{ model_id: number; name: string }>`
    select distinct on (model_id) model_id, name from device
    where gateway_id = ${id} and deleted_at is null order by model_id, id`.execute(db);
  return rows;
}

/**
 * Those of these gateways behind which a user tied to devices does not see all, trash and archive included. Index
 * device_by_gateway.
 */
export async function withDevicesOfOthers(
  db: Db,
  scope: Scope,
  ids: readonly GatewayId[],
): Promise<ReadonlySet<GatewayId>> {
  if (!scope.onlyTiedDevices) return new Set();
  const { rows } = await sql<{ id: GatewayId }>`
    select distinct d.gateway_id as id from device d
    where d.gateway_id = any(${[...ids]}::int[])
      and not (${visibleDevices(scope, { as: "d", trash: "included" })})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

function conditions(
  scope: Scope,
  { device_state, model_id, ...filter }: GatewayPage["filter"],
): RawBuilder<unknown> {
  return sql.join(
    [
      ...carrierConditions(scope, "gateway", filter),
      ...(device_state === undefined ? [] : [sql`gateway.is_active = ${device_state === "active"}`]),
      ...(model_id === undefined ? [] : [sql`gateway.model_id = any(${[model_id].flat()}::int[])`]),
    ],
    sql` and `,
  );
}
