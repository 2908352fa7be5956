import { parseArgs } from "node:util";
import { backup, type BackupResult } from "#platform/backup";
import { readConfig } from "#config";
import { withDatabase } from "../installation.ts";
import { passphraseOf, passphraseOption } from "./passphrase.ts";
import { UsageError } from "../usage.ts";

export async function main(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: passphraseOption });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError("Call it with the file to write: backup FILE [--passphrase-file FILE]");
  const config = readConfig();
  const { dataDir } = config;
  const passphrase = passphraseOf(values, config);
  const done = await withDatabase(config, (database) => backup({ database, dataDir, file, passphrase }));
  console.log(`${contentOf(done.manifest)} in ${file}: ${sizeOf(done)}.`);
  console.log(
    passphrase === undefined
      ? "The file holds all data and the keys of the secrets: keep it where only you can read it, or encrypt it with a passphrase."
      : "The file is encrypted: nobody restores it without its passphrase, which is to be kept elsewhere.",
  );
  return 0;
}

/** `41 tables with 1,234,567 rows and 12 files`. */
export function contentOf({ tables, files }: BackupResult["manifest"]): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${String(tables.length)} tables with ${rows.toLocaleString("en")} rows and ${String(files.length)} files`;
}

function sizeOf({ bytes, durationMs }: BackupResult): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB in ${(durationMs / 1000).toFixed(1)} s`;
}
