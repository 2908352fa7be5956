import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { readPassword, superuserPasswordFile, type Connection } from "./cluster.ts";
import { hasCode } from "../../errorCode.ts";

/**
 * Gives the superuser of a cluster of an older version, which has the password of the server's role, one of its own.
 * A kill at any moment leaves one of the two passwords in force and both on file.
 */
export async function separateSuperuser(dataDir: string, connection: Connection): Promise<void> {
  const path = join(dataDir, superuserPasswordFile);
  if (existsSync(path)) return;
  const draft = `${path}.new`;
  const password = await readPassword(draft, false);
  const change = `alter role postgres password ${pg.escapeLiteral(password)}`;
  const isChanged =
    (await runAs(connection, password, change)) || (await runAs(connection, connection.password, change));
  // Somebody has set another password: it is separate already.
  if (isChanged) await rename(draft, path);
  else await rm(draft);
}

/** Whether the superuser has this password; the statement has run then. */
async function runAs(connection: Connection, password: string, text: string): Promise<boolean> {
  const client = new pg.Client({ ...connection, user: "postgres", password, database: "postgres" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query({ text });
    return true;
  } catch (error) {
    // 28P01: wrong password.
    if (hasCode(error, "28P01")) return false;
    throw error;
  } finally {
    await client.end();
  }
}
