import { pendingMigrations, scheduleReports, type Database } from "#core";
import type { Finding } from "./finding.ts";

/**
 * Work that is done by a schedule: when it was last done, and which of its moments were missed while nothing ran.
 * Nothing before the schema is up to date, or before a worker has run.
 */
export async function schedules({ pool, system }: Database): Promise<Finding[]> {
  if ((await pendingMigrations(pool)).length > 0) return [];
  return (await scheduleReports(system)).map(({ name, doneAt, missed, failed, error }) => {
    const last = doneAt === null ? "not done yet" : `done ${new Date(doneAt * 1000).toISOString()}`;
    const seen = `${name}: ${last}, ${String(missed)} missed, ${String(failed)} failed in 60 days`;
    const about = "schedule";
    return error === null ? { about, seen } : { about, seen: `${seen}, now: ${error}`, advice };
  });
}

const advice = "See the log of the worker; the next moment of the schedule tries again.";
