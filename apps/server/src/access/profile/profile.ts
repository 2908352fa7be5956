import type { ProfileChange } from "@metrum/contract/access";
import { problem } from "@metrum/contract/core";
import { endSessionsOf } from "#access/auth";
import { signInPolicy } from "#access/companies";
import { isZone, zoneOfOffset, type Ctx, type Db } from "#core";
import { dropLinks } from "#access/letters";
import {
  askAddressProof,
  changeAccount,
  checkPassword,
  hashPassword,
  isPassword,
  type AccountChange,
  type UserRow,
  passwordChanged,
} from "#access/users";
import { changeOwn, subjectOf, tellOwner } from "./own.ts";
import { accountOf, forgetFailures, requirePassword } from "./proof.ts";

/** What a change of the account has led to, as its message says it. */
export type ProfileOutcome = "saved" | "password_changed" | "address_link_sent";

/**
 * Changes one's own account. Another address or password requires the current password; a new password ends
 * all other sessions and API tokens, and fulfils the duty to set one. Another address counts once the link that is sent
 * there is opened. Problem: too_many_requests.
 */
export async function changeProfile(ctx: Ctx, given: ProfileChange): Promise<ProfileOutcome> {
  const account = await accountOf(ctx);
  const email = given.email === account.email.toLowerCase() ? undefined : given.email;
  const action = given.password === undefined ? "profile.update" : "profile.password";
  if (email !== undefined || given.password !== undefined)
    await requirePassword(ctx, account, { password: given.current_password, action });
  if (given.password !== undefined) await judgePassword(ctx, account, given);
  const change = plainChange(ctx, account, given);
  const password_hash = given.password === undefined ? undefined : await hashPassword(given.password);
  await changeOwn(
    ctx,
    { action, subject: subjectOf(account), ...difference(account, change, email) },
    async (db) => {
      await changeAccount(db, account.id, {
        ...change,
        ...(password_hash === undefined ? {} : { password_hash, password_change_needed: false }),
      });
      if (password_hash !== undefined) await afterNewPassword(ctx, db, account);
      if (email !== undefined) await askAddressProof(ctx, db, { account, email });
    },
  );
  if (password_hash !== undefined) await forgetFailures(ctx, account);
  if (email !== undefined) return "address_link_sent";
  return password_hash === undefined ? "saved" : "password_changed";
}

async function afterNewPassword(ctx: Ctx, db: Db, account: UserRow): Promise<void> {
  await endSessionsOf(db, { userId: account.id, except: ctx.session.id });
  await dropLinks(db, account.id);
  await tellOwner(ctx, db, { account, kind: passwordChanged, page: "auth/forget" });
}

/**
 * Throws `wrong_input` that names the field: password rule of the company, same password as before,
 * repetition differs.
 */
async function judgePassword(
  ctx: Ctx,
  account: UserRow,
  { password = "", password_confirmation }: ProfileChange,
): Promise<void> {
  if (password_confirmation !== undefined && password_confirmation !== password)
    throw wrong("password_confirmation", "passwords_differ");
  const { minLength } = await signInPolicy(ctx.database.system, account.company_id);
  const fault = checkPassword(password, { minLength });
  if (fault) throw wrong("password", fault);
  if (await isPassword(password, account.password_hash)) throw wrong("password", "same_password");
}

/** Settings that need no password. */
function plainChange(ctx: Ctx, account: UserRow, given: ProfileChange): AccountChange {
  const timezone = zoneOf(ctx, account, given);
  return {
    ...(given.name === undefined ? {} : { name: given.name }),
    ...(given.phone_number === undefined ? {} : { phone_number: given.phone_number || null }),
    ...(given.language === undefined ? {} : { language: given.language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

/**
 * The zone to store: by its name, else by an offset; null for the zone of the company. Throws `wrong_input`.
 */
function zoneOf(ctx: Ctx, account: UserRow, given: ProfileChange): string | null | undefined {
  const { timezone_name: name } = given;
  if (name === undefined) return zoneOfOffset(given.user_time_zone, account.timezone, ctx.clock.now());
  if (name !== null && !isZone(name)) throw wrong("timezone_name", "unknown_zone");
  return name;
}

function wrong(field: string, code: string) {
  return problem("wrong_input", { attributes: { [field]: [code] } });
}

/** Changed fields for the audit log, never a password. */
function difference(
  account: UserRow,
  change: AccountChange,
  asked: string | undefined,
): { before: object; after: object } {
  const before = {
    name: account.name,
    phone_number: account.phone_number,
    timezone: account.timezone,
    language: account.language,
  };
  const names = Object.keys(change);
  return {
    before: Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name))),
    after: asked === undefined ? change : { ...change, address_asked: asked },
  };
}
