import { migrate } from "#core";
import { readConfig } from "#config";
import { withDatabase } from "./installation.ts";

export async function main(): Promise<number> {
  const applied = await withDatabase(readConfig(), ({ pool }) => migrate(pool));
  for (const name of applied) console.log(`applied ${name}`);
  console.log(applied.length === 0 ? "The database is up to date." : `${applied.length} applied.`);
  return 0;
}
