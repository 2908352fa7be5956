import { EventEmitter } from "node:events";
import { Logger, run, type TaskList, type WorkerEvents } from "graphile-worker";
import { z } from "zod/mini";
import type { Log, Services } from "#core";
import { LineElsewhere, noteWorkers, workOf, type Lines } from "#channels";
import { anyWork, reroute } from "./planner.ts";
import { pollDevice } from "./poll.ts";

/** Lines on which this process speaks at the same time; nearly all of the time is waiting. */
const concurrency = 64;
/** A safety net: new jobs are told by notification. */
const pollIntervalMs = 2000;

const Job = z.object({ deviceId: z.int(), taskId: z.optional(z.int()) });

export interface LineWorker {
  /** Takes no more jobs; what runs may end. Jobs that do not are given back. */
  readonly stop: () => Promise<void>;
}

/** Runs the work of the lines: that of any process, and that of the lines this one holds. */
export async function startLineWorker(
  services: Services,
  lines: Lines,
  processId: number,
): Promise<LineWorker> {
  const { database, log } = services;
  let stopped = false;
  const work = async (payload: unknown): Promise<void> => {
    const job = Job.parse(payload);
    if (stopped) throw new Error("this process ends; the job goes to another one");
    const request = { deviceId: job.deviceId, ...(job.taskId === undefined ? {} : { taskId: job.taskId }) };
    try {
      await pollDevice(services, lines, request);
    } catch (error) {
      if (!(error instanceof LineElsewhere)) throw error;
      await reroute(services, request);
    }
  };
  const taskList: TaskList = { [anyWork]: work, [workOf(processId)]: work };
  const workers = new Set<string>();
  const runner = await run({
    pgPool: database.pool,
    taskList,
    concurrency,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    logger: quiet(log),
    events: noteCreated(workers),
  });
  await noteWorkers(database, processId, [...workers]);
  return {
    async stop() {
      stopped = true;
      await runner.stop();
    },
  };
}

function noteCreated(workers: Set<string>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on("worker:create", ({ worker }) => workers.add(worker.workerId));
  return events;
}

/** The levels of graphile-worker are a const enum, which does not exist at run time. */
const severe: readonly string[] = ["error"];

/** graphile-worker's own words, one level below ours: a job that fails is told by `pollDevice`. */
function quiet(log: Log): Logger {
  return new Logger((scope) => (level, message) => {
    if (severe.includes(level)) log.warn({ scope }, message);
    else log.trace({ scope }, message);
  });
}
