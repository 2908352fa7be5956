import { parseArgs } from "node:util";
import { restore } from "#platform/backup";
import { readConfig } from "#config";
import { contentOf } from "./backup.ts";
import { withDatabase } from "./installation.ts";
import { UsageError } from "./usage.ts";

export async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { replace: { type: "boolean", default: false } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError("Call it with the file to read: restore FILE [--replace]");
  const { dataDir, ...config } = readConfig();
  const { manifest, migrated } = await withDatabase({ ...config, dataDir }, (database) =>
    restore({ database, dataDir, file, replace: values.replace }),
  );
  const at = new Date(manifest.at * 1000).toISOString();
  console.log(`Restored ${contentOf(manifest)} of ${at}; every count and checksum is equal.`);
  for (const name of migrated) console.log(`applied ${name}`);
  return 0;
}
