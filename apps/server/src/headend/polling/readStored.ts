import { fieldFaults } from "@metrum/contract/core";
import type { Reading } from "@metrum/protocols/core";
import type { Services } from "#core";
import { failureOf, type Failure, type Session } from "#headend/dialogue";
import { noteStored, storedReadOf, type StoredRead, type StoredRequest } from "#headend/tasks";
import { pageSlots } from "./requestSlots.ts";
import { periodSecOf } from "./slots.ts";

/** Requests of one session, and the time after which none is begun: other devices wait for the line. */
const mostPages = 4;
const longestMs = 20_000;

export interface StoredRun {
  readonly taskId: number;
  readonly request: StoredRequest;
  /** How far it has been requested in earlier sessions; null: not begun. */
  readonly requestedTo: number | null;
  /** Stores readings; resolves after COMMIT. */
  readonly keep: (readings: readonly Reading[]) => Promise<void>;
  /** Rows have arrived. */
  readonly onProgress: () => void;
}

/** Outcome of a session: of a failure, what was read before is kept. */
export interface StoredOutcome extends Failure {
  /** There is more to request, in another session. */
  readonly isUnfinished: boolean;
}

/**
 * Reads an archive or journal as a user has requested it, a few pages in one session, and ends early if the request
 * was cancelled. Rejects as `failureOf`.
 */
export async function readStored(
  services: Services,
  session: Session,
  run: StoredRun,
): Promise<StoredOutcome> {
  const { clock } = services;
  const { device } = session;
  const read = storedReadOf(device, run.request, clock.now());
  if ("fault" in read)
    return { result: "unsupported", message: fieldFaults[read.fault.fault].en, isUnfinished: false };
  const endsAtMs = clock.monotonicMs() + longestMs;
  let pages = 0;
  try {
    for (const page of pagesOf(read, run.requestedTo)) {
      if (pages === mostPages || clock.monotonicMs() > endsAtMs) return { ...fine, isUnfinished: true };
      pages += 1;
      if (!(await readPage(services, { session, run, page }))) break;
    }
    return { ...fine, isUnfinished: false };
  } catch (error) {
    return { ...failureOf(services, device, error), isUnfinished: false };
  }
}

const fine: Failure = { result: "ok", message: "" };

/** The requests to the meter, oldest first; a journal is read at once, since it may be kept by position. */
function pagesOf({ archive, from, to, ...read }: StoredRead, requestedTo: number | null): StoredRead[] {
  const begin = Math.max(from, requestedTo ?? from);
  const lengthSec = archive.period === "events" ? to - from : pageSlots * periodSecOf(archive.period);
  const pages: StoredRead[] = [];
  for (let at = begin; at < to; at += lengthSec)
    pages.push({ ...read, archive, from: at, to: Math.min(to, at + lengthSec) });
  return pages;
}

/** False: the request has ended meanwhile. */
async function readPage(
  { database }: Services,
  { session, run, page }: { session: Session; run: StoredRun; page: StoredRead },
): Promise<boolean> {
  const { archive, ...span } = page;
  const request = { kind: "archive" as const, msgType: archive.msgType, ...span };
  const given = await session.talk((driver, address) => driver.poll(request, address));
  const wanted = given.filter(
    ({ msgType, at }) => msgType === archive.msgType && at !== null && at >= page.from && at < page.to,
  );
  if (wanted.length > 0) await run.keep(wanted);
  const isOpen = await noteStored(
    database.system,
    { taskId: run.taskId, deviceId: session.device.id },
    { msgType: archive.msgType, to: page.to, rows: wanted.length },
  );
  if (isOpen) run.onProgress();
  return isOpen;
}
