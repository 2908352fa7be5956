import { removePending } from "#access/companies";
import { startRounds, type Services, type Stop } from "#core";
import { forgotten } from "./store.ts";

const sweepEveryMs = 3_600_000;

/** Deletes self-registered companies that were not confirmed before their letter expired. */
export async function removeForgotten({ database, clock }: Services): Promise<void> {
  for (const id of await forgotten(database.system, new Date(clock.nowMs())))
    await removePending(database.system, id);
}

export function sweepRegistrations(services: Services): Stop {
  return startRounds({
    everyMs: sweepEveryMs,
    round: () => removeForgotten(services),
    onError: (error) => services.log.warn({ err: error }, "forgotten registrations were not removed"),
  }).stop;
}
