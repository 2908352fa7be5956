import type { InputOf, auth } from "@metrum/contract";
import { audit, type PublicCtx } from "#core";
import { refusalOfCaptcha } from "#access/captcha";
import { beginTry, failuresOf, takeBack, type Who } from "#access/guessing";
import { accountOf, isPassword, type UserRow } from "#access/users";
import { admit, entry, refuse } from "./admit.ts";
import { isDirectoryPassword } from "./directory.ts";

type Given = NonNullable<InputOf<typeof auth.login>["body"]>;

/**
 * Signs in by a password: captcha where account or address need one, then the lock, then the password, then what stands
 * between a proven identity and its token (`admit`). An unknown address takes the same steps and the same time as a wrong
 * password and gets the same answer; so does a locked account, right password or not.
 */
export async function signIn(ctx: PublicCtx, given: Given): Promise<string> {
  const { system } = ctx.database;
  const account = await accountOf(system, given.email);
  // What the database takes for the same address is counted as one, however it is spelt.
  const who: Who = { account: (account?.email ?? given.email).toLowerCase(), address: ctx.address };
  const nowMs = ctx.clock.nowMs();
  const { captchaNeeded } = await failuresOf(system, who, nowMs);
  if (captchaNeeded) await requireCaptcha(ctx, account, given);
  const begun = await beginTry(system, who, { nowMs, hasCaptcha: captchaNeeded });
  // Others have failed since it was asked whether a captcha is needed.
  if (!begun.isAdmitted && !begun.locked) await requireCaptcha(ctx, account, {});
  const isRight = await isTaken(ctx, account, { ...given, who, nowMs, isAdmitted: begun.isAdmitted });
  if (!begun.isAdmitted || !account?.is_active || !isRight) return refuse(ctx, account, "sign_in_refused");
  await takeBack(system, who, { nowMs });
  return admit(ctx, account, given);
}

/** Refused without it, whatever the password. */
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
 * The password of Metrum itself, else that of the directory. A try that does not count asks no directory, which would go on
 * judging guesses and lock its own account. A try that could not be judged for want of time is taken back.
 */
async function isTaken(
  ctx: PublicCtx,
  account: UserRow | undefined,
  given: Given & { readonly who: Who; readonly nowMs: number; readonly isAdmitted: boolean },
): Promise<boolean> {
  const ldap = given.isAdmitted ? ctx.config.ldap : undefined;
  if (given.directory !== true || !ldap) {
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
