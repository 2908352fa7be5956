import type { AuditAction } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import { record, resolveOne, type Ctx } from "#core";
import { closedBecause, companyState, noteInBoth } from "#access/companies";
import { branchSession, endFamily, endSession } from "./sessionStore.ts";

/** Starts a session inside a company below and returns its token. The current session stays valid. */
export async function enterCompany(ctx: Ctx, id: number): Promise<string> {
  const companyId = await resolveOne(ctx, "company", id);
  if (companyId === ctx.scope.companyId) throw problem("own_company");
  const { system } = ctx.database;
  const company = await companyState(system, companyId);
  const closed = company ? closedBecause(company, ctx.clock.now()) : "company_inactive";
  if (closed) throw problem(closed);
  await noteInBoth(ctx, { action: "company.enter", id: companyId });
  return branchSession(system, ctx.session.id, { companyId, at: now(ctx) });
}

/**
 * Ends the session inside another company and returns a token for the user's own company; null when no
 * company was entered. A session entered from the administration ends without a new token: the session of the
 * staff member is still valid.
 */
export async function exitCompany(ctx: Ctx): Promise<string | null> {
  const { session, scope } = ctx;
  if (isWayOut(session)) {
    await note(ctx, "auth.entryLeave", scope.companyId);
    await end(ctx, endSession);
    return null;
  }
  if (session.homeCompanyId === scope.companyId) return null;
  const { system } = ctx.database;
  const token = await branchSession(system, session.id, { companyId: session.homeCompanyId, at: now(ctx) });
  await note(ctx, "company.exit", scope.companyId);
  await end(ctx, endSession);
  return token;
}

/** Inside the company or account that was entered, not in one entered from there in turn. */
function isWayOut({ impersonatorId, homeCompanyId, scope }: Ctx["session"]): boolean {
  if (impersonatorId === undefined) return false;
  return impersonatorId === scope.userId || homeCompanyId === scope.companyId;
}

export async function signOut(ctx: Ctx): Promise<void> {
  await end(ctx, endFamily);
}

async function end(ctx: Ctx, how: typeof endSession): Promise<void> {
  await how(ctx.database.system, ctx.session.id);
  // All sessions of the user are reloaded: only the database knows which others have ended with this one.
  ctx.afterCommit(() => ctx.bus.publish("accessChanged", `user:${String(ctx.scope.userId)}`));
}

async function note(ctx: Ctx, action: AuditAction, companyId: number): Promise<void> {
  await record(ctx, { action, subject: `company ${String(companyId)}` });
}

function now(ctx: Ctx): Date {
  return new Date(ctx.clock.nowMs());
}
