import { randomInt } from "node:crypto";
import type { Services } from "#core";
import { ensureProvider } from "./demo.ts";
import { hashPassword } from "./passwords.ts";
import { accountOf, createUser, hasAdmin } from "./store.ts";

export interface FirstAdmin {
  readonly email: string;
  /** The one-time password, to be shown once; absent when it was set by the environment. */
  readonly password?: string;
}

/**
 * Creates the first account of an installation, an administrator of the provider company. Undefined if
 * an account with that address exists, or, with `onlyIfNone`, any administrator of the provider.
 */
export async function createFirstAdmin(
  { config, database }: Services,
  { onlyIfNone = false } = {},
): Promise<FirstAdmin | undefined> {
  const { adminEmail: email, adminPassword } = config;
  const password = adminPassword ?? oneTimePassword();
  const password_hash = await hashPassword(password);
  return database.system.transaction().execute(async (db) => {
    const company = await ensureProvider(db, config.providerCompanyId);
    if (await accountOf(db, email)) return undefined;
    if (onlyIfNone && (await hasAdmin(db, company.id))) return undefined;
    await createUser(db, {
      company_id: company.id,
      email,
      name: "Administrator",
      is_admin: true,
      password_hash,
      password_change_needed: adminPassword === undefined,
    });
    return adminPassword === undefined ? { email, password } : { email };
  });
}

/**
 * 20 characters of an alphabet without look-alikes: about 116 bits, with all character classes of the
 * password rule.
 */
export function oneTimePassword(): string {
  const signs = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const body = Array.from({ length: 17 }, () => signs[randomInt(signs.length)]).join("");
  return `${body}a7!`;
}
