import { makeAllAhead, remember, remembered, tendAlone, type ScheduledWork, type Services } from "#core";
import { recountQuarantine } from "#metering/messages";
import { expireAll, expireSmallLogs } from "./expire.ts";

/** The time by which rows expire follows the clock by so much in each run. */
const mostStepSec = 86_400;
const expiryKey = "retention_time";

/**
 * Creates partitions in advance and deletes expired rows. One process at a time; the others skip the run. A clock that
 * is set years ahead by mistake deletes what it would in so many runs, and not at once; one set back counts at once.
 */
export async function tend(services: Services): Promise<void> {
  const { database, clock } = services;
  await tendAlone(services, async () => {
    await makeAllAhead(services);
    const known = (await remembered<number>(database.system, expiryKey)) ?? clock.now();
    const now = Math.min(clock.now(), known + mostStepSec);
    const expiring = { ...services, clock: { ...clock, now: () => now } };
    const gone = await expireAll(expiring);
    await expireSmallLogs(expiring);
    if (gone.has("quarantine")) await recountQuarantine(services);
    // Last, so that a run that is repeated moves no further.
    await remember(database.system, expiryKey, now);
  });
}

/** Every hour, so that a restart moves no time. */
export const tending: ScheduledWork = {
  name: "retention",
  schedule: { kind: "cron", cron: "5 * * * *", zone: "Etc/UTC" },
  run: tend,
};
