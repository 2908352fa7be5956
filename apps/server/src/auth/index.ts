import type { Domain, Services, Stop } from "#core";
import { serveAuth } from "./calls.ts";
import { removeDead } from "./store.ts";

export { accessChannel, concerns, createSessions, lookUp } from "./sessions.ts";
export { endSessionsOf, hashOf, startSession } from "./store.ts";

const sweepEveryMs = 3_600_000;

export const auth: Domain = { name: "auth", calls: serveAuth, worker: sweepSessions };

/** Sessions that are over are taken out of the table once an hour. */
function sweepSessions({ database, clock, log }: Services): Stop {
  const sweep = (): void => {
    removeDead(database.system, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, "dead sessions were not removed");
    });
  };
  const timer = setInterval(sweep, sweepEveryMs).unref();
  return () => {
    clearInterval(timer);
    return Promise.resolve();
  };
}
