import { ProtocolError, type KeptArchive } from "@metrum/protocols/core";
import type { Services } from "#core";
import { keepHole, removeHole, type ArchiveHole } from "./archiveStore.ts";
import { missingSlots } from "./missingSlots.ts";
import { pageSlots, requestSlots, type ArchiveRun } from "./requestSlots.ts";
import { periodSecOf, withoutRow } from "./slots.ts";

const daySec = 86_400;
/** A slot that the meter did not deliver is requested again after each of these times, and then given up. */
const pausesSec = [6 * 3600, daySec, 3 * daySec, 7 * daySec];

/** The next time, sooner for a meter that keeps its slots for a few days only; undefined: given up. */
function retryAt({ depthSec }: KeptArchive, tries: number, now: number): number | undefined {
  const pause = pausesSec[tries];
  return pause === undefined ? undefined : now + Math.min(pause, Math.ceil(depthSec / pausesSec.length));
}

/**
 * Notes slots that were requested in vain, to request them again later; journals have no slots.
 * @param tries requests in vain before this one
 */
export async function noteUndelivered(
  { database, clock }: Services,
  { device }: Pick<ArchiveRun, "device">,
  { archive, slots, tries }: { archive: KeptArchive; slots: readonly number[]; tries: number },
): Promise<void> {
  const [first, last] = [slots[0], slots.at(-1)];
  const again = retryAt(archive, tries, clock.now());
  if (first === undefined || last === undefined || again === undefined || archive.period === "events") return;
  const { msgType } = archive;
  await keepHole(database.system, device.id, { msgType, tries, from: first, to: last + 1, retryAt: again });
}

export interface HoleRead {
  readonly readings: number;
  readonly message: string;
  /** Whether the meter was polled. */
  readonly isAsked: boolean;
  /** The rest of the hole, to be requested at once; undefined: done with it for now. */
  readonly rest: ArchiveHole | undefined;
}

/**
 * Requests one page of the slots that are still missing in a hole, as far as the meter keeps them. Slots that
 * it does not deliver wait longer each time, and are given up after the last pause: such slots never delay
 * new ones.
 */
export async function readHole(
  services: Services,
  run: ArchiveRun,
  { archive, hole }: { readonly archive: KeptArchive; readonly hole: ArchiveHole },
): Promise<HoleRead> {
  const { database, clock } = services;
  const { device } = run;
  const now = clock.now();
  const periodSec = periodSecOf(archive.period);
  const from = Math.max(hole.from, now - archive.depthSec);
  const examined = await missingSlots(database.system, device, archive, {
    from,
    // An interval that begins just before the end is closed a period later.
    closedBy: Math.min(hole.to - 1 + periodSec, now),
  });
  const missing = examined.missing.filter((slot) => slot < hole.to);
  const first = missing[0];
  const slots = first === undefined ? [] : missing.filter((slot) => slot < first + pageSlots * periodSec);
  const [begin, last] = [slots[0], slots.at(-1)];
  const end = last === undefined || last === missing.at(-1) ? (examined.slots.at(-1) ?? hole.to) : last;
  const rest = end + 1 < hole.to ? { ...hole, from: end + 1 } : undefined;
  if (begin === undefined || last === undefined) {
    await leaveRest(services, run, { hole, rest });
    return { readings: 0, message: "", isAsked: false, rest };
  }
  const times = await requestSlots(run, archive, { first: begin, last, now });
  const isFailed = times instanceof ProtocolError;
  const left = isFailed ? slots : withoutRow(slots, times, archive.period);
  await noteUndelivered(services, run, { archive, slots: left, tries: hole.tries + 1 });
  await leaveRest(services, run, { hole, rest });
  if (isFailed) return { readings: 0, message: times.message, isAsked: true, rest: undefined };
  return { readings: times.length, message: "", isAsked: true, rest };
}

async function leaveRest(
  { database }: Services,
  { device }: ArchiveRun,
  { hole, rest }: { readonly hole: ArchiveHole; readonly rest: ArchiveHole | undefined },
): Promise<void> {
  await removeHole(database.system, device.id, hole);
  if (rest) await keepHole(database.system, device.id, rest);
}
