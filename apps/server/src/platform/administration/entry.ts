import { randomBytes } from "node:crypto";
import { problem } from "@metrum/contract/core";
import type { CompanyId, UserId } from "@metrum/vocabulary";
import { audit, record, resolveOne, type Ctx, type Db } from "#core";
import { hashOf, startEnteredSession, type EnteredSession } from "#access/auth";
import { closedBecause, companyState } from "#access/companies";
import * as store from "./store.ts";

/** A code must be redeemed within this time: security rule 2.4. */
export const codeSec = 60;

export interface Entry {
  readonly entry_code: string;
  /** URL of the app with the code in its hash. */
  readonly url: string;
}

/**
 * A code for any company of the platform except one's own; the staff member works there under their own name.
 */
export async function issueForCompany(ctx: Ctx, id: number): Promise<Entry> {
  const companyId = await resolveOne(ctx, "company", id);
  await requireOpen(ctx, companyId);
  const entry = await issue(ctx, { target_company_id: companyId, target_user_id: null });
  await record(ctx, { action: "admin.enterCompany", subject: `company ${String(companyId)}` });
  return entry;
}

/** A code for any user of the platform outside one's own company. */
export async function issueForUser(ctx: Ctx, id: number): Promise<Entry> {
  const user = await store.userOfPlatform(ctx.database.system, ctx.scope, id);
  if (!user) throw problem("not_found");
  await requireOpen(ctx, user.company_id);
  if (!user.is_active) throw problem("user_inactive");
  const entry = await issue(ctx, { target_company_id: user.company_id, target_user_id: user.id });
  await record(ctx, { action: "admin.userEnter", subject: `user ${String(user.id)}` });
  return entry;
}

/**
 * Redeems a code for a session, once. The caller must be the staff member who got the code, signed in and not
 * inside another entered session. The log of the entered company names both. Throws `entry_code_refused`.
 */
export async function redeem(ctx: Ctx, code: string): Promise<EnteredSession> {
  const { session, scope, address, database } = ctx;
  // An API token must not open a browser session.
  const entered =
    session.impersonatorId === undefined && session.apiToken === undefined
      ? await database.system.transaction().execute((db) => enter(ctx, db, code))
      : undefined;
  if (entered) return entered;
  await audit(database.system, {
    companyId: scope.companyId,
    userId: scope.userId,
    impersonatorId: session.impersonatorId,
    address,
    action: "auth.entryRedeem",
    result: "entry_code_refused",
  });
  throw problem("entry_code_refused");
}

async function enter(ctx: Ctx, db: Db, code: string): Promise<EnteredSession | undefined> {
  const { session, scope, address, agent, clock } = ctx;
  const at = new Date(clock.nowMs());
  const target = await store.spendEntryCode(db, scope.userId, { code_hash: hashOf(code), at });
  if (!target) return undefined;
  const companyId = target.target_company_id;
  const userId = target.target_user_id ?? scope.userId;
  const people = { companyId, userId, impersonatorId: scope.userId };
  await audit(db, {
    ...people,
    address,
    action: "auth.entryRedeem",
    subject: target.target_user_id === null ? companyOf(companyId) : userOf(userId),
  });
  return startEnteredSession(db, { from: session.id, ...people, at, address, agent });
}

async function issue(ctx: Ctx, target: store.EntryTarget): Promise<Entry> {
  const code = randomBytes(32).toString("base64url");
  const issued_at = new Date(ctx.clock.nowMs());
  await store.addEntryCode(ctx.db, ctx.scope, {
    ...target,
    code_hash: hashOf(code),
    session_id: ctx.session.id,
    issued_at,
    expires_at: new Date(issued_at.getTime() + codeSec * 1000),
  });
  const url = `${ctx.config.publicUrl.replace(/\/$/, "")}/#/entry/${code}`;
  return { entry_code: code, url };
}

async function requireOpen(ctx: Ctx, companyId: CompanyId): Promise<void> {
  if (companyId === ctx.scope.companyId) throw problem("own_company");
  const company = await companyState(ctx.database.system, companyId);
  const closed = company ? closedBecause(company, ctx.clock.now()) : "company_inactive";
  if (closed) throw problem(closed);
}

const companyOf = (id: CompanyId): string => `company ${String(id)}`;
const userOf = (id: UserId): string => `user ${String(id)}`;
