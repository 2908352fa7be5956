import { startRounds, type Domain, type Services, type Stop } from "#core";
import { serveAuth } from "./calls.ts";
import { removeOldJourneys } from "./journeyStore.ts";
import { removeDead } from "./sessionStore.ts";

export { isDirectoryPassword } from "./directory.ts";
export { createOidcProviders } from "./oidc.ts";
export { accessChannel, concerns, createSessions, lookUp } from "./sessions.ts";
export { sessionsOf, type OwnSessionRow } from "./sessionQueryStore.ts";
export {
  endOtherBrowsers,
  endOwnSession,
  endSessionsOf,
  hashOf,
  startApiToken,
  startEnteredSession,
  startSession,
  type EnteredSession,
} from "./sessionStore.ts";

const sweepEveryMs = 3_600_000;

export const auth: Domain = { name: "auth", calls: serveAuth, worker: sweepSessions };

/** Ended sessions and abandoned sign-ins are deleted once an hour. */
function sweepSessions({ database, clock, log }: Services): Stop {
  return startRounds({
    everyMs: sweepEveryMs,
    async round() {
      await removeDead(database.system, clock.now());
      await removeOldJourneys(database.system, clock.nowMs());
    },
    onError: (error) => log.warn({ err: error }, "dead sessions and journeys were not removed"),
  }).stop;
}
