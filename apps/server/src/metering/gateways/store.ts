import type { BaseStationId, CompanyId, GatewayId } from "@metrum/vocabulary";
import { sql, type Insertable, type Updateable } from "kysely";
import { storableJson, type Db, type Scope } from "#core";
import type { Carrier, CarrierColumns } from "./many.ts";
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

/** The line of a gateway that came through `resolve`; primary key. */
export async function ownGatewayLine(
  db: Db,
  id: GatewayId,
): Promise<
  | (GatewayLine &
      EnteredLine & {
        readonly model_id: number;
        readonly isArchived: boolean;
        readonly isDeleted: boolean;
      })
  | undefined
> {
  return db
    .selectFrom("gateway")
    .select(["host", "port", "serial", "listens", "model_id"])
    .select(["is_line_entered as isEntered", "is_archived as isArchived"])
    .select(sql<boolean>`deleted_at is not null`.as("isDeleted"))
    .where("id", "=", id)
    .executeTakeFirst();
}

interface EnteredLine {
  readonly isEntered: boolean;
}

/** `isEntered`: by a user of the company, who may name public addresses only. */
export async function setGatewayLine(
  db: Db,
  id: number,
  { isEntered, ...line }: GatewayLine & EnteredLine,
): Promise<void> {
  const text = (value: unknown): string | null => (value === null ? null : storableJson(value));
  await sql`
    update gateway set host = ${line.host}, port = ${line.port}, serial = ${text(line.serial)}::jsonb,
      listens = ${text(line.listens)}::jsonb, is_line_entered = ${isEntered}
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

/** Changes a gateway that came through `resolve`. Errors: a unique violation when its identifier is taken. */
export async function changeGateway(
  db: Db,
  id: GatewayId,
  change: Omit<Updateable<GatewayTable>, "id" | "company_id">,
): Promise<void> {
  if (Object.keys(change).length > 0)
    await db.updateTable("gateway").set(change).where("id", "=", id).execute();
}

/** Serialises the changes of a gateway that came through `resolve`. */
export async function lockGateway(db: Db, id: GatewayId): Promise<void> {
  await sql`select from gateway where id = ${id} for no key update`.execute(db);
}

/** Gateways that came through the session, locked until the transaction ends; primary keys. */
export async function lockGateways(db: Db, ids: readonly GatewayId[]): Promise<Carrier<GatewayId>[]> {
  const { rows } = await sql<Carrier<GatewayId>>`
    select id, name, device_id, is_active as "isActive", is_archived as "isArchived",
      deleted_at is not null as "isDeleted"
    from gateway where id = any(${[...ids]}::int[]) order by id for no key update`.execute(db);
  return rows;
}

/** Changes gateways that are locked. */
export async function putGateways(db: Db, ids: readonly GatewayId[], columns: CarrierColumns): Promise<void> {
  await db
    .updateTable("gateway")
    .set(columns)
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .execute();
}

/** Stores the sealed password of a gateway that came through `resolve`; null removes it. */
export async function putGatewaySecret(
  db: Db,
  {
    id,
    companyId,
    sealed,
  }: { readonly id: GatewayId; readonly companyId: CompanyId; readonly sealed: Buffer | null },
): Promise<void> {
  await sql`delete from gateway_secret where gateway_id = ${id}`.execute(db);
  if (sealed !== null)
    await sql`insert into gateway_secret (gateway_id, company_id, sealed) values (${id}, ${companyId}, ${sealed})`.execute(
      db,
    );
}

/** Deletes a gateway that came through `resolve`; its devices have left it before. */
export async function deleteGateway(db: Db, id: GatewayId): Promise<void> {
  await sql`delete from gateway where id = ${id}`.execute(db);
}

/** Gateways of a base station that is removed. Index gateway_by_station. */
export async function leaveStation(db: Db, id: BaseStationId): Promise<void> {
  await sql`update gateway set base_station_id = null where base_station_id = ${id}`.execute(db);
}

/** Deletes gateways that came through `resolve` and have no devices; their identifiers. */
export async function deleteGateways(
  db: Db,
  ids: readonly GatewayId[],
): Promise<{ readonly id: GatewayId; readonly name: string; readonly device_id: string }[]> {
  return db.deleteFrom("gateway").where("id", "in", ids).returning(["id", "name", "device_id"]).execute();
}

/** Identifiers of gateways that came through `resolve`. */
export async function identitiesOf(db: Db, ids: readonly GatewayId[]): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`
    select device_id from gateway where id = any(${[...ids]}::int[])`.execute(db);
  return rows.map(({ device_id }) => device_id);
}

/** Number of gateways of a company, its trash included. Index gateway_company_id_idx. */
export async function gatewaysOfCompany(db: Db, { companyId }: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from gateway where company_id = ${companyId}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Channel on which gateways are announced that were registered, changed or trashed. */
export const callerChannel = "modem_known";

/**
 * Notifies every process on commit: a connection that waits under this identity is admitted at once, one
 * whose gateway was trashed is closed.
 */
export async function tellCaller(db: Db, identity: string): Promise<void> {
  await tellCallers(db, [identity]);
}

/** The same for several gateways. */
export async function tellCallers(db: Db, identities: readonly string[]): Promise<void> {
  await sql`select pg_notify(${callerChannel}, each) from unnest(${[...identities]}::text[]) as each`.execute(
    db,
  );
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

/** Those of these identifiers that a gateway outside the trash has. Index gateway_device_id_idx. */
export async function takenIdentities(
  system: Db,
  identities: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ device_id: string }>`
    select device_id from gateway
    where device_id = any(${[...identities]}::text[]) and deleted_at is null`.execute(system);
  return new Set(rows.map(({ device_id }) => device_id));
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
    update gateway set host = ${host}, port = started.port, is_line_entered = false
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
