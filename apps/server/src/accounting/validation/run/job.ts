import type { DeviceId } from "@metrum/vocabulary";
import type { ScheduledWork, Services, Stop } from "#core";
import { startRounds } from "#core";
import { dependOn, dueKinds, runDependants, startDependants, type Dependants } from "#metering/messages";
import { newDevices } from "../judged/index.ts";
import { deleteClosed } from "./exceptionStore.ts";
import { validateSpan } from "./run.ts";

const daySec = 86_400;
/** History of a device that is judged when it is first seen. */
const firstSec = 31 * daySec;
/** Closed exceptions are kept for two years: as long as people look back at their decisions. */
const keptSec = 2 * 366 * daySec;
const atOnce = 1_000;
const roundMs = 60_000;

const dependants = (services: Services): Dependants => ({
  kind: dueKinds.validation,
  what: "validation",
  sideBySide: 1,
  compute: ({ id }, { from, to }, isOver) => validateSpan(services, { deviceId: id, from, to }, isOver),
});

/** Has changed readings of devices judged from now on that were not yet; returns how many devices are new. */
export async function watchDevices({ database: { system }, clock }: Services): Promise<number> {
  let watched = 0;
  for (;;) {
    const ids = await newDevices(system, dueKinds.validation, atOnce);
    const from = clock.now() - firstSec;
    const spans = ids.map((deviceId) => ({ deviceId, from, to: clock.now() }));
    await system.transaction().execute((db) => dependOn(db, dueKinds.validation, spans, { isAgain: false }));
    watched += ids.length;
    if (ids.length < atOnce) return watched;
  }
}

/** Judges devices over a span at once, without waiting for a worker; nothing is planted or changed in their values. */
export async function judgeDevices(
  services: Services,
  ids: readonly DeviceId[],
  span: { readonly from: number; readonly to: number },
): Promise<void> {
  await watchDevices(services);
  for (const deviceId of ids) await validateSpan(services, { deviceId, ...span });
}

/** One run over the marked ranges; returns how many it took. For tests and the demonstration. */
export const validateDue = (services: Services): Promise<number> =>
  runDependants(services, dependants(services));

/** Judges changed readings, and takes up new devices. */
export function startValidating(services: Services): Stop {
  const stop = startDependants(services, dependants(services));
  const rounds = startRounds({
    everyMs: roundMs,
    round: async () => {
      await watchDevices(services);
    },
    onError: (error) => services.log.warn({ err: error }, "devices were not taken up by validation"),
  });
  return async () => {
    await rounds.stop();
    await stop();
  };
}

/** Exceptions that were closed long ago are deleted once an hour. */
export const forgetting: ScheduledWork = {
  name: "closed exceptions",
  schedule: { kind: "cron", cron: "35 * * * *", zone: "Etc/UTC" },
  async run({ database, clock }) {
    while ((await deleteClosed(database.system, clock.now() - keptSec, atOnce)) === atOnce);
  },
};
