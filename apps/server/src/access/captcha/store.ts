import { sql, type Selectable } from "kysely";
import type { Db } from "#core";
import type { CaptchaTable } from "./tables.ts";

export async function keep(db: Db, row: Selectable<CaptchaTable>): Promise<void> {
  await db.insertInto("captcha").values(row).execute();
}

/**
 * Removes a captcha and returns it; of concurrent answers one gets it. Undefined when it is unknown, used or
 * expired.
 */
export async function take(
  db: Db,
  keyHash: Buffer,
  nowMs: number,
): Promise<Selectable<CaptchaTable> | undefined> {
  const row = await db
    .deleteFrom("captcha")
    .where("key_hash", "=", keyHash)
    .returningAll()
    .executeTakeFirst();
  return row && row.expires_at.getTime() > nowMs ? row : undefined;
}

export async function removeOld(db: Db, nowMs: number): Promise<void> {
  await sql`delete from captcha where expires_at < ${new Date(nowMs)}`.execute(db);
}
