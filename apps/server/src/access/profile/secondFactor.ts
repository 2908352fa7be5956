import { problem } from "@metrum/contract/core";
import { toDataURL } from "qrcode";
import { endSessionsOf } from "#access/auth";
import type { Ctx } from "#core";
import {
  beginTwoFactor,
  confirmPending,
  disableTwoFactor,
  enableTwoFactor,
  hasTwoFactor,
  renewRecoveryCodes,
  spendCode,
  type Confirmed,
} from "#access/two-factor";
import { manageableUser, ownAccount as accountById, type UserRow } from "#access/users";
import { twoFactorOff, twoFactorOn } from "./letters.ts";
import { changeAccountOf, changeOwn, subjectOf, tellOwner } from "./own.ts";
import { accountOf, requireCode, requirePassword } from "./proof.ts";

interface Proof {
  readonly one_t_p: string;
  readonly current_password: string;
}

/** A new secret to scan. It is not enforced until one of its codes has been entered. */
export async function offerSecret(ctx: Ctx): Promise<{ secret: string; qr: string; uri: string }> {
  const account = await accountOf(ctx);
  const offered = await beginTwoFactor(ctx, account);
  if (!offered) throw problem("two_factor_on");
  // Dark on light in every theme, with the quiet zone that scanners need.
  const qr = await toDataURL(offered.uri, { errorCorrectionLevel: "M", margin: 4, width: 240 });
  return { ...offered, qr };
}

/** Activates the second factor; returns the recovery codes, which are shown only this once. */
export async function enable(ctx: Ctx, { one_t_p, current_password }: Proof): Promise<string[]> {
  const action = "twoFactor.enable";
  const account = await accountOf(ctx);
  if (await hasTwoFactor(ctx.database.system, account.id)) throw problem("two_factor_on");
  await requirePassword(ctx, account, { password: current_password, action });
  let confirmed: Confirmed | undefined;
  await requireCode(ctx, account, {
    action,
    check: async () => (confirmed = await confirmPending(ctx, account.id, one_t_p)) !== undefined,
  });
  return changeOwn(ctx, { action, subject: subjectOf(account) }, async (db) => {
    const codes = confirmed && (await enableTwoFactor(ctx, db, { userId: account.id, confirmed }));
    if (!codes) throw problem("two_factor_on");
    await endSessionsOf(db, { userId: account.id, except: ctx.session.id });
    await tellOwner(ctx, db, { account, kind: twoFactorOn, page: "auth/login" });
    return codes;
  });
}

/** If the company requires a second factor, the user must then set up another one. */
export async function disable(ctx: Ctx, proof: Proof): Promise<void> {
  const account = await proven(ctx, proof, "twoFactor.disable");
  await changeOwn(ctx, { action: "twoFactor.disable", subject: subjectOf(account) }, async (db) => {
    await disableTwoFactor(db, account.id);
    await endSessionsOf(db, { userId: account.id, except: ctx.session.id });
    await tellOwner(ctx, db, { account, kind: twoFactorOff, page: "auth/login" });
  });
}

/**
 * For a user who has lost phone and recovery codes, by a user who may edit them. Not for one's own account.
 */
export async function resetOf(ctx: Ctx, id: number): Promise<void> {
  const userId = await manageableUser(ctx, id);
  if (userId === ctx.scope.userId) throw problem("own_account");
  const { system } = ctx.database;
  const account = await accountById(system, { userId });
  if (!account || !(await hasTwoFactor(system, userId))) throw problem("two_factor_off");
  const entry = { action: "twoFactor.reset", subject: subjectOf(account) } as const;
  await changeAccountOf(ctx, account, {
    entry,
    companyId: ctx.scope.companyId,
    run: async (db) => {
      await disableTwoFactor(db, userId);
      await endSessionsOf(db, { userId });
      await tellOwner(ctx, db, { account, kind: twoFactorOff, page: "auth/login" });
    },
  });
}

export async function renewCodes(ctx: Ctx, proof: Proof): Promise<string[]> {
  const account = await proven(ctx, proof, "twoFactor.recovery");
  return changeOwn(ctx, { action: "twoFactor.recovery", subject: subjectOf(account) }, (db) =>
    renewRecoveryCodes(ctx, db, account.id),
  );
}

/** The password is checked first: checking a code uses it up. */
async function proven(
  ctx: Ctx,
  { one_t_p, current_password }: Proof,
  action: "twoFactor.disable" | "twoFactor.recovery",
): Promise<UserRow> {
  const account = await accountOf(ctx);
  if (!(await hasTwoFactor(ctx.database.system, account.id))) throw problem("two_factor_off");
  await requirePassword(ctx, account, { password: current_password, action });
  await requireCode(ctx, account, {
    action,
    check: async () => (await spendCode(ctx, account.id, one_t_p)) === "ok",
  });
  return account;
}
