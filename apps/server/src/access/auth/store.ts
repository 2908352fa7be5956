import { createHash, randomBytes } from "node:crypto";
import type { AccessGroup, Module } from "@metrum/contract";
import type { CompanyId, Language, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Idle and absolute life of a session: security rule 2.1. */
export const idleSec = 12 * 3600;
export const absoluteSec = 7 * 86_400;

/** What a session means, read in one go: rights and company are never older than the row. */
export interface SessionRow {
  readonly id: number;
  readonly user_id: UserId;
  readonly company_id: CompanyId;
  readonly impersonator_id: UserId | null;
  readonly expires_at: Date;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly email: string;
  readonly user_name: string;
  readonly company_name: string;
  readonly is_admin: boolean;
  readonly language: Language;
  readonly user_timezone: string | null;
  readonly home_company_id: CompanyId;
  readonly home_expires_at: number | null;
  readonly group_id: number | null;
  readonly group_name: string | null;
  readonly access_rules: Partial<AccessGroup["access_rules"]> | null;
  readonly company_path: string;
  readonly company_timezone: string;
  readonly company_expires_at: number | null;
  readonly active_modules: readonly Module[];
  readonly rules_belong_to_company_id: number | null;
  readonly is_tied: boolean;
  readonly kind: "web" | "api";
  readonly name: string | null;
  readonly password_change_needed: boolean;
  /** The company of the account requires a second factor, and the account has none. */
  readonly two_factor_needed: boolean;
}

/** Only the hash of a token rests in the database. */
export function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * The living session of a token: account and companies active and not expired, within both limits, and the company it
 * works in still below that of the account, and of the staff member who works there. One row by the unique index on
 * token_hash.
 */
export async function findSession(
  system: Db,
  tokenHash: Buffer,
  nowSec: number,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select s.id, s.user_id, s.company_id, s.kind, s.name, s.impersonator_id, s.expires_at, s.created_at, s.last_seen_at,
      u.email, u.name as user_name, c.name as company_name, u.is_admin, u.language, u.timezone as user_timezone,
      h.id as home_company_id, h.expires_at as home_expires_at,
      g.id as group_id, g.name as group_name, g.access_rules,
      c.path::text as company_path, c.timezone as company_timezone, c.expires_at as company_expires_at,
      c.active_modules, c.rules_belong_to_company_id,
      exists (select from device_user d where d.user_id = u.id) as is_tied,
      u.password_change_needed,
      coalesce((h.options ->> 'two_factor_required')::boolean, false)
        and not exists (select from two_factor t where t.user_id = u.id and t.enabled_at is not null) as two_factor_needed
    from session s
      join users u on u.id = s.user_id and u.is_active
      join company h on h.id = u.company_id and h.is_active
      join company c on c.id = s.company_id and c.is_active and c.path <@ h.path
      left join access_group g on g.id = u.access_group_id
    where s.token_hash = ${tokenHash}
      and s.expires_at > to_timestamp(${nowSec}::float8)
      and (s.kind = 'api' and s.root_id is null or s.last_seen_at > to_timestamp(${nowSec - idleSec}::float8))
      and (c.expires_at is null or c.expires_at > ${nowSec}::bigint)
      and (h.expires_at is null or h.expires_at > ${nowSec}::bigint)
      and (s.impersonator_id is null or exists (
        select from users i join company p on p.id = i.company_id
        where i.id = s.impersonator_id and i.is_active and p.is_active and c.path <@ p.path))
  `.execute(system);
  return rows[0];
}

export async function touch(system: Db, id: number, at: Date): Promise<void> {
  await system.updateTable("session").set({ last_seen_at: at }).where("id", "=", id).execute();
}

/** Starts a session at home and returns its token: 256 random bits. */
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
 * Starts a session in another company beside the given one: same people, same kind, same end, but never longer than a
 * sign-in. Returns its token.
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

/** Ends the session, the one it was entered from and all that were entered from that. */
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

/** Ends every session of a user but one: after a new password, another second factor, by an administrator. */
export async function endSessionsOf(
  db: Db,
  { userId, except }: { readonly userId: UserId; readonly except?: number | undefined },
): Promise<void> {
  let query = db.deleteFrom("session").where("user_id", "=", userId);
  // The session that stays keeps the one it was entered from, which would take it along.
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

/** Keeps a consent: the newest row says what is in force, the older ones when it was given before. */
export async function noteConsent(
  system: Db,
  given: {
    readonly userId: UserId;
    readonly companyId: CompanyId;
    readonly version: number;
    readonly at: Date;
    readonly address: string;
  },
): Promise<void> {
  const { userId: user_id, companyId: company_id, version, at, address } = given;
  await system.insertInto("consent").values({ user_id, company_id, version, at, address }).execute();
}

/** Takes away what can never be used again. */
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

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}
