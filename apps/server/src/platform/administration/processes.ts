import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { startRounds, version, type Services, type Stop } from "#core";
import { forgetProcess, forgetSilent, noteProcess, removeOldCodes } from "./store.ts";

const beatMs = 15_000;
/** A process silent for this long is no longer shown: it has crashed. */
const silentMs = 24 * 3600_000;

/**
 * Records every 15 s that this process is alive, one row for all of its roles, and deletes expired rows. The
 * row is deleted when the process ends.
 */
export async function beat(services: Services): Promise<Stop> {
  const { database, clock, config, log } = services;
  const id = randomUUID();
  const started_at = new Date(clock.nowMs());
  const note = async (): Promise<void> => {
    const seen_at = new Date(clock.nowMs());
    const { roles } = config;
    const self = { id, host: hostname(), pid: process.pid, roles, version, started_at, seen_at };
    await noteProcess(database.system, self);
    await forgetSilent(database.system, new Date(seen_at.getTime() - silentMs));
    await removeOldCodes(database.system, seen_at);
  };
  // A process that cannot be recorded does not start.
  await note();
  const rounds = startRounds({
    everyMs: beatMs,
    round: note,
    onError: (error) => log.warn({ err: error }, "the heartbeat of this process was not stored"),
  });
  return async () => {
    await rounds.stop();
    await forgetProcess(database.system, id);
  };
}
