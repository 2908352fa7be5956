import { removePending } from "#access/companies";
import type { ScheduledWork, Services } from "#core";
import { forgotten } from "./store.ts";

/** Deletes self-registered companies that were not confirmed before their letter expired. */
export async function removeForgotten({ database, clock }: Services): Promise<void> {
  for (const id of await forgotten(database.system, new Date(clock.nowMs())))
    await removePending(database.system, id);
}

export const forgetting: ScheduledWork = {
  name: "unconfirmed registrations",
  schedule: { kind: "cron", cron: "25 * * * *", zone: "Etc/UTC" },
  run: removeForgotten,
};
