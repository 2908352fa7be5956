import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { version, type Services, type Stop } from "#core";
import { forgetProcess, forgetSilent, noteProcess, removeOldCodes } from "./store.ts";

const beatMs = 15_000;
/** A process that was silent for so long is not shown any more: it has ended without saying so. */
const silentMs = 24 * 3600_000;

/** Notes every 15 s that this process is alive, one row for all of its roles, and removes what has expired. At its end the row is removed. */
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
  await note();
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    last = note().catch((error: unknown) => log.warn({ err: error }, "this process could not be noted"));
  }, beatMs).unref();
  return async () => {
    clearInterval(timer);
    await last;
    await forgetProcess(database.system, id);
  };
}
