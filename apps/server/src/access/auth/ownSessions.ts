import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { hashOf, idleSec, newToken } from "./store.ts";

/** A living session or API token as its owner sees it; times in epoch seconds. */
export interface OwnSessionRow {
  readonly id: number;
  readonly name: string | null;
  readonly created_at: number;
  readonly last_seen: number;
  readonly expires_at: number;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  /** This session, or the one it was entered from. */
  readonly current: boolean;
  readonly is_staff: boolean;
}

interface Mine {
  readonly userId: UserId;
  readonly sessionId: number;
}

/** What was entered from a session is part of it; staff who work as the user stand for themselves. */
const isShown = sql`(s.root_id is null or s.impersonator_id is not null)`;

/** Living sessions of browsers, or API tokens, of a user; the latest used first. Index: session_user_id_idx. */
export async function sessionsOf(
  system: Db,
  { userId, sessionId }: Mine,
  { kind, nowSec }: { readonly kind: "web" | "api"; readonly nowSec: number },
): Promise<readonly OwnSessionRow[]> {
  const { rows } = await sql<OwnSessionRow>`
    select s.id, s.name, floor(extract(epoch from s.created_at))::float8 as created_at,
      floor(extract(epoch from s.last_seen_at))::float8 as last_seen,
      floor(extract(epoch from s.expires_at))::float8 as expires_at,
      s.address as ip_address, s.agent as user_agent, s.impersonator_id is not null as is_staff,
      s.id = (select coalesce(root_id, id) from session where id = ${sessionId}::int) as current
    from session s
    where s.user_id = ${userId}::int and s.kind = ${kind} and ${isShown}
      and s.expires_at > to_timestamp(${nowSec}::float8)
      and (s.kind = 'api' or s.last_seen_at > to_timestamp(${nowSec - idleSec}::float8))
    order by s.last_seen_at desc, s.id desc
  `.execute(system);
  return rows;
}

/** Ends one session or API token of a user, with what was entered from it. False where it is not theirs. */
export async function endOwnSession(system: Db, userId: UserId, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from session s where s.id = ${id}::int and s.user_id = ${userId}::int and ${isShown} returning s.id
  `.execute(system);
  return rows.length > 0;
}

/** Ends the sessions of all other browsers; API tokens stay. */
export async function endOtherBrowsers(system: Db, { userId, sessionId }: Mine): Promise<void> {
  await sql`
    delete from session s where s.user_id = ${userId}::int and s.kind = 'web' and ${isShown}
      and s.id <> (select coalesce(root_id, id) from session where id = ${sessionId}::int)
  `.execute(system);
}

/** Starts an API token in the company of the account. Returns what is shown once. */
export async function startApiToken(
  system: Db,
  given: {
    readonly userId: UserId;
    readonly companyId: CompanyId;
    readonly name: string;
    readonly at: Date;
    readonly expiresAt: Date;
  },
): Promise<{ readonly id: number; readonly token: string }> {
  const token = newToken();
  const { id } = await system
    .insertInto("session")
    .values({
      token_hash: hashOf(token),
      kind: "api",
      name: given.name,
      user_id: given.userId,
      company_id: given.companyId,
      impersonator_id: null,
      root_id: null,
      created_at: given.at,
      // So that its first use is noted at once.
      last_seen_at: new Date(0),
      expires_at: given.expiresAt,
      address: null,
      agent: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, token };
}
