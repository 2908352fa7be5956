import { seedDemo } from "#demo";
import { demoPassword } from "#users";
import { readConfig } from "../config.ts";
import { withServices } from "./installation.ts";

export async function main(): Promise<number> {
  await withServices({ ...readConfig(), demo: true }, (services) => seedDemo(services));
  console.log(`The demonstration is there; the password of its accounts is ${demoPassword}`);
  return 0;
}
