import { sql } from "kysely";
import type { Db } from "#core";

/** Runs what changes rows and takes all of it back. If it throws, the transaction is to be rolled back. */
export async function withoutStoring<Found>(db: Db, run: () => Promise<Found>): Promise<Found> {
  await sql`savepoint correction_check`.execute(db);
  const found = await run();
  await sql`rollback to savepoint correction_check`.execute(db);
  await sql`release savepoint correction_check`.execute(db);
  return found;
}
