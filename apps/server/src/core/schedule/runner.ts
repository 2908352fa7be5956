import type { Stop } from "../domain.ts";
import type { Services } from "../http/context.ts";
import { startRounds } from "../rounds.ts";
import { storableText } from "../database/storable.ts";
import { momentsBetween, nextMoment, type Schedule } from "./schedule.ts";
import * as store from "./store.ts";

/** Work of the installation that is done at the moments of a schedule, by one process of all. */
export interface ScheduledWork {
  /** Of the row of its plan, so it stays the same for ever. */
  readonly name: string;
  readonly schedule: Schedule;
  /**
   * Does the work of one moment. A process that is killed, or without database for a minute, loses the run to another
   * one, which begins anew; so what was done before must not count twice.
   */
  readonly run: (services: Services, moment: Moment) => Promise<void>;
}

/** A planned moment whose work is done now. */
export interface Moment {
  /** Epoch seconds. */
  readonly plannedAt: number;
  /** Nothing ran in time, and moments before it may have been missed. */
  readonly isLate: boolean;
}

const everyMs = 10_000;
const leaseSec = 60;
/** Pauses before the second and the third attempt; after that the run has failed. */
const pausesSec = [60, 300] as const;
const mostTries = pausesSec.length + 1;
/** Times further ahead are those of a clock that was set back; clocks of two processes differ by less. */
const aheadSec = 600;
/** A run that begins later than this is late. */
const lateSec = 300;
/** The latest moments of an outage that are listed as missed. */
const mostMissed = 100;
const keptSec = 60 * 86_400;

/**
 * Does scheduled work, as long as it is not stopped. Moments are rows, unique by work and planned time, so each is
 * done once by one of any number of processes, again if that one is killed, and up to three times if it fails. After an
 * outage the last moment is done late; those before it are kept as missed. Errors: RangeError for a wrong schedule.
 */
export function startSchedules(services: Services, works: readonly ScheduledWork[]): Stop {
  const { database, clock, log } = services;
  for (const { schedule } of works) nextMoment(schedule, clock.now());
  const running = new Map<string, { readonly run: store.TakenRun; readonly ended: Promise<void> }>();
  const begin = (work: ScheduledWork, run: store.TakenRun): void => {
    const ended = runOnce(services, work, run)
      .catch((error: unknown) => {
        log.warn({ err: error, work: work.name }, "the end of scheduled work was not recorded");
      })
      .finally(() => running.delete(work.name));
    running.set(work.name, { run, ended });
  };
  const rounds = startRounds({
    everyMs,
    async round() {
      const times = timesAt(clock.now());
      const taken = [...running.values()].map(({ run }) => run);
      await store.renewLeases(database.system, taken, times);
      const idle = works.filter(({ name }) => !running.has(name));
      for (const work of await dueWorks(services, idle, times)) {
        if (rounds.isStopped()) break;
        const run = await planAndTake(services, work, times);
        if (run) begin(work, run);
      }
    },
    onError: (error) => log.warn({ err: error }, "scheduled work was not planned, trying again"),
  });
  return async () => {
    await rounds.stop();
    await Promise.all([...running.values()].map(({ ended }) => ended));
  };
}

const timesAt = (now: number): store.TakingTimes => ({
  now,
  leaseEnds: now + leaseSec,
  farAhead: now + aheadSec,
  mostTries,
});

/** Works of which something is to be planned or done; they are seen without a lock. */
async function dueWorks(
  { database: { system } }: Services,
  works: readonly ScheduledWork[],
  times: store.TakingTimes,
): Promise<ScheduledWork[]> {
  const names = works.map(({ name }) => name);
  const plans = new Map((await store.plansOf(system, names, times)).map((plan) => [plan.name, plan]));
  const unknown = names.filter((name) => !plans.has(name));
  if (unknown.length > 0) await store.addPlans(system, unknown, times.now);
  return works.filter(({ name, schedule }) => {
    const plan = plans.get(name);
    if (!plan) return false;
    return plan.hasWork || isAhead(plan.plannedTo, times) || newMoments(schedule, plan, times, 1).length > 0;
  });
}

const isAhead = (plannedTo: number, { farAhead }: store.TakingTimes): boolean => plannedTo > farAhead;

const newMoments = (
  schedule: Schedule,
  { plannedTo }: Pick<store.Plan, "plannedTo">,
  { now }: store.TakingTimes,
  most: number,
): number[] => momentsBetween(schedule, { from: plannedTo, to: now }, most);

/** Plans what has come due since the last time, and takes what is to be done; undefined if that is nothing. */
function planAndTake(
  { database: { system }, log }: Services,
  { name, schedule }: ScheduledWork,
  times: store.TakingTimes,
): Promise<store.TakenRun | undefined> {
  const { now } = times;
  return system.transaction().execute(async (db) => {
    const plannedTo = await store.lockPlan(db, name);
    if (plannedTo === undefined) return undefined;
    if (isAhead(plannedTo, times)) {
      await store.planAgain(db, name, now);
      return undefined;
    }
    const moments = newMoments(schedule, { plannedTo }, times, mostMissed + 1);
    const last = moments.at(-1);
    if (last !== undefined) {
      const isLate = now - last > lateSec;
      await store.addMoments(db, { name, moments, isLate }, now);
      await store.forgetRuns(db, now - keptSec);
      if (moments.length > 1)
        log.warn({ work: name, missed: moments.length - 1 }, "scheduled work was missed");
    }
    return store.takeRun(db, name, times);
  });
}

async function runOnce(services: Services, work: ScheduledWork, taken: store.TakenRun): Promise<void> {
  const { database, clock, log } = services;
  let end: store.RunEnd = { state: "done" };
  try {
    await work.run(services, { plannedAt: taken.plannedAt, isLate: taken.isLate });
  } catch (error) {
    log.warn({ err: error, work: work.name, try: taken.tries }, "scheduled work failed");
    const text = storableText(error instanceof Error ? error.message : String(error)).slice(0, 500);
    const pause = pausesSec[taken.tries - 1];
    end =
      pause === undefined
        ? { state: "failed", error: text }
        : { state: "waiting", dueAt: clock.now() + pause, error: text };
  }
  await store.endRun(database.system, taken, end, clock.now());
}
