import { sheetImportBounds } from "@metrum/contract/metering";
import { isDatabaseAway, startRounds, type Services, type Stop } from "#core";
import { takeBatch } from "./batch.ts";
import { nextGoing } from "./batchStore.ts";
import { dropExpired, noteFailure, sheetChannel } from "./store.ts";

/** Imports that no notification announced: those of a process that has died. */
const everyMs = 10_000;
/** Batches in succession that may fail. */
const mostFailures = 3;
/** After such a time the rights of a user may be others, and he continues a run himself. */
const longestPauseSec = 3600;
const daySec = 86_400;

/** Goes on with rehearsals and runs of every company as long as the process has the role worker. */
export function startSheetWork(services: Services): Stop {
  const { database, log } = services;
  const rounds = startRounds({
    everyMs,
    on: { listener: database.listener, channels: [sheetChannel] },
    round: () => takeSheets(services, () => rounds.isStopped()),
    onError: (error) => log.warn({ err: error }, "an import of a spreadsheet did not go on, trying again"),
  });
  return rounds.stop;
}

/**
 * Takes batches of the imports in progress in turns; returns when there is none, or when stopped. `together`: rows of
 * composed kinds that are stored at once, a whole batch unless it is given.
 */
export async function takeSheets(
  services: Services,
  isStopped: () => boolean = () => false,
  together?: number,
): Promise<void> {
  const { database, clock, log } = services;
  const { system } = database;
  await dropExpired(system, clock.now() - sheetImportBounds.keptDays * daySec);
  while (!isStopped()) {
    const next = await nextGoing(system);
    if (!next) return;
    const now = clock.now();
    if (now - next.worked_at > longestPauseSec) {
      await noteFailure(system, next.id, { most: mostFailures, isFinal: true, now });
      continue;
    }
    try {
      await takeBatch(services, next.id, next.acting, together);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      log.error({ err: error, import: next.id }, "a batch of an import failed");
      await noteFailure(system, next.id, { most: mostFailures, isFinal: false, now });
    }
  }
}
