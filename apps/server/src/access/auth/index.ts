import type { Domain, ScheduledWork } from "#core";
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

/** Ended sessions and abandoned sign-ins are deleted once an hour. */
const forgetting: ScheduledWork = {
  name: "ended sessions",
  schedule: { kind: "cron", cron: "20 * * * *", zone: "Etc/UTC" },
  async run({ database, clock }) {
    await removeDead(database.system, clock.now());
    await removeOldJourneys(database.system, clock.nowMs());
  },
};

export const auth: Domain = { name: "auth", calls: serveAuth, scheduled: [forgetting] };
