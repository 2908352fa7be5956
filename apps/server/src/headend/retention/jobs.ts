import { makeAllAhead, tendAlone, type Services, type Stop } from "#core";
import { recountQuarantine } from "#metering/messages";
import { expireAll, expireSmallLogs } from "./expire.ts";

const everyMs = 3_600_000;

/** Creates partitions in advance and deletes expired rows. One process at a time; the others skip the run. */
export async function tend(services: Services): Promise<void> {
  await tendAlone(services, async () => {
    await makeAllAhead(services);
    const gone = await expireAll(services);
    await expireSmallLogs(services);
    if (gone.has("quarantine")) await recountQuarantine(services);
  });
}

/** At the start and then every hour. */
export function tendTables(services: Services): Stop {
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = tend(services).catch((error: unknown) => {
      services.log.warn(
        { err: error },
        "the partitions of tables were not tended, the next try is in an hour",
      );
    });
  };
  const timer = setInterval(run, everyMs).unref();
  run();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
