import { problem, type InputOf, type auth } from "@metrum/contract";
import { audit, type PublicCtx } from "#core";
import { closedBecause, companyState } from "#companies";
import { accountOf, isPassword, noteSignIn, type UserRow } from "#users";
import { startSession } from "./store.ts";

type Given = NonNullable<InputOf<typeof auth.login>["body"]>;

/**
 * Signs in: password, then the company, then consent; no token exists before all of them. An unknown address takes the
 * same steps and the same time as a wrong password and gets the same answer.
 */
export async function signIn(ctx: PublicCtx, given: Given): Promise<string> {
  const { system } = ctx.database;
  const account = await accountOf(system, given.email);
  const isRight = await isPassword(given.password, account?.password_hash);
  if (!account || !isRight || !account.is_active) return refuse(ctx, account, "sign_in_refused");
  const company = await companyState(system, account.company_id);
  const closed = company ? closedBecause(company, ctx.clock.now()) : "company_inactive";
  if (closed) return refuse(ctx, account, closed);
  const consents = account.personal_data_access_at === null;
  if (consents && given.personal_data_access !== true)
    throw problem("consent_needed", { attributes: { personal_data_access: ["consent_needed"] } });
  const at = new Date(ctx.clock.nowMs());
  return system.transaction().execute(async (db) => {
    await noteSignIn(db, account.id, { at, consents });
    await audit(db, entry(ctx, account, "ok"));
    const { address, agent } = ctx;
    return startSession(db, { userId: account.id, companyId: account.company_id, at, address, agent });
  });
}

async function refuse(
  ctx: PublicCtx,
  account: UserRow | undefined,
  code: "sign_in_refused" | "company_inactive" | "company_expired",
): Promise<never> {
  await audit(ctx.database.system, entry(ctx, account, code));
  throw problem(code, code === "sign_in_refused" ? { attributes: { email: [code], password: [code] } } : {});
}

/** Tries with an address that nobody has stand in the log of the provider. */
function entry(ctx: PublicCtx, account: UserRow | undefined, result: string): Parameters<typeof audit>[1] {
  return {
    companyId: account?.company_id ?? ctx.config.providerCompanyId,
    ...(account ? { userId: account.id } : {}),
    address: ctx.address,
    action: "auth.login",
    result,
  };
}
