import { startRounds, type Domain, type Services, type Stop } from "#core";
import { windowMs } from "./limits.ts";
import { removeOld } from "./store.ts";

export {
  beginRegistration,
  beginTry,
  clearFailures,
  countFailure,
  failuresOf,
  takeBack,
  type Try,
} from "./guessing.ts";
export type { Standing } from "./limits.ts";
export type { Who } from "./subject.ts";

export const guessing: Domain = { name: "guessing", worker: sweepFailures };

const sweepEveryMs = 600_000;

/** Failures that no longer count are deleted every ten minutes. */
function sweepFailures({ database, clock, log }: Services): Stop {
  return startRounds({
    everyMs: sweepEveryMs,
    // A lock lasts one window after its last failure; after two windows it is certainly over.
    round: () => removeOld(database.system, clock.nowMs() - 2 * windowMs),
    onError: (error) => log.warn({ err: error }, "old failures were not removed"),
  }).stop;
}
