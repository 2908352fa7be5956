import type { AuditAction } from "@metrum/contract/access";
import { problem, type ProblemCode } from "@metrum/contract/core";
import { isDirectoryPassword } from "#access/auth";
import { audit, createTurns, type Ctx, type Turns } from "#core";
import { beginTry, clearFailures, takeBack, type Who } from "#access/guessing";
import { isPassword, ownAccount, type UserRow } from "#access/users";

declare module "#core" {
  interface Parts {
    /** Proofs of an account, one at a time in this process. */
    readonly proofs: Turns;
  }
}

export const createProofs = (): Turns => createTurns({ atOnce: 1, waiting: 100, waitMs: 8_000 });

/** The account of the session, whichever company it works in. */
export async function accountOf(ctx: Ctx): Promise<UserRow> {
  const account = await ownAccount(ctx.database.system, ctx.scope);
  if (!account) throw problem("not_signed_in");
  return account;
}

/**
 * Checks the password of the signed-in user again, because a browser may be left unattended. Wrong ones are
 * counted like those of a sign-in and recorded in the audit log. Throws `password_wrong`, also while the
 * account is locked.
 */
export async function requirePassword(
  ctx: Ctx,
  account: UserRow,
  given: { readonly password: string | undefined; readonly action: AuditAction },
): Promise<void> {
  const { password = "", action } = given;
  await prove(ctx, account, {
    secret: "password",
    action,
    code: "password_wrong",
    field: "current_password",
    check: () => isAccountPassword(ctx, account, password),
  });
}

/** The same for a one-time code. Throws `one_time_code_wrong`. */
export async function requireCode(
  ctx: Ctx,
  account: UserRow,
  given: { readonly action: AuditAction; readonly check: () => Promise<boolean> },
): Promise<void> {
  await prove(ctx, account, { ...given, secret: "code", code: "one_time_code_wrong", field: "one_t_p" });
}

interface Proof {
  readonly secret: "password" | "code";
  readonly action: AuditAction;
  readonly code: ProblemCode;
  readonly field: string;
  readonly check: () => Promise<boolean>;
}

async function prove(ctx: Ctx, account: UserRow, proof: Proof): Promise<void> {
  const { action, code, field } = proof;
  const end = await ctx.parts.proofs.take(String(account.id));
  const isRight = await isProven(ctx, account, proof).finally(end);
  if (isRight) return;
  await audit(ctx.database.system, {
    companyId: account.company_id,
    userId: account.id,
    address: ctx.address,
    action,
    result: code,
  });
  throw problem(code, { attributes: { [field]: [code] } });
}

/** Counted as a failure until it has proved right: two at a time would lock each other out. */
async function isProven(ctx: Ctx, account: UserRow, { secret, check }: Proof): Promise<boolean> {
  const { system } = ctx.database;
  const who: Who = { account: account.email.toLowerCase(), address: ctx.address };
  const nowMs = ctx.clock.nowMs();
  const { isAdmitted } = await beginTry(system, who, { nowMs, hasCaptcha: true, secret });
  if (!isAdmitted || !(await check())) return false;
  await takeBack(system, who, { nowMs, secret });
  return true;
}

/** Checks the local password, else that of the directory. */
async function isAccountPassword(ctx: Ctx, account: UserRow, password: string): Promise<boolean> {
  if (await isPassword(password, account.password_hash)) return true;
  const { ldap } = ctx.config;
  return ldap ? isDirectoryPassword(ldap, { email: account.email, password }, ctx.log) : false;
}

/** After a new password earlier failures are irrelevant. */
export async function forgetFailures(ctx: Ctx, account: UserRow): Promise<void> {
  await clearFailures(ctx.database.system, account.email.toLowerCase());
}
