import { problem, type AuditAction, type ProblemCode } from "@metrum/contract";
import { isDirectoryPassword } from "#access/auth";
import { audit, type Ctx } from "#core";
import { beginTry, clearFailures, takeBack, type Who } from "#access/guessing";
import { isPassword, ownAccount, type UserRow } from "#access/users";

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

async function prove(
  ctx: Ctx,
  account: UserRow,
  given: {
    readonly secret: "password" | "code";
    readonly action: AuditAction;
    readonly code: ProblemCode;
    readonly field: string;
    readonly check: () => Promise<boolean>;
  },
): Promise<void> {
  const { system } = ctx.database;
  const { secret, action, code, field } = given;
  const who: Who = { account: account.email.toLowerCase(), address: ctx.address };
  const nowMs = ctx.clock.nowMs();
  const { isAdmitted } = await beginTry(system, who, { nowMs, hasCaptcha: true, secret });
  if (isAdmitted && (await given.check())) return takeBack(system, who, { nowMs, secret });
  await audit(system, {
    companyId: account.company_id,
    userId: account.id,
    address: ctx.address,
    action,
    result: code,
  });
  throw problem(code, { attributes: { [field]: [code] } });
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
