import { runMigrations } from "graphile-worker";
import type { Services } from "#core";

/** Creates the tables of the job runner, or migrates them. Safe when several processes start at once. */
export async function prepareJobs({ database }: Services): Promise<void> {
  await runMigrations({ pgPool: database.pool });
}
