import type { Services, Stop } from "#core";
import { removeOlder } from "./store.ts";

/** The log is kept for three years: security rule 6. */
export const keptDays = 3 * 366;
const sweepEveryMs = 6 * 3_600_000;

/** Takes away rows that are older than the log is kept. Returns how many. */
export async function forgetOld({ database, clock }: Pick<Services, "database" | "clock">): Promise<number> {
  return removeOlder(database.system, new Date(clock.nowMs() - keptDays * 86_400_000));
}

/** Some times a day; several processes may do so at once, each row goes once. */
export function sweepLog(services: Services): Stop {
  const sweep = (): void => {
    forgetOld(services).catch((error: unknown) => {
      services.log.warn({ err: error }, "old rows of the log were not removed");
    });
  };
  const timer = setInterval(sweep, sweepEveryMs).unref();
  return () => {
    clearInterval(timer);
    return Promise.resolve();
  };
}
