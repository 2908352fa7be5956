import { isDatabaseAway, isDeadlock, type Database, type Db } from "#core";

const awayMs = 1_000;

/** Runs a transaction that may be repeated, however long the database is away. */
export async function untilStored<Result>(
  database: Pick<Database, "system" | "pause">,
  run: (db: Db) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await database.system.transaction().execute(run);
    } catch (error) {
      if (isDatabaseAway(error)) await database.pause(awayMs);
      else if (!isDeadlock(error)) throw error;
    }
  }
}
