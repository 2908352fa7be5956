import { createHash, randomBytes } from "node:crypto";
import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Idle and absolute lifetime of a session: security rule 2.1. */
export const idleSec = 12 * 3600;
const absoluteSec = 7 * 86_400;

/** Longest lifetime of a session entered by platform staff: security rule 2.4. */
const enteredSec = 3600;

/** The database stores only the hash of a token. */
export function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export async function touch(system: Db, id: number, at: Date): Promise<void> {
  await system.updateTable("session").set({ last_seen_at: at }).where("id", "=", id).execute();
}

/** Starts a session in the company of the account and returns its token: 256 random bits. */
export async function startSession(
  system: Db,
  given: {
    readonly userId: UserId;
    readonly companyId: CompanyId;
    readonly at: Date;
    readonly address: string;
    readonly agent: string;
  },
): Promise<string> {
  const token = newToken();
  await system
    .insertInto("session")
    .values({
      token_hash: hashOf(token),
      user_id: given.userId,
      company_id: given.companyId,
      impersonator_id: null,
      root_id: null,
      created_at: given.at,
      last_seen_at: given.at,
      expires_at: new Date(given.at.getTime() + absoluteSec * 1000),
      address: given.address,
      agent: given.agent.slice(0, 500),
    })
    .execute();
  return token;
}

/**
 * Starts a session in another company alongside the given one. User, kind and expiry are those of the given
 * session, and the session lasts no longer than one that begins with a sign-in. Returns its token.
 */
export async function branchSession(
  system: Db,
  from: number,
  { companyId, at }: { readonly companyId: CompanyId; readonly at: Date },
): Promise<string> {
  const token = newToken();
  await sql`
    insert into session (token_hash, kind, name, user_id, company_id, impersonator_id, root_id, created_at, last_seen_at, expires_at, address, agent)
    select ${hashOf(token)}, kind, name, user_id, ${companyId}::int, impersonator_id, coalesce(root_id, id), ${at}::timestamptz, ${at}::timestamptz,
      least(expires_at, ${at}::timestamptz + ${absoluteSec} * interval '1 second'), address, agent
    from session where id = ${from}::int
  `.execute(system);
  return token;
}

export async function endSession(system: Db, id: number): Promise<void> {
  await system.deleteFrom("session").where("id", "=", id).execute();
}

/** Ends the session, the session it was entered from, and every session entered from that one. */
export async function endFamily(system: Db, id: number): Promise<void> {
  await system
    .deleteFrom("session")
    .where("id", "=", (of) =>
      of
        .selectFrom("session")
        .select((row) => row.fn.coalesce("root_id", "id").as("id"))
        .where("id", "=", id),
    )
    .execute();
}

/**
 * Ends every session of a user but one: after a change of the password or of the second factor, or at the
 * request of an administrator.
 */
export async function endSessionsOf(
  db: Db,
  { userId, except }: { readonly userId: UserId; readonly except?: number | undefined },
): Promise<void> {
  let query = db.deleteFrom("session").where("user_id", "=", userId);
  // The session from which the remaining one was entered must stay too: ending it would end both.
  if (except !== undefined)
    query = query.where("id", "not in", (of) =>
      of
        .selectFrom("session")
        .select((row) => row.fn.coalesce("root_id", "id").as("id"))
        .where("id", "=", except)
        .union(of.selectFrom("session").select("id").where("id", "=", except)),
    );
  await query.execute();
}

/** Deletes sessions and tokens that can never be used again. */
export async function removeDead(system: Db, nowSec: number): Promise<void> {
  await system
    .deleteFrom("session")
    .where((where) =>
      where.or([
        where("expires_at", "<", new Date(nowSec * 1000)),
        where.and([
          where("last_seen_at", "<", new Date((nowSec - idleSec) * 1000)),
          where.or([where("kind", "=", "web"), where("root_id", "is not", null)]),
        ]),
      ]),
    )
    .execute();
}

export interface EnteredSession {
  readonly token: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/**
 * Starts a session of a staff member inside a company, under their own name or as one of its users. The
 * session is marked with the staff member, lasts an hour at most and ends with the session it was entered
 * from. Undefined when that one has ended.
 */
export async function startEnteredSession(
  system: Db,
  given: {
    /** Session of the staff member. */
    readonly from: number;
    readonly userId: UserId;
    readonly companyId: CompanyId;
    readonly impersonatorId: UserId;
    readonly at: Date;
    readonly address: string;
    readonly agent: string;
  },
): Promise<EnteredSession | undefined> {
  const token = newToken();
  const until = new Date(given.at.getTime() + enteredSec * 1000);
  const { rows } = await sql<{ expires_at: Date }>`
    insert into session
      (token_hash, user_id, company_id, impersonator_id, root_id, created_at, last_seen_at, expires_at, address, agent)
    select ${hashOf(token)}, ${given.userId}::int, ${given.companyId}::int, ${given.impersonatorId}::int,
      coalesce(root_id, id), ${given.at}, ${given.at}, least(expires_at, ${until}), ${given.address},
      ${given.agent.slice(0, 500)}
    from session where id = ${given.from}::int
    returning expires_at
  `.execute(system);
  const [row] = rows;
  return row ? { token, expiresAt: Math.floor(row.expires_at.getTime() / 1000) } : undefined;
}

export interface Mine {
  readonly userId: UserId;
  readonly sessionId: number;
}

/** Sessions entered from a session belong to it; those of staff who work as the user do not. */
export const isShown = sql`(s.root_id is null or s.impersonator_id is not null)`;

/**
 * Ends a session or API token of a user and the sessions entered from it. False when it belongs to another
 * user.
 */
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

/** Creates an API token in the company of the account. Returns its text, which is shown once. */
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
      // So that its first use is recorded at once.
      last_seen_at: new Date(0),
      expires_at: given.expiresAt,
      address: null,
      agent: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, token };
}
