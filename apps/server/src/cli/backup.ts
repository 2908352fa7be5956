import { parseArgs } from "node:util";
import { backup, type BackupResult } from "#platform/backup";
import { readConfig } from "#config";
import { withDatabase } from "./installation.ts";
import { UsageError } from "./usage.ts";

export async function main(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError("Call it with the file to write: backup FILE");
  const { dataDir, ...config } = readConfig();
  const done = await withDatabase({ ...config, dataDir }, (database) => backup({ database, dataDir, file }));
  console.log(`${contentOf(done.manifest)} in ${file}: ${sizeOf(done)}.`);
  console.log("The file holds all data and the keys of the secrets: keep it where only you can read it.");
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
