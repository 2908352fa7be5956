import { closeMonthOf, seedDemo } from "#platform/demo";
import { demoPassword } from "#access/users";
import { readConfig } from "#config";
import { withServices } from "./installation.ts";

export async function main(): Promise<number> {
  await withServices({ ...readConfig(), demo: true }, async (services) => {
    await closeMonthOf(services, await seedDemo(services));
  });
  console.log(`The demonstration is there; the password of its accounts is ${demoPassword}`);
  return 0;
}
