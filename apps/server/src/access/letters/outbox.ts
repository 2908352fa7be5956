import { chmod, mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Mail } from "./mail.ts";

/** Folder of the letters of an installation without a mail server. */
export function outboxOf(dataDir: string): string {
  return join(dataDir, "outbox");
}

/**
 * Writes the letter into the folder, readable only by the account of the server, because letters contain
 * links and passwords. The file is written atomically; a second attempt replaces it.
 */
export async function putIntoOutbox(folder: string, id: number, mail: Mail): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const name = join(folder, `${String(id).padStart(8, "0")}.eml`);
  const unfinished = `${name}.part`;
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(mail.bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, name);
}
