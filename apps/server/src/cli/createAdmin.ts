import { parseArgs } from "node:util";
import { z } from "zod/mini";
import { createFirstAdmin } from "#access/users";
import { readConfig } from "#config";
import { withServices } from "./installation.ts";

export async function main(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const config = readConfig();
  const adminEmail = positionals[0] ?? config.adminEmail;
  if (!z.email().safeParse(adminEmail).success) {
    console.error(`${adminEmail} is not an e-mail address.`);
    return 1;
  }
  const made = await withServices({ ...config, adminEmail }, (services) => createFirstAdmin(services));
  if (!made) {
    console.error(`There already is an account ${adminEmail}.`);
    return 1;
  }
  console.log(`E-mail:   ${made.email}`);
  console.log(`Password: ${made.password ?? "that of METRUM_ADMIN_PASSWORD"}`);
  if (made.password !== undefined)
    console.log("It is shown only now and is to be changed at the first sign-in.");
  return 0;
}
