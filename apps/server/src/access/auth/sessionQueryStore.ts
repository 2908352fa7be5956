import type { AccessGroup, Module } from "@metrum/contract/access";
import type { CompanyId, Language, UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { idleSec, isShown, type Mine } from "./sessionStore.ts";

/** A session with its rights and company, read in one query so that they are consistent. */
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
  readonly impersonator_expires_at: number | null;
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

/**
 * The valid session of a token: account and companies active and not expired, within both time limits, and
 * the company it works in still below that of the account, and of the staff member who works there. One row
 * by the unique index on token_hash.
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
      (select p.expires_at from users i join company p on p.id = i.company_id where i.id = s.impersonator_id)
        as impersonator_expires_at,
      g.id as group_id, g.name as group_name, g.access_rules,
      c.path::text as company_path, c.timezone as company_timezone, c.expires_at as company_expires_at,
      c.active_modules, c.rules_belong_to_company_id,
      exists (select from device_user d where d.user_id = u.id)
        or exists (select from object_user o where o.user_id = u.id) as is_tied,
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
        where i.id = s.impersonator_id and i.is_active and p.is_active and c.path <@ p.path
          and (p.expires_at is null or p.expires_at > ${nowSec}::bigint)))
  `.execute(system);
  return rows[0];
}

/** A valid session or API token as shown to its owner; times in epoch seconds. */
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

/** Valid browser sessions, or API tokens, of a user, most recently used first. Index: session_user_id_idx. */
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
