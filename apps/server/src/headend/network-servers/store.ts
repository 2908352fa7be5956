import type { NetworkServer } from "@metrum/contract/headend";
import { sql } from "kysely";
import type { Db } from "#core";
import type { Fault } from "./fault.ts";

/** A server was created, changed or removed. */
export const networkServersChannel = "network_servers";

export type ServerKind = NetworkServer["kind"];

const columns = sql`id, kind, name, is_active, url, username, has_secret, state, state_reason, state_message, state_at`;

/** Servers of a company, oldest first. Rows: at most 20, by company_id. */
export async function serversOf(db: Db, companyId: number): Promise<readonly NetworkServer[]> {
  const { rows } = await sql<NetworkServer>`
    select ${columns} from network_server where company_id = ${companyId} order by id`.execute(db);
  return rows;
}

export interface GivenServer {
  readonly companyId: number;
  readonly kind: ServerKind;
  readonly name: string;
  readonly is_active: boolean;
  readonly url: string;
  readonly username: string;
}

export async function addServer(db: Db, given: GivenServer): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into network_server (company_id, kind, name, is_active, url, username)
    values (${given.companyId}, ${given.kind}, ${given.name}, ${given.is_active}, ${given.url}, ${given.username})
    returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the network server was not written");
  return row.id;
}

/** The stored connection state belongs to the old address. */
export async function changeServer(db: Db, id: number, given: GivenServer): Promise<void> {
  await sql`
    update network_server set kind = ${given.kind}, name = ${given.name}, is_active = ${given.is_active}, url = ${given.url},
      username = ${given.username}, revision = revision + 1, state = 'waiting', state_reason = null, state_message = '',
      state_at = null
    where id = ${id} and company_id = ${given.companyId}`.execute(db);
}

/** Null: none. */
export async function putSecret(db: Db, id: number, sealed: Buffer | null): Promise<void> {
  await sql`update network_server set sealed = ${sealed} where id = ${id}`.execute(db);
}

export async function removeServer(db: Db, companyId: number, id: number): Promise<void> {
  await sql`delete from network_server where id = ${id} and company_id = ${companyId}`.execute(db);
}

/** Sent when the transaction commits. */
export async function tellServers(db: Db): Promise<void> {
  await sql`select pg_notify(${networkServersChannel}, '')`.execute(db);
}

/** A server with its secret, sealed until it is used. */
export interface KnownServer {
  readonly id: number;
  readonly companyId: number;
  readonly kind: ServerKind;
  readonly name: string;
  readonly url: string;
  readonly username: string;
  readonly sealed: Buffer | null;
  readonly revision: number;
}

const known = sql`s.id, s.company_id as "companyId", s.kind, s.name, s.url, s.username, s.sealed, s.revision`;

/** Enabled servers of enabled companies. Rows: a few per company; of all companies without one. */
export async function activeServers(
  db: Db,
  { kinds, companyId }: { readonly kinds: readonly ServerKind[]; readonly companyId?: number },
): Promise<readonly KnownServer[]> {
  const ofOne = companyId === undefined ? sql`` : sql`and s.company_id = ${companyId}`;
  const { rows } = await sql<KnownServer>`
    select ${known} from network_server s join company c on c.id = s.company_id
    where s.is_active and c.is_active and c.deleted_at is null and s.kind = any(${[...kinds]}::text[]) ${ofOne}
    order by s.id`.execute(db);
  return rows;
}

export interface ConnectionState {
  readonly id: number;
  /** Version of the settings that were tried: later ones have their own state. */
  readonly revision: number;
  /** Why there is no connection; null: connected. */
  readonly fault: Fault | null;
  readonly at: number;
}

/** Written only if something has changed. */
export async function noteState(db: Db, { id, revision, fault, at }: ConnectionState): Promise<void> {
  const state = fault?.state ?? "connected";
  const reason = fault?.reason ?? null;
  const message = fault?.message.slice(0, 255) ?? "";
  await sql`
    update network_server set state = ${state}, state_reason = ${reason}, state_message = ${message}, state_at = ${at}
    where id = ${id} and revision = ${revision}
      and (state, state_reason, state_message) is distinct from (${state}, ${reason}, ${message})`.execute(
    db,
  );
}
