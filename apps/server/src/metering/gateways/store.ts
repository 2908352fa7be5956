import type { CompanyId, GatewayId } from "@metrum/vocabulary";
import { sql, type Insertable } from "kysely";
import { storableJson, type Db } from "#core";
import type { GatewayTable } from "./tables.ts";

/** Address and listener of the line of a gateway that the server connects to; null: not set. */
export interface GatewayLine {
  readonly host: string | null;
  readonly port: number | null;
  readonly serial: unknown;
  readonly listens: unknown;
}

/** A gateway with its line. */
export interface LinedGateway {
  readonly id: number;
  readonly companyId: number;
  readonly line: GatewayLine;
}

/**
 * The gateway with this number, locked until the transaction ends; undefined when there is none. Index
 * gateway_device_id_idx.
 */
export async function gatewayLine(db: Db, number: string): Promise<LinedGateway | undefined> {
  const { rows } = await sql<GatewayLine & { readonly id: number; readonly companyId: number }>`
    select id, company_id as "companyId", host, port, serial, listens from gateway
    where device_id = ${number} and deleted_at is null for update`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { id, companyId, ...line } = row;
  return { id, companyId, line };
}

export async function setGatewayLine(db: Db, id: number, line: GatewayLine): Promise<void> {
  const text = (value: unknown): string | null => (value === null ? null : storableJson(value));
  await sql`
    update gateway set host = ${line.host}, port = ${line.port}, serial = ${text(line.serial)}::jsonb,
      listens = ${text(line.listens)}::jsonb
    where id = ${id}`.execute(db);
}

/** Adds a gateway; undefined when its identifier is taken in any company. */
export async function insertGateway(db: Db, row: Insertable<GatewayTable>): Promise<GatewayId | undefined> {
  const added = await db
    .insertInto("gateway")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return added?.id;
}

/** The company whose gateway has an identifier; undefined when it is free. Index gateway_device_id_idx. */
export async function gatewayNamed(
  db: Db,
  identity: string,
): Promise<{ company_id: CompanyId; name: string } | undefined> {
  return db
    .selectFrom("gateway")
    .select(["company_id", "name"])
    .where("device_id", "=", identity)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Records when a gateway was last connected. */
export async function noteSession(system: Db, id: number, at: number): Promise<void> {
  await sql`update gateway set last_session_at = ${at} where id = ${id}`.execute(system);
}

/**
 * Updates the addresses of a company's gateways that the server connects to, by identifier; only changed
 * ones.
 */
export async function notePorts(
  system: Db,
  companyId: CompanyId,
  host: string,
  ports: readonly { readonly deviceID: string; readonly port: number }[],
): Promise<void> {
  await sql`
    update gateway set host = ${host}, port = started.port
    from unnest(${ports.map((each) => each.deviceID)}::text[], ${ports.map((each) => each.port)}::int[])
      as started (device_id, port)
    where gateway.company_id = ${companyId} and gateway.device_id = started.device_id
      and (gateway.host, gateway.port) is distinct from (${host}, started.port)
  `.execute(system);
}

/** Deletes the gateways of a company with these identifiers that have no devices. */
export async function removeGateways(db: Db, companyId: CompanyId, names: readonly string[]): Promise<void> {
  await sql`delete from gateway g where company_id = ${companyId} and device_id = any(${[...names]}::text[])
    and not exists (select from device d where d.gateway_id = g.id)`.execute(db);
}

/** A gateway, and the first device behind it. */
export interface BehindGateway {
  readonly gatewayModelId: number;
  /** Null without devices. */
  readonly deviceTitle: string | null;
}

/** By gateway. Rows: one per gateway, by primary key and device_by_gateway. */
export async function behindGateways(
  system: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, BehindGateway>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<BehindGateway & { id: GatewayId }>`
    select g.id, g.model_id as "gatewayModelId", first.model_title as "deviceTitle"
    from gateway g left join lateral (
      select model_title from device where gateway_id = g.id and deleted_at is null and not is_archived
      order by is_active desc, id limit 1
    ) first on true
    where g.id = any(${[...ids]}::int[])`.execute(system);
  return new Map(rows.map((row) => [row.id, row]));
}
