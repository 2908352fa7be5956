import type { Events, Services, Stop } from "#core";
import { mostAttempts, type Due, type DueQueue } from "./queue.ts";

/** Work on marked ranges. */
export interface DueWork {
  /** What is computed, for the log: "derived rows". */
  readonly what: string;
  readonly queue: DueQueue;
  /** Called before each run; after an error the run is repeated. */
  readonly before?: () => Promise<void>;
  /** Concurrent ranges, each with a connection or two at a time. */
  readonly sideBySide: number;
  /** Pause when nothing is due and nothing was announced. */
  readonly pauseMs: number;
  /** Stored readings that may have left a mark: a hint that saves the pause. */
  readonly isHint: (spans: Events["readingsStored"]) => boolean;
  /**
   * Computes as much of a range as its turn allows; returns the start of the rest, undefined when nothing
   * remains.
   */
  readonly compute: (due: Due, isOver: () => boolean) => Promise<number | undefined>;
}

type Running = Pick<Services, "clock" | "log">;

/** After this time a range is released and waits for the others. */
const turnMs = 2_000;
/** Much longer than a turn of all ranges taken together. */
const leaseSec = 60;
const atOnce = 24;
/** Readings arrive in bursts: one run serves them. */
const gatherMs = 200;

/** Result of one run. */
interface Run {
  /** Ranges that were taken. */
  readonly taken: number;
  /** Ranges up to this id had a turn: the next run begins after it. */
  readonly after: number;
  /** More is due now. */
  readonly hasMore: boolean;
}

/**
 * Computes marked ranges until it is stopped. A range is leased for a minute and deleted only when its results
 * are stored and it was not marked again. Urgent ranges take turns in the order of their ids, so that neither a large
 * one nor frequent marks of some delay the others. Those that have waited follow, the longest first.
 */
export function startWork(services: Services, work: DueWork): Stop {
  let isStopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let hasNews = false;
  let after = 0;
  const plan = (afterMs: number): void => {
    const at = services.clock.monotonicMs() + afterMs;
    // New marks do not postpone a scheduled run; a run in progress schedules the next itself.
    if (isStopped || running || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(run, afterMs);
  };
  const run = (): void => {
    dueAt = Infinity;
    let hasMore = false;
    running = runOnce(services, work, { mayGoOn: () => !isStopped, after })
      .then(
        (done) => void ({ after, hasMore } = done),
        (error: unknown) =>
          services.log.warn({ err: error }, `${work.what} could not be computed, trying again`),
      )
      .finally(() => {
        running = undefined;
        plan(hasMore ? 0 : hasNews ? gatherMs : work.pauseMs);
        hasNews = false;
      });
  };
  const stopListening = services.bus.on("readingsStored", (spans) => {
    if (!work.isHint(spans)) return;
    hasNews = true;
    plan(gatherMs);
  });
  plan(0);
  return async () => {
    isStopped = true;
    stopListening();
    clearTimeout(timer);
    await running;
  };
}

/** One run over the due ranges; returns how many it took. Leases that have expired are taken over. */
export async function workOnce(
  services: Running,
  work: DueWork,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  return (await runOnce(services, work, { mayGoOn, after: 0 })).taken;
}

async function runOnce(
  services: Running,
  work: DueWork,
  { mayGoOn, after }: { readonly mayGoOn: () => boolean; readonly after: number },
): Promise<Run> {
  await work.before?.();
  const now = services.clock.now();
  const { urgent, calm } = await work.queue.lease({ now, leaseSec, mostAttempts, atOnce, after });
  const waiting = [...urgent, ...calm];
  const taken = waiting.length;
  const serve = async (): Promise<boolean> => {
    let hasRest = false;
    for (let due = waiting.shift(); due; due = waiting.shift()) {
      if (!mayGoOn()) await work.queue.giveBack(due);
      else if (!(await takeTurn(services, work, { due, leasedAt: now }))) hasRest = true;
    }
    return hasRest;
  };
  const rests = await Promise.all(Array.from({ length: work.sideBySide }, serve));
  const isFull = urgent.length === atOnce;
  const last = urgent.reduce((largest, { id }) => Math.max(largest, id), 0);
  return {
    taken,
    after: isFull ? last : 0,
    // A round that did not begin at the first range is followed by one that does.
    hasMore: rests.includes(true) || taken >= atOnce || after > 0,
  };
}

/** Processes as much of a range as one turn allows. False: a rest remains. */
async function takeTurn(
  services: Running,
  work: DueWork,
  { due, leasedAt }: { readonly due: Due; readonly leasedAt: number },
): Promise<boolean> {
  const until = services.clock.monotonicMs() + turnMs;
  try {
    const rest = await work.compute(due, () => services.clock.monotonicMs() > until);
    if (rest !== undefined) {
      await work.queue.giveBack(due, rest);
      return false;
    }
    await work.queue.forget(due, leasedAt);
  } catch (error) {
    // The lease expires by itself; one range never stops the others.
    await noteFailure(services, work, { due, error });
  }
  return true;
}

/** Counts a failure, unless the range was marked again meanwhile: then counting restarts. */
async function noteFailure(
  services: Running,
  work: DueWork,
  { due, error }: { readonly due: Due; readonly error: unknown },
): Promise<void> {
  const attempts = await work.queue.countFailure(due, error);
  services.log.warn(
    { err: error, of: due.id },
    `${work.what} were not computed${attempts >= mostAttempts ? ", parked until the next change" : ""}`,
  );
}
