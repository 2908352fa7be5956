import { startRounds, type Services, type Stop } from "#core";
import { nextRemoved, removedChannel } from "../store.ts";
import { removeWithTraces, tablesOfDevices } from "./traceStore.ts";

/** Removals that no notification announced: those of a process that has died. */
const everyMs = 60_000;

/**
 * Deletes devices that users have removed for good, with their data, as long as the process has the role
 * worker.
 */
export function startRemoval(services: Services): Stop {
  const { database, log } = services;
  const rounds = startRounds({
    everyMs,
    on: { listener: database.listener, channels: [removedChannel] },
    round: () => removeMarked(services, () => rounds.isStopped()),
    onError: (error) => log.warn({ err: error }, "removed devices were not deleted, trying again"),
  });
  return rounds.stop;
}

/** Devices deleted per transaction: some tables are scanned for the rows of all of them at once. */
const removedAtOnce = 20;

/** Deletes the marked devices; several workers share them. Returns when none is left, or when stopped. */
export async function removeMarked(
  { database }: Pick<Services, "database">,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const { system } = database;
  const tables = await tablesOfDevices(system);
  const removeSome = () =>
    system.transaction().execute(async (db) => {
      const ids = await nextRemoved(db, removedAtOnce);
      if (ids.length > 0) await removeWithTraces(db, ids, tables);
      return ids.length === removedAtOnce;
    });
  while (!isStopped() && (await removeSome()));
}
