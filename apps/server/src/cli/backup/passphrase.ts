import { readFileSync } from "node:fs";
import { leastPassphrase, type Config } from "#config";
import { UsageError } from "../usage.ts";

/** A file and no text: what stands in the process list is read by everybody on the machine. */
export const passphraseOption = { "passphrase-file": { type: "string" } } as const;

/** Passphrase of a backup: the first line of the named file, or METRUM_BACKUP_PASSPHRASE. Errors: UsageError. */
export function passphraseOf(
  { "passphrase-file": file }: { readonly "passphrase-file"?: string | undefined },
  { backupPassphrase }: Pick<Config, "backupPassphrase">,
): string | undefined {
  if (file === undefined) return backupPassphrase;
  const [passphrase = ""] = readFileSync(file, "utf8").split(/\r?\n/);
  if (passphrase.length < leastPassphrase)
    throw new UsageError(
      `--passphrase-file: the first line of ${file} is shorter than ${String(leastPassphrase)} characters`,
    );
  return passphrase;
}
