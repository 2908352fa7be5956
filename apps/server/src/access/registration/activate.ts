import { problem } from "@metrum/contract/core";
import type { CompanyId, UserId } from "@metrum/vocabulary";
import { openCompany } from "#access/companies";
import { audit, type Db, type PublicCtx } from "#core";
import { dropLinks, findLink, sendLetter, spendLink } from "#access/letters";
import {
  accountById,
  changeAccount,
  hashPassword,
  oneTimePassword,
  openAccount,
  type UserRow,
  firstPassword,
} from "#access/users";
import { addressOf } from "./address.ts";
import { addressChanged } from "./letters.ts";
import * as store from "./store.ts";

const purposes = ["activation", "address"] as const;

type Outcome = "activated" | "activated_password_sent" | "address_changed";

/**
 * Activates the company and the account of an activation letter, or the address that a letter proves, and returns the
 * message to show. Idempotent. Throws link_dead, email_unavailable.
 */
export async function activate(ctx: PublicCtx, token: string): Promise<Outcome> {
  const { outcome, userId } = await activated(ctx, token);
  ctx.bus.publish("accessChanged", `user:${String(userId)}`);
  return outcome;
}

async function activated(
  ctx: PublicCtx,
  token: string,
): Promise<{ readonly outcome: Outcome; readonly userId: UserId }> {
  const query = { token, purposes, nowSec: ctx.clock.now() };
  // Hashed before the transaction, which must not wait for it; rarely needed.
  const password = ctx.config.randomPasswords ? await newPassword() : undefined;
  return ctx.database.system.transaction().execute(async (db) => {
    const found = (await spendLink(db, query)) ?? (await findLink(db, query));
    const account = found && (await accountById(db, found.userId));
    if (!account) throw problem("link_dead");
    const { id: userId } = account;
    if (found.purpose === "address") {
      if (!found.isSpent) await moveAddress(db, ctx, { account, email: found.email ?? account.email });
      return { outcome: "address_changed", userId };
    }
    const companyId = found.isSpent ? undefined : await store.pendingOf(db, account.id);
    if (companyId !== undefined) await open(db, ctx, { account, companyId, password });
    return { outcome: account.password_change_needed ? "activated_password_sent" : "activated", userId };
  });
}

/** The mailbox is proved; the one before is notified, and links that were sent there become invalid. */
async function moveAddress(
  db: Db,
  ctx: PublicCtx,
  { account, email }: { readonly account: UserRow; readonly email: string },
): Promise<void> {
  if (!account.is_active) throw problem("link_dead");
  await changeAccount(db, account.id, { email, invited_at: null });
  await dropLinks(db, account.id);
  await sendLetter(db, {
    companyId: account.company_id,
    to: account.email,
    language: account.language,
    kind: addressChanged,
    params: { link: addressOf(ctx.config, "auth/login") },
  });
  await audit(db, {
    companyId: account.company_id,
    userId: account.id,
    address: ctx.address,
    action: "profile.update",
    subject: `user ${String(account.id)}`,
    before: { email: account.email },
    after: { email },
  });
}

interface NewPassword {
  readonly password: string;
  readonly password_hash: string;
}

async function newPassword(): Promise<NewPassword> {
  const password = oneTimePassword();
  return { password, password_hash: await hashPassword(password) };
}

async function open(
  db: Db,
  ctx: PublicCtx,
  {
    account,
    companyId,
    password,
  }: {
    readonly account: UserRow;
    readonly companyId: CompanyId;
    readonly password: NewPassword | undefined;
  },
): Promise<void> {
  await openCompany(db, companyId);
  await openAccount(db, account.id);
  await store.noteActivation(db, companyId, new Date(ctx.clock.nowMs()));
  // The user has proved access to the mailbox: only now is a password sent there.
  if (account.password_change_needed) await sendPassword(db, ctx, account, password ?? (await newPassword()));
  await audit(db, {
    companyId,
    userId: account.id,
    address: ctx.address,
    action: "auth.activate",
    subject: `company ${String(companyId)}`,
  });
}

async function sendPassword(
  db: Db,
  ctx: PublicCtx,
  account: UserRow,
  { password, password_hash }: NewPassword,
): Promise<void> {
  await changeAccount(db, account.id, { password_hash, password_change_needed: true });
  await sendLetter(db, {
    companyId: account.company_id,
    to: account.email,
    language: account.language,
    kind: firstPassword,
    params: { link: addressOf(ctx.config, "auth/login"), password },
  });
}
