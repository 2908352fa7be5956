import { parseArgs } from "node:util";
import { restore } from "#platform/backup";
import { readConfig } from "#config";
import { contentOf } from "./backup.ts";
import { withDatabase } from "../installation.ts";
import { passphraseOf, passphraseOption } from "./passphrase.ts";
import { UsageError } from "../usage.ts";

export async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { replace: { type: "boolean", default: false }, ...passphraseOption },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError("Call it with the file to read: restore FILE [--replace] [--passphrase-file FILE]");
  const config = readConfig();
  const { dataDir } = config;
  const passphrase = passphraseOf(values, config);
  const { manifest, migrated } = await withDatabase(config, (database) =>
    restore({ database, dataDir, file, passphrase, replace: values.replace }),
  );
  const at = new Date(manifest.at * 1000).toISOString();
  console.log(`Restored ${contentOf(manifest)} of ${at}; every count and checksum is equal.`);
  console.log("Everybody signs in anew; API tokens and links in letters of the backup are ended.");
  for (const name of migrated) console.log(`applied ${name}`);
  return 0;
}
