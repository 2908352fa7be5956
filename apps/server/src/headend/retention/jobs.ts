import { makeAllAhead, remember, remembered, startRounds, tendAlone, type Services, type Stop } from "#core";
import { recountQuarantine } from "#metering/messages";
import { expireAll, expireSmallLogs } from "./expire.ts";

const everyMs = 3_600_000;

/** The time by which rows expire follows the clock by so much in each run. */
const mostStepSec = 86_400;
const expiryKey = "retention_time";

/**
 * Creates partitions in advance and deletes expired rows. One process at a time; the others skip the run. A clock that
 * is set years ahead by mistake deletes what it would in so many runs, and not at once; one set back counts at once.
 */
export async function tend(services: Services, stepSec = mostStepSec): Promise<void> {
  const { database, clock } = services;
  await tendAlone(services, async () => {
    await makeAllAhead(services);
    const known = (await remembered<number>(database.system, expiryKey)) ?? clock.now();
    const now = Math.min(clock.now(), known + stepSec);
    await remember(database.system, expiryKey, now);
    const expiring = { ...services, clock: { ...clock, now: () => now } };
    const gone = await expireAll(expiring);
    await expireSmallLogs(expiring);
    if (gone.has("quarantine")) await recountQuarantine(services);
  });
}

/** At the start, which may be repeated often and moves no time, and then every hour. */
export function tendTables(services: Services): Stop {
  let stepSec = 0;
  return startRounds({
    everyMs,
    async round() {
      const step = stepSec;
      stepSec = mostStepSec;
      await tend(services, step);
    },
    onError: (error) =>
      services.log.warn(
        { err: error },
        "the partitions of tables were not tended, the next try is in an hour",
      ),
  }).stop;
}
