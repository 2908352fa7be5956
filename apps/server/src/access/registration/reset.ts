import { shortestPassword, type registration } from "@metrum/contract/access";
import { problem, type ParsedOf } from "@metrum/contract/core";
import { endSessionsOf } from "#access/auth";
import { companyById } from "#access/companies";
import { audit, type Db, type PublicCtx } from "#core";
import { clearFailures } from "#access/guessing";
import {
  dropLinks,
  findLink,
  hasHadEnough,
  issueLink,
  sendLetter,
  spendLink,
  type FoundLink,
} from "#access/letters";
import {
  accountById,
  accountOf,
  anyAccount,
  changeAccount,
  hashPassword,
  passwordChanged,
  type UserRow,
} from "#access/users";
import { addressOf } from "./address.ts";
import { reset } from "./letters.ts";
import { judgePassword } from "./newPassword.ts";
import { keptIf } from "./store.ts";

/** Validity of the link of a reset: security rule 2.8. */
export const resetSec = 3600;

/** An invitation uses the same form; there the password is the first one. */
const purposes = ["reset", "invitation"] as const;

/**
 * Sends a password link, if the account exists and may sign in. An unknown address does the same work in the
 * same time on a substitute account, which is then rolled back.
 */
export async function askPassword(ctx: PublicCtx, email: string): Promise<void> {
  const { database, config } = ctx;
  await database.system.transaction().execute(async (db) => {
    const account = await accountOf(db, email);
    const isEnough = await hasHadEnough(db, email, reset);
    const isMeant = account !== undefined && mayReset(ctx, account) && !isEnough;
    const standIn = await anyAccount(db);
    await keptIf(db, isMeant, () => sendLink(db, ctx, account ?? standIn));
    await audit(db, {
      companyId: account?.company_id ?? config.providerCompanyId,
      ...(account ? { userId: account.id } : {}),
      address: ctx.address,
      action: "auth.passwordCreate",
      result: isMeant ? "ok" : isEnough ? "too_many_requests" : "address_unknown",
    });
  });
}

/** Demonstration accounts are shared: their password cannot be changed. */
function mayReset({ config }: PublicCtx, account: UserRow): boolean {
  return account.is_active && !config.demoUsers.includes(account.email.toLowerCase());
}

async function sendLink(db: Db, ctx: PublicCtx, account: UserRow): Promise<void> {
  const nowSec = ctx.clock.now();
  const token = await issueLink(db, { userId: account.id, purpose: "reset", validSec: resetSec, nowSec });
  await sendLetter(db, {
    companyId: account.company_id,
    to: account.email,
    language: account.language,
    kind: reset,
    params: { link: addressOf(ctx.config, `auth/forget/reset/${token}`) },
    uselessAfter: nowSec + resetSec,
  });
}

interface Resettable {
  readonly link: FoundLink;
  readonly account: UserRow;
  readonly minLength: number;
}

/** The account of a link, and its minimum password length. Does not use the link up. Throws link_dead. */
export async function findReset(ctx: PublicCtx, token: string): Promise<Resettable> {
  const { system } = ctx.database;
  const link = await findLink(system, { token, purposes, nowSec: ctx.clock.now() });
  const account = link && !link.isSpent ? await accountById(system, link.userId) : undefined;
  if (!link || !account || !mayReset(ctx, account)) throw problem("link_dead");
  const company = await companyById(system, account.company_id);
  return { link, account, minLength: company?.options.password_min_length ?? shortestPassword };
}

/**
 * Sets the password and ends every session of the account. Failed sign-ins are cleared with the old password:
 * access to the mailbox proves ownership. Throws link_dead, email_unavailable (the address of an invitation has an
 * account elsewhere, which only the reader of its letters learns) and the problems of a new password, which leave
 * the link valid.
 */
export async function resetPassword(
  ctx: PublicCtx,
  given: ParsedOf<typeof registration.passwordReset>["body"],
): Promise<void> {
  const { account, link, minLength } = await findReset(ctx, given.token);
  if (account.email.toLowerCase() !== given.email.toLowerCase()) throw problem("link_dead");
  judgePassword(given, minLength);
  const password_hash = await hashPassword(given.password);
  const { token } = given;
  await ctx.database.system.transaction().execute(async (db) => {
    const spent = await spendLink(db, { token, purposes, nowSec: ctx.clock.now() });
    if (!spent) throw problem("link_dead");
    await changeAccount(db, account.id, {
      ...{ password_hash, password_change_needed: false },
      invited_at: null,
    });
    await endSessionsOf(db, { userId: account.id });
    await clearFailures(db, account.email.toLowerCase(), ["account"]);
    await dropLinks(db, account.id);
    if (link.purpose === "reset") await tellChanged(db, ctx, account);
    await audit(db, {
      companyId: account.company_id,
      userId: account.id,
      address: ctx.address,
      action: "auth.passwordReset",
      subject: `user ${String(account.id)}`,
    });
  });
  ctx.bus.publish("accessChanged", `user:${String(account.id)}`);
}

async function tellChanged(db: Db, { config }: PublicCtx, account: UserRow): Promise<void> {
  await sendLetter(db, {
    companyId: account.company_id,
    to: account.email,
    language: account.language,
    kind: passwordChanged,
    params: { link: addressOf(config, "auth/forget") },
  });
}
