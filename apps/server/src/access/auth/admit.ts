import { personalDataVersion } from "@metrum/contract/access";
import { problem, type ProblemCode } from "@metrum/contract/core";
import { audit, type Db, type PublicCtx } from "#core";
import { closedBecause, companyState } from "#access/companies";
import { beginTry, clearFailures, failuresOf, takeBack, type Who } from "#access/guessing";
import { hasTwoFactor, spendCode } from "#access/two-factor";
import { noteSignIn, type UserRow } from "#access/users";
import { noteConsent } from "./consentStore.ts";
import { startSession } from "./sessionStore.ts";

/** Parameters of a sign-in apart from the proof of identity. */
export interface Admission {
  readonly one_t_p?: string | undefined;
  readonly personal_data_access?: boolean | undefined;
  /** Runs in the transaction that starts the session; false refuses it. */
  readonly before?: (db: Db) => Promise<boolean>;
}

/**
 * Completes the sign-in of a proven identity: company, second factor and consent are checked before a token
 * is issued. Reasons given here (company switched off, expired) are shown only after the identity is proven.
 */
export async function admit(ctx: PublicCtx, account: UserRow, given: Admission): Promise<string> {
  const { system } = ctx.database;
  const company = await companyState(system, account.company_id);
  const closed = company ? closedBecause(company, ctx.clock.now()) : "company_inactive";
  if (closed) return refuse(ctx, account, closed);
  const needsCode = await hasTwoFactor(system, account.id);
  if (needsCode && !given.one_t_p) throw fieldProblem("one_time_code_needed", "one_t_p");
  const consents = account.personal_data_access_at === null;
  // Consent is checked first: checking a code uses it up, and it could not be sent again with the consent.
  if (consents && given.personal_data_access !== true)
    throw fieldProblem("consent_needed", "personal_data_access");
  if (needsCode) await requireCode(ctx, account, given.one_t_p ?? "");
  const token = await start(ctx, account, { ...given, consents });
  await clearFailures(system, account.email.toLowerCase());
  return token;
}

async function start(
  ctx: PublicCtx,
  account: UserRow,
  { consents, before }: Admission & { readonly consents: boolean },
): Promise<string> {
  const { address, agent } = ctx;
  const at = new Date(ctx.clock.nowMs());
  const of = { userId: account.id, companyId: account.company_id, at, address };
  return ctx.database.system.transaction().execute(async (db) => {
    if (before && !(await before(db))) throw problem("provider_refused");
    await noteSignIn(db, account.id, { at, consents });
    if (consents) await noteConsent(db, { ...of, version: personalDataVersion });
    await audit(db, entry(ctx, account, "ok"));
    return startSession(db, { ...of, agent });
  });
}

/** Five wrong codes end the attempt: the account is locked, and the answer is that of a wrong password. */
async function requireCode(ctx: PublicCtx, account: UserRow, code: string): Promise<void> {
  const { system } = ctx.database;
  const who: Who = { account: account.email.toLowerCase(), address: ctx.address };
  const nowMs = ctx.clock.nowMs();
  const begun = await beginTry(system, who, { nowMs, hasCaptcha: true, secret: "code" });
  if (!begun.isAdmitted) return refuse(ctx, account, "sign_in_refused");
  if ((await spendCode(ctx, account.id, code)) === "ok")
    return takeBack(system, who, { nowMs, secret: "code" });
  if ((await failuresOf(system, who, nowMs)).locked) return refuse(ctx, account, "sign_in_refused");
  await audit(system, entry(ctx, account, "one_time_code_wrong"));
  throw fieldProblem("one_time_code_wrong", "one_t_p");
}

/** Refuses and records the refusal in the audit log. */
export async function refuse(
  ctx: PublicCtx,
  account: UserRow | undefined,
  code: "sign_in_refused" | "company_inactive" | "company_expired" | "no_account",
): Promise<never> {
  await audit(ctx.database.system, entry(ctx, account, code));
  throw problem(code, code === "sign_in_refused" ? { attributes: { email: [code], password: [code] } } : {});
}

/** Attempts with an unknown address are recorded in the log of the provider. */
export function entry(
  ctx: PublicCtx,
  account: UserRow | undefined,
  result: "ok" | ProblemCode,
): Parameters<typeof audit>[1] {
  return {
    companyId: account?.company_id ?? ctx.config.providerCompanyId,
    ...(account ? { userId: account.id } : {}),
    address: ctx.address,
    action: "auth.login",
    result,
  };
}

function fieldProblem(code: ProblemCode, field: string) {
  return problem(code, { attributes: { [field]: [code] } });
}
