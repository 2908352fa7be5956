import type { UserId } from "@metrum/vocabulary";
import { generateSync } from "otplib";
import {
  beginTwoFactor,
  confirmPending,
  disableTwoFactor,
  enableTwoFactor,
  renewRecoveryCodes,
} from "#access/two-factor";
import { accountOf, demoPassword } from "#access/users";
import type { TestApi } from "../api.ts";

interface Proof {
  readonly one_t_p: string;
  readonly current_password: string;
}

/** Code of an authenticator app with this secret, a number of 30 s steps from now. */
export function codeOf(secret: string, { services }: Pick<TestApi, "services">, steps = 0): string {
  return generateSync({ secret, epoch: services.clock.now() + steps * 30 });
}

async function idOf({ services }: TestApi, email: string): Promise<{ id: UserId; email: string }> {
  const account = await accountOf(services.database.system, email);
  if (!account) throw new Error(`no account ${email}`);
  return { id: account.id, email };
}

/** Proof that enables the second factor of an account without one. */
export async function proofToEnable(api: TestApi, email: string): Promise<Proof> {
  const account = await idOf(api, email);
  await disableTwoFactor(api.services.database.system, account.id);
  const offered = await beginTwoFactor(api.services, account);
  return { one_t_p: codeOf(offered?.secret ?? "", api), current_password: demoPassword };
}

/** Id of the account, whose second factor is enabled by this call. */
export async function secured(api: TestApi, email: string): Promise<UserId> {
  await proofOf(api, email);
  return (await idOf(api, email)).id;
}

/** Proof of an account, whose second factor is enabled by this call: an unused recovery code. */
export async function proofOf(api: TestApi, email: string): Promise<Proof> {
  const { services } = api;
  const { system } = services.database;
  const account = await idOf(api, email);
  const offered = await beginTwoFactor(services, account);
  const confirmed = offered && (await confirmPending(services, account.id, codeOf(offered.secret, api)));
  if (confirmed) await enableTwoFactor(services, system, { userId: account.id, confirmed });
  const [one_t_p = ""] = await renewRecoveryCodes(services, system, account.id);
  return { one_t_p, current_password: demoPassword };
}
