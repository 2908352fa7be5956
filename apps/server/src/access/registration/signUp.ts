import { shortestPassword, type registration } from "@metrum/contract/access";
import { problem, type ParsedOf } from "@metrum/contract/core";
import type { CompanyId } from "@metrum/vocabulary";
import { refusalOfCaptcha } from "#access/captcha";
import { companyById, createCompany, modulesFor } from "#access/companies";
import { audit, defaultZone, zoneOfOffset, type Db, type PublicCtx } from "#core";
import { beginRegistration } from "#access/guessing";
import { dropLinks, hasHadEnough, issueLink, sendLetter } from "#access/letters";
import {
  accountOf,
  anyAccount,
  createUser,
  isAddressTaken,
  registerInTurn,
  releaseAddress,
  type UserRow,
} from "#access/users";
import { addressOf } from "./address.ts";
import { activation, knownAddress } from "./letters.ts";
import { judgePassword } from "./newPassword.ts";
import * as store from "./store.ts";

type Given = ParsedOf<typeof registration.signup>["body"];

/** Validity of the link of the activation letter: security rule 2.8. */
export const activationSec = 48 * 3600;

/**
 * Registers a company under that of the provider (the root of the tree), switched off until the link in the
 * letter is opened. An address that already has an account gets a letter that says so; the answer and its
 * time are the same. An unconfirmed registration of the same address is replaced. Throws registration_closed
 * and the problems of a new password.
 */
export async function signUp(ctx: PublicCtx, given: Given): Promise<void> {
  const { config, database } = ctx;
  if (!config.selfRegistration) throw problem("registration_closed");
  const password = passwordOf(ctx, given);
  await admit(ctx, given);
  await registerInTurn(password, async (password_hash) => {
    try {
      await database.system.transaction().execute((db) => registerIn(db, ctx, { ...given, password_hash }));
    } catch (error) {
      // The address was registered concurrently: the other request sends the letter.
      if (!isAddressTaken(error)) throw error;
    }
  });
}

/**
 * Problems: captcha_needed and captcha_wrong, too_many_requests. Checked before anything is created or sent.
 */
async function admit(ctx: PublicCtx, given: Given): Promise<void> {
  const { system } = ctx.database;
  const nowMs = ctx.clock.nowMs();
  const refusal = await refusalOfCaptcha(system, given, nowMs);
  // A wrong captcha is reported whether or not one was needed.
  if (refusal && given.captcha !== undefined) throw refusal;
  const begun = await beginRegistration(system, ctx.address, { nowMs, hasCaptcha: refusal === undefined });
  if (begun.isAdmitted) return;
  throw begun.locked || !refusal ? problem("too_many_requests") : refusal;
}

/**
 * If the server generates passwords, this first one is never disclosed; the real one is generated at
 * activation.
 */
function passwordOf({ config }: PublicCtx, given: Given): string {
  if (config.randomPasswords) return crypto.randomUUID();
  const { password = "", password_confirmation = "" } = given;
  judgePassword({ password, password_confirmation }, shortestPassword);
  return password;
}

type Registering = Given & { readonly password_hash: string };

async function registerIn(db: Db, ctx: PublicCtx, given: Registering): Promise<void> {
  const account = await accountOf(db, given.email);
  // A known address takes the same time as an unknown one: same work with a substitute, rolled back.
  const standIn = await anyAccount(db);
  const holder = account ?? standIn;
  const isPending = (await store.pendingOf(db, holder.id)) !== undefined && account !== undefined;
  const isKnown = account !== undefined && !isPending;
  const isEnough = await hasHadEnough(db, given.email, isKnown ? knownAddress : activation);
  await store.keptIf(db, !isKnown && !isEnough, async () => {
    if (isPending) {
      await releaseAddress(db, holder.id);
      await dropLinks(db, holder.id);
    }
    // Work that is rolled back must not touch the existing account.
    const email = isKnown ? `${crypto.randomUUID()}@invalid` : given.email;
    await register(db, ctx, { ...given, email });
  });
  await store.keptIf(db, isKnown && holder.is_active && !isEnough, () => tellKnown(db, ctx, holder));
  await audit(db, {
    companyId: ctx.config.providerCompanyId,
    address: ctx.address,
    action: "auth.signup",
    result: isKnown ? "address_known" : isEnough ? "too_many_requests" : "ok",
  });
}

async function register(db: Db, ctx: PublicCtx, given: Registering): Promise<void> {
  const now = ctx.clock.now();
  const provider = await companyById(db, ctx.config.providerCompanyId as CompanyId);
  if (!provider) throw new Error("there is no provider company");
  const timezone = zoneOfOffset(given.user_time_zone, null, now) ?? defaultZone;
  const company = await createCompany(db, provider, {
    name: given.company_name,
    inn: given.inn,
    phone_number: given.phone_number,
    company_type_id: 1,
    timezone,
    is_active: false,
    active_modules: modulesFor({ isDealer: false }, provider.active_modules),
  });
  const userId = await createUser(db, {
    company_id: company.id,
    email: given.email,
    name: given.name || given.email.replace(/@.*/, ""),
    phone_number: given.phone_number,
    password_hash: given.password_hash,
    password_change_needed: ctx.config.randomPasswords,
    is_admin: true,
    is_active: false,
    language: ctx.language,
  });
  const expiresAt = now + activationSec;
  await store.add(db, {
    company_id: company.id,
    user_id: userId,
    expires_at: new Date(expiresAt * 1000),
    activated_at: null,
  });
  const token = await issueLink(db, {
    userId,
    purpose: "activation",
    validSec: activationSec,
    nowSec: now,
  });
  await sendLetter(db, {
    companyId: company.id,
    to: given.email,
    language: ctx.language,
    kind: activation,
    params: { link: addressOf(ctx.config, `auth/activate/${token}`) },
    uselessAfter: expiresAt,
  });
}

async function tellKnown(db: Db, { config }: PublicCtx, account: UserRow): Promise<void> {
  await sendLetter(db, {
    companyId: account.company_id,
    to: account.email,
    language: account.language,
    kind: knownAddress,
    params: { link: addressOf(config, "auth/forget") },
  });
}
