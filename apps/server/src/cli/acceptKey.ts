import { parseArgs } from "node:util";
import { acceptSecretsKey, migrate } from "#core";
import { readConfig } from "#config";
import { withDatabase } from "./installation.ts";

export async function main(args: string[]): Promise<number> {
  parseArgs({ args });
  const { dataDir, ...config } = readConfig();
  await withDatabase({ ...config, dataDir }, async (database) => {
    await migrate(database.pool);
    await acceptSecretsKey(database.system, dataDir);
  });
  console.log(`The key in ${dataDir} is the one of this installation from now on.`);
  console.log(
    "What another key sealed cannot be read: passwords and keys of devices, gateways and network servers are to be entered anew, second factors to be turned off.",
  );
  return 0;
}
