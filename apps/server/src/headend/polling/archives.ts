import { ProtocolError, type KeptArchive } from "@metrum/protocols/core";
import type { Services } from "#core";
import { noteUndelivered, readHole, type HoleRead } from "./archiveHoles.ts";
import { archiveStates, dueHoles, noteArchive, type ArchiveHole, type ArchiveState } from "./archiveStore.ts";
import { missingSlots } from "./missingSlots.ts";
import { pageSlots, requestSlots, type ArchiveRun } from "./requestSlots.ts";
import { periodSecOf, toleranceSecOf, withoutRow } from "./slots.ts";

/** Pages per poll, and the time after which no further page is started: other devices wait for the line. */
const mostPages = 4;
const longestMs = 20_000;
/** A meter closes its intervals with a delay, and its clock may be slow. */
const graceSec = 120;
const daySec = 86_400;
/**
 * A slot the meter has not delivered yet is requested again for this long, or for two of its periods if that
 * is shorter.
 */
const patienceSec = daySec;
const longestRetrySec = 6 * 3600;
/** A slot the meter reports as missing is requested again once a day: the meter may have been replaced. */
const unsupportedRetrySec = daySec;

/** How far back the first poll of a device reads; earlier slots are read if its group loads them. */
const firstSecOf = ({ period }: KeptArchive): number =>
  period === "month" ? 93 * daySec : period !== "events" && period >= daySec ? 7 * daySec : 2 * daySec;

export interface ArchivesRead {
  readonly readings: number;
  /** The error for the log; empty without one. */
  readonly message: string;
}

/**
 * Requests the archive slots of a device that have closed since the last request and are not stored: oldest
 * first, a limited number of pages per poll, never more than the meter keeps; then those before them, if the
 * group of the device loads them; then those that it did not deliver earlier. A failure is recorded and
 * retried later; it never undoes earlier pages. Rejects only when the database is unavailable, or with errors
 * of the line.
 */
export async function readArchives(services: Services, run: ArchiveRun): Promise<ArchivesRead> {
  const { database, clock } = services;
  const { device, driver, group } = run;
  if (driver.archives.length === 0) return { readings: 0, message: "" };
  const wanted = group.selected.archives;
  const archives = driver.archives.filter(({ msgType }) => wanted?.includes(msgType) ?? true);
  const states = new Map(await archiveStates(database.system, device.id));
  const read = startRead(clock.monotonicMs() + longestMs);
  const isOver = () => read.pages >= mostPages || clock.monotonicMs() >= read.endsAtMs;
  // New slots of every archive come before old ones of any.
  for (const findPage of [nextPage, earlierPage])
    for (const archive of archives) {
      let state = states.get(archive.msgType) ?? startOf(archive, clock.now());
      while (!isOver()) {
        const page = await findPage(services, run, { archive, state });
        if (!page) break;
        const done = await readPage(services, run, { archive, state, page });
        read.add(archive, { ...done, isAsked: page.slots.length > 0 });
        await noteArchive(database.system, device.id, done.state);
        state = done.state;
      }
      states.set(archive.msgType, state);
    }
  await readDueHoles(services, run, { archives, read, isOver });
  return { readings: read.readings, message: read.messages.join("; ") };
}

/** Result of the archives read so far in one poll. */
function startRead(endsAtMs: number) {
  const messages: string[] = [];
  const read = {
    endsAtMs,
    messages,
    readings: 0,
    pages: 0,
    add({ msgType }: KeptArchive, done: ArchivesRead & { readonly isAsked: boolean }) {
      read.readings += done.readings;
      read.pages += done.isAsked ? 1 : 0;
      if (done.message !== "") messages.push(`archive ${String(msgType)}: ${done.message}`);
    },
  };
  return read;
}

/** Requests slots that the meter did not deliver earlier, with the remaining pages of this poll. */
async function readDueHoles(
  services: Services,
  run: ArchiveRun,
  of: {
    readonly archives: readonly KeptArchive[];
    readonly read: ReturnType<typeof startRead>;
    readonly isOver: () => boolean;
  },
): Promise<void> {
  const { database, clock } = services;
  for (const due of await dueHoles(database.system, run.device.id, clock.now())) {
    const archive = of.archives.find(({ msgType }) => msgType === due.msgType);
    let hole: ArchiveHole | undefined = due;
    while (archive && hole && !of.isOver()) {
      const done: HoleRead = await readHole(services, run, { archive, hole });
      of.read.add(archive, done);
      hole = done.rest;
    }
  }
}

const startOf = (archive: KeptArchive, now: number): ArchiveState => ({
  msgType: archive.msgType,
  askedTo: now - firstSecOf(archive),
  filledFrom: now - firstSecOf(archive),
  retryAt: 0,
  failures: 0,
});

interface Page {
  /** Missing slots, oldest first; empty: all closed slots are stored. */
  readonly slots: readonly number[];
  /** End of the last slot that was checked. */
  readonly endsAt: number;
  /** Where this page begins, in the time before the slots read so far. */
  readonly earlierFrom?: number;
}

/** Undefined when nothing has closed since the last request, or after a recent failure. */
async function nextPage(
  { database, clock }: Services,
  { device }: ArchiveRun,
  { archive, state }: { archive: KeptArchive; state: ArchiveState },
): Promise<Page | undefined> {
  const now = clock.now();
  if (state.retryAt > now) return undefined;
  const from = Math.max(state.askedTo, now - archive.depthSec);
  const { missing, slots } = await missingSlots(database.system, device, archive, {
    from,
    closedBy: now - graceSec,
  });
  const [first, last] = [missing[0], slots.at(-1)];
  if (last === undefined) return undefined;
  if (first === undefined) return { slots: [], endsAt: last + 1 };
  const endsAt = first + pageSlots * periodSecOf(archive.period);
  return { slots: missing.filter((slot) => slot < endsAt), endsAt: Math.min(endsAt, last + 1) };
}

/**
 * The slots just before those that were read, newest first page by page, as far back as the group loads and
 * the archive of the meter reaches; undefined when all are there.
 */
async function earlierPage(
  { database, clock }: Services,
  { device, group }: ArchiveRun,
  { archive, state }: { archive: KeptArchive; state: ArchiveState },
): Promise<Page | undefined> {
  const now = clock.now();
  if (group.autoloadSec === undefined || archive.period === "events" || state.retryAt > now) return undefined;
  const reach = now - Math.min(group.autoloadSec, archive.depthSec);
  if (state.filledFrom <= reach) return undefined;
  const from = Math.max(reach, state.filledFrom - pageSlots * periodSecOf(archive.period));
  const { missing } = await missingSlots(database.system, device, archive, {
    from,
    // An interval that begins just before is closed a period later.
    closedBy: state.filledFrom - 1 + periodSecOf(archive.period),
  });
  return { slots: missing, endsAt: state.askedTo, earlierFrom: from };
}

interface PageRead extends ArchivesRead {
  readonly state: ArchiveState;
}

async function readPage(
  services: Services,
  run: ArchiveRun,
  { archive, state, page }: { archive: KeptArchive; state: ArchiveState; page: Page },
): Promise<PageRead> {
  const [first, last] = [page.slots[0], page.slots.at(-1)];
  const done = {
    ...state,
    retryAt: 0,
    failures: 0,
    askedTo: page.endsAt,
    filledFrom: page.earlierFrom ?? state.filledFrom,
  };
  if (first === undefined || last === undefined) return { readings: 0, message: "", state: done };
  const now = services.clock.now();
  const times = await requestSlots(run, archive, { first, last, now });
  if (times instanceof ProtocolError)
    return { readings: 0, message: times.message, state: putOff(state, times, now) };
  const newest = times.at(-1) ?? -Infinity;
  const next = page.earlierFrom === undefined ? waiting(archive, done, { page, newest, now }) : done;
  const slots = withoutRow(page.slots, times, archive.period).filter((slot) => slot < next.askedTo);
  await noteUndelivered(services, run, { archive, slots, tries: 0 });
  return { readings: times.length, message: "", state: next };
}

/** The meter may not have closed the newest slots: they are requested again for a while. */
function waiting(
  { period }: KeptArchive,
  done: ArchiveState,
  { page, newest, now }: { page: Page; newest: number; now: number },
): ArchiveState {
  if (period === "events") return done;
  const patience = Math.min(patienceSec, 2 * periodSecOf(period));
  const open = page.slots.find(
    (slot) => slot > newest + toleranceSecOf(period) && slot + periodSecOf(period) > now - patience,
  );
  if (open === undefined || period === "month") return done;
  return { ...done, askedTo: open, retryAt: now + Math.min(longestRetrySec, Math.ceil(period / 4)) };
}

function putOff(state: ArchiveState, error: ProtocolError, now: number): ArchiveState {
  const failures = Math.min(state.failures + 1, 100);
  const pauseSec =
    error.kind === "unsupported"
      ? unsupportedRetrySec
      : Math.min(longestRetrySec, 300 * 2 ** Math.min(failures - 1, 10));
  return { ...state, failures, retryAt: now + pauseSec };
}
