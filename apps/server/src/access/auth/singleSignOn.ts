import type { singleSignOn } from "@metrum/contract/access";
import { problem, type InputOf } from "@metrum/contract/core";
import type { PublicCtx } from "#core";
import { accountOf } from "#access/users";
import { admit, refuse, type Admission } from "./admit.ts";
import { endJourney } from "./journeyStore.ts";
import { emailOfReturned } from "./oidc.ts";
import { hashOf } from "./sessionStore.ts";

/**
 * Signs in the user named by a trusted proxy after Kerberos: `name@REALM`, which is the e-mail address of the
 * account.
 */
export async function signInByProxy(ctx: PublicCtx, given: Admission): Promise<string> {
  const { kerberosHeader } = ctx.config;
  const name = kerberosHeader === undefined ? undefined : ctx.fromProxy(kerberosHeader);
  if (!name) throw problem("not_found");
  return admitEmail(ctx, name, given);
}

/** Signs in a user returning from the OpenID provider; a journey ends with one token. */
export async function signInByProvider(
  ctx: PublicCtx,
  given: NonNullable<InputOf<typeof singleSignOn.oidcFinish>["body"]>,
): Promise<string> {
  const email = await emailOfReturned(ctx, given);
  return admitEmail(ctx, email, { ...given, before: (db) => endJourney(db, hashOf(given.state)) });
}

async function admitEmail(ctx: PublicCtx, email: string, given: Admission): Promise<string> {
  const account = await accountOf(ctx.database.system, email);
  if (!account?.is_active) return refuse(ctx, account, "no_account");
  return admit(ctx, account, given);
}
