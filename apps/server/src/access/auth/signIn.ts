import type { auth } from "@metrum/contract/access";
import type { InputOf } from "@metrum/contract/core";
import { audit, type PublicCtx } from "#core";
import { refusalOfCaptcha } from "#access/captcha";
import { beginTry, failuresOf, takeBack, type Who } from "#access/guessing";
import { accountOf, isPassword, type UserRow } from "#access/users";
import { admit, entry, refuse } from "./admit.ts";
import { isDirectoryPassword } from "./directory.ts";

type Given = NonNullable<InputOf<typeof auth.login>["body"]>;

interface How {
  /** The local password does not count. */
  readonly onlyDirectory?: boolean;
}

/**
 * Signs in by password: captcha if the account or address needs one, then the lock, then the password, then
 * the remaining checks of a proven identity (`admit`). An unknown address takes the same steps and the same
 * time as a wrong password and gets the same answer; so does a locked account, whether the password is right
 * or not.
 */
export async function signIn(ctx: PublicCtx, given: Given, how: How = {}): Promise<string> {
  const { system } = ctx.database;
  const account = await accountOf(system, given.email);
  // Spellings that the database treats as the same address share one failure count.
  const who: Who = { account: (account?.email ?? given.email).toLowerCase(), address: ctx.address };
  const nowMs = ctx.clock.nowMs();
  const { captchaNeeded } = await failuresOf(system, who, nowMs);
  if (captchaNeeded) await requireCaptcha(ctx, account, given);
  const begun = await beginTry(system, who, { nowMs, hasCaptcha: captchaNeeded });
  // Other attempts may have failed since the check whether a captcha is needed.
  if (!begun.isAdmitted && !begun.locked) await requireCaptcha(ctx, account, {});
  const isRight = await isTaken(ctx, account, { ...given, ...how, who, nowMs, isAdmitted: begun.isAdmitted });
  if (!begun.isAdmitted || !account?.is_active || !isRight) return refuse(ctx, account, "sign_in_refused");
  await takeBack(system, who, { nowMs });
  return admit(ctx, account, given);
}

/** Refused without a captcha, whatever the password. */
async function requireCaptcha(
  ctx: PublicCtx,
  account: UserRow | undefined,
  answered: Pick<Given, "captcha" | "captcha_key">,
): Promise<void> {
  const { system } = ctx.database;
  const refusal = await refusalOfCaptcha(system, answered, ctx.clock.nowMs());
  if (!refusal) return;
  await audit(system, entry(ctx, account, refusal.code));
  throw refusal;
}

/**
 * Checks the local password, else that of the directory. An attempt that does not count is not passed to the
 * directory, which would go on checking guesses and lock its own account. An attempt that timed out before it
 * could be checked is not counted.
 */
async function isTaken(
  ctx: PublicCtx,
  account: UserRow | undefined,
  given: Given & How & { readonly who: Who; readonly nowMs: number; readonly isAdmitted: boolean },
): Promise<boolean> {
  const ldap = given.isAdmitted ? ctx.config.ldap : undefined;
  if (given.onlyDirectory !== true || !ldap) {
    const isOwn = await isPassword(given.password, account?.password_hash).catch(async (error: unknown) => {
      await takeBack(ctx.database.system, given.who, { nowMs: given.nowMs });
      throw error;
    });
    if (isOwn) return true;
  }
  return ldap
    ? isDirectoryPassword(ldap, { email: account?.email ?? given.email, password: given.password }, ctx.log)
    : false;
}
