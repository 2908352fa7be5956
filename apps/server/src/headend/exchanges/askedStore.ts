import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { SecretName } from "#metering/devices";

/**
 * A device as needed for a poll or uplink; its line is that of the gateway, or given by its own properties.
 */
export interface PolledDevice {
  readonly id: DeviceId;
  readonly companyId: CompanyId;
  readonly modelId: number;
  readonly deviceID: string;
  readonly insideAddr: string;
  readonly impulseWeight: number;
  readonly startingValue: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly intervalSec: number;
  readonly failures: number;
  /** Switched on, neither archived nor in the trash, and so are its gateway and company. */
  readonly isOn: boolean;
  /** Switched on with polling enabled; with polling disabled a user may still poll it. */
  readonly isPolled: boolean;
  /** Archived or in the trash: not even a user can poll it. */
  readonly isPutAway: boolean;
  readonly gatewayId: number | null;
  readonly gatewayModelId: number | null;
  /** IANA zone of its location. */
  readonly zone: string;
  readonly host: string | null;
  readonly port: number | null;
  /** Serial port of the server to which the gateway is connected, as stored. */
  readonly serial: unknown;
  /** Whether a user of the company has entered the address of the gateway. */
  readonly isEntered: boolean;
  /** DLMS messages travel in the wrapper of TCP on the line of the gateway. */
  readonly isWrapped: boolean;
}

/** Condition on the tables of `polledTables`: see `PolledDevice.isOn`. */
export const isOn = sql`(d.is_active and not d.is_archived and d.deleted_at is null and c.is_active
  and (d.gateway_id is null or coalesce(g.is_active, false)))`;
export const polledColumns = sql`
  d.id, d.company_id as "companyId", d.model_id as "modelId", d."deviceID", d.inside_addr as "insideAddr",
  d.impulse_weight as "impulseWeight", d.starting_value as "startingValue", d.properties,
  d.report_period_update as "intervalSec", s.poll_failures as failures,
  ${isOn} as "isOn", (d.is_polled and ${isOn}) as "isPolled",
  (d.is_archived or d.deleted_at is not null) as "isPutAway",
  d.gateway_id as "gatewayId", g.model_id as "gatewayModelId", coalesce(d.timezone, c.timezone) as zone, g.host, g.port, g.serial,
  coalesce(g.is_line_entered, false) as "isEntered", coalesce(g.dlms_wrapper, false) as "isWrapped"`;
/** A gateway in the archive or the trash is no line: its devices cannot be reached, not even by a user. */
export const polledTables = sql`
  device_state s join device d on d.id = s.device_id join company c on c.id = d.company_id
  left join gateway g on g.id = d.gateway_id and g.deleted_at is null and not g.is_archived`;

/** A device with its secrets, sealed until they are used: base64 by name. */
export interface AskedDevice extends PolledDevice {
  readonly sealed: Readonly<Partial<Record<SecretName, string>>>;
}

/** The secrets of the device `d`, sealed. */
const sealedSecrets = sql`
  (select coalesce(jsonb_object_agg(x.name, encode(x.sealed, 'base64')), '{}') from device_secret x
    where x.device_id = d.id)`;

/** One device by primary key. */
export async function askedDevice(db: Db, id: number): Promise<AskedDevice | undefined> {
  const { rows } =
    await sql<AskedDevice>`select ${polledColumns}, ${sealedSecrets} as sealed from ${polledTables} where d.id = ${id}`.execute(
      db,
    );
  return rows[0];
}

/** Devices by primary key, in any order. */
export async function askedDevicesById(db: Db, ids: readonly number[]): Promise<readonly AskedDevice[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<AskedDevice>`
    select ${polledColumns}, ${sealedSecrets} as sealed from ${polledTables} where d.id = any(${[...ids]}::int[])`.execute(
    db,
  );
  return rows;
}

/** The model and the sealed secrets of a device of the company. One row, by primary key. */
export async function modelAndSecrets(
  db: Db,
  companyId: number,
  id: number,
): Promise<Pick<AskedDevice, "modelId" | "sealed"> | undefined> {
  const { rows } = await sql<Pick<AskedDevice, "modelId" | "sealed">>`
    select d.model_id as "modelId", ${sealedSecrets} as sealed from device d
    where d.id = ${id} and d.company_id = ${companyId}`.execute(db);
  return rows[0];
}

/** A device by company and network identifier. */
export interface NetworkName {
  readonly companyId: number;
  readonly networkId: string;
  /** Id on this platform, if known: it decides between two devices with one network identifier. */
  readonly deviceId?: number;
}

/**
 * The devices with these network identifiers, in their order; undefined where a company has none. Rows: one
 * per identifier, index device_by_network_id.
 */
export async function devicesByNetworkId(
  db: Db,
  names: readonly NetworkName[],
): Promise<readonly (AskedDevice | undefined)[]> {
  const { rows } = await sql<AskedDevice & { readonly at: number }>`
    select distinct on (name.at) name.at::int, ${polledColumns}, ${sealedSecrets} as sealed
    from unnest(${names.map((name) => name.companyId)}::int[], ${names.map((name) => name.networkId.toLowerCase())}::text[],
      ${names.map((name) => name.deviceId ?? null)}::int[]) with ordinality as name (company_id, network_id, device_id, at)
    join ${polledTables} on lower(d."deviceID") = name.network_id and d.company_id = name.company_id and d.deleted_at is null
      and d.id = coalesce(name.device_id, d.id)
    order by name.at, d.id`.execute(db);
  const byPlace = new Map(rows.map((row) => [row.at, row]));
  return names.map((_, at) => byPlace.get(at + 1));
}
