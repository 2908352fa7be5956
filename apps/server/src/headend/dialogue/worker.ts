import { EventEmitter } from "node:events";
import { Logger, run, type JobHelpers, type Runner, type TaskList, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import { z } from "zod/mini";
import { isDatabaseAway, type Database, type Log, type Services } from "#core";
import { freeOwnWorkers, LineElsewhere, LinesClosing, workOf, type Presence } from "#headend/channels";
import type { LineJobKind, OpenLines } from "./lineWork.ts";
import { anyWork } from "./routes.ts";

/** Lines in use at the same time in this process; nearly all of the time is waiting. */
const concurrency = 64;
/** Fallback interval: new jobs are announced by notification. */
const pollIntervalMs = 2000;

/** Pause before a job runner that ended is restarted. */
const restartMs = 1000;
const reconnectMs = 300;
/** The end of a job is recorded within this time; graphile-worker has no event for it. */
const endWithinMs = 60_000;
/** Number of runner names that are kept: an older runner has long ended its jobs. */
const mostNames = 20;
/** Time limit of the shutdown, whatever the jobs wait for. */
const stopMs = 3000;
/** A command that a device has already received is waited for this long: all parts together have 2.3 s. */
const finishMs = 1300;

const Queued = z.object({ kind: z.string() });

export interface LineWorker {
  /** Begins nothing new; resolves when what must not be broken off has ended, or its time is over. */
  readonly finish: () => Promise<void>;
  /** Accepts no more jobs; running ones may end. Jobs that do not are released. */
  readonly stop: () => Promise<void>;
}

export interface LineWorkerOptions {
  readonly jobs: readonly LineJobKind[];
  readonly at: Omit<OpenLines, "isEnding" | "beginUnbroken">;
  readonly presence: Presence;
}

/** Runs the jobs of the lines: those for any process, and those of the lines held here. */
export async function startLineWorker(
  services: Services,
  { jobs, at, presence }: LineWorkerOptions,
): Promise<LineWorker> {
  const kinds = new Map(jobs.map((job) => [job.name, job]));
  const processId = presence.id;
  let stopped = false;
  const running = new Map<string, symbol>();
  const unbroken = createUnbroken();
  const work = async (payload: unknown, { job: { id } }: JobHelpers): Promise<void> => {
    const { kind } = Queued.parse(payload);
    if (stopped) throw new Ending("this process ends");
    const job = kinds.get(kind);
    if (!job) throw new Error(`a line job of a kind that no domain declares: ${kind}`);
    const begun = Symbol(id);
    running.set(id, begun);
    const forget = (): void => {
      if (running.get(id) === begun) running.delete(id);
    };
    try {
      await job.run(
        services,
        { ...at, isEnding: () => stopped, beginUnbroken: () => unbroken.begin() },
        payload,
      );
    } finally {
      setTimeout(forget, endWithinMs).unref();
    }
  };
  const begin = (former: readonly string[] = [], kept: Iterable<string> = []) =>
    beginRunner(services, {
      presence,
      processId,
      kept: [...kept],
      former,
      taskList: { [anyWork]: work, [workOf(processId)]: work },
      isStopped: () => stopped,
    });
  let current = await begin();

  // A statement that was given up may have locked jobs that no runner executes, for hours: a new runner
  // starts, and frees them first.
  const watch = async (): Promise<void> => {
    for (;;) {
      const ended = current.runner.promise
        .catch((error: unknown) => services.log.warn({ err: error }, "the job runner has ended"))
        .then(() => true);
      const hasEnded = await Promise.race([ended, current.isLost.then(() => false)]);
      let next: Awaited<ReturnType<typeof begin>> | undefined;
      do {
        if (stopped) return;
        await services.database.pause(restartMs);
        // A runner that has ended reports no more jobs.
        next = await begin(current.workers, hasEnded ? [] : running.keys()).catch((error: unknown) => {
          services.log.warn({ err: error }, "the job runner could not be begun");
          return undefined;
        });
      } while (!next);
      // Running jobs of the former runner may end; its names are kept as long as the process lives.
      current.runner.stop().catch(() => undefined);
      current = next;
    }
  };
  const watching = watch();
  return {
    finish() {
      stopped = true;
      return atMost(finishMs, unbroken.ended());
    },
    async stop() {
      stopped = true;
      const ended = Promise.all([current.runner.stop().catch(() => undefined), watching]);
      // While the database is unavailable jobs cannot be released; the next process frees them.
      await atMost(stopMs, ended);
    },
  };
}

/** A job came while its process ended. */
class Ending extends Error {}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms).unref())]);
}

/** Work that a stop waits for. */
function createUnbroken() {
  const open = new Set<Promise<void>>();
  return {
    begin(): () => void {
      let resolve = (): void => undefined;
      const work = new Promise<void>((done) => (resolve = done));
      open.add(work);
      return () => {
        open.delete(work);
        resolve();
      };
    },
    async ended(): Promise<void> {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

const queryOf = (client: pg.PoolClient): ((...given: readonly unknown[]) => Promise<unknown>) =>
  client.query.bind(client);

/**
 * The same pool, but connections and single statements wait until the database is available: the end of a job
 * must be recorded, however late, and an error would end graphile-worker, which then waits for ever to record
 * it.
 */
function patient(
  { pool, pause }: Database,
  { isStopped, onLost }: { readonly isStopped: () => boolean; readonly onLost: () => void },
): pg.Pool {
  const connected = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (isStopped()) throw error;
        await pause(reconnectMs);
      }
    }
  };
  const wait = async (): Promise<pg.PoolClient> => {
    const first = await connected();
    let client: pg.PoolClient | undefined = first;
    // A waiting worker holds no connection: there are more workers than connections.
    const release = (): void => {
      client?.release();
      client = undefined;
    };
    const query = async (...given: readonly unknown[]): Promise<unknown> => {
      for (let wasAway = false; ; wasAway = true) {
        client ??= await connected();
        try {
          const result = await queryOf(client)(...given);
          if (wasAway) onLost();
          return result;
        } catch (error) {
          if (isStopped() || !isDatabaseAway(error)) throw error;
        }
        release();
        await pause(restartMs);
      }
    };
    return Object.assign(Object.create(first) as pg.PoolClient, { query, release });
  };
  // graphile-worker requests its listen connection with a callback, and retries it by itself.
  const connect = (callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined => {
    if (!callback) return wait();
    pool.connect(callback);
    return undefined;
  };
  return Object.assign(Object.create(pool) as pg.Pool, { connect });
}

interface RunnerOptions {
  readonly presence: Presence;
  readonly processId: number;
  /** Jobs still running in an earlier runner, which will record their end. */
  readonly kept: readonly string[];
  /** Names of earlier runners whose jobs may not have ended. */
  readonly former: readonly string[];
  readonly taskList: TaskList;
  readonly isStopped: () => boolean;
}

interface Begun {
  readonly runner: Runner;
  /** Resolves when a statement of this runner has succeeded after the database was unavailable to it. */
  readonly isLost: Promise<void>;
  /** Its name and those of earlier runners. */
  readonly workers: readonly string[];
}

async function beginRunner(
  { database, log }: Services,
  { presence, processId, kept, former, taskList, isStopped }: RunnerOptions,
): Promise<Begun> {
  // Jobs that an earlier runner of this process could not release would wait for hours.
  await freeOwnWorkers(database, processId, kept);
  const workers = new Set<string>();
  let onLost = (): void => undefined;
  const isLost = new Promise<void>((resolve) => (onLost = resolve));
  const runner = await run({
    pgPool: patient(database, { isStopped, onLost: () => onLost() }),
    // Without a delay graphile-worker records the end of a job without checking for success.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList,
    concurrency,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    logger: quiet(log),
    events: noteCreated(workers),
  });
  const all = [...former, ...workers].slice(-mostNames);
  await presence.noteWorkers(all);
  return { runner, isLost, workers: all };
}

/** Since 0.17 jobs and queues are locked in the name of the pool and not of the worker that runs them. */
function noteCreated(names: Set<string>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => names.add(workerPool.id));
  return events;
}

/** The levels of graphile-worker are a const enum, which does not exist at run time. */
const severe: readonly string[] = ["error"];

/** Messages of graphile-worker, logged one level lower: the outcome of a job is logged by its handler. */
function quiet(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    const error: unknown = meta?.["error"] ?? meta?.["fatalError"];
    const isLeft = error instanceof LineElsewhere || error instanceof LinesClosing || error instanceof Ending;
    if (isLeft) log.debug({ scope, reason: error.message }, "a job goes to another process");
    else if (severe.includes(level)) log.warn({ scope, err: error }, message);
    else log.trace({ scope }, message);
  });
}
