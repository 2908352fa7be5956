import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { workerProgram } from "#core";
import { limits, type Order, type Outcome } from "./order.ts";
import { computedMsOf } from "./processorTime.ts";

/** A worker with its interpreter, one order at a time. */
export interface Thread {
  /**
   * Resolves with the outcome; never rejects. Afterwards `isAlive` shows whether the thread can take another
   * order.
   */
  run(order: Order): Promise<Outcome>;
  readonly isAlive: () => boolean;
  readonly end: () => Promise<void>;
}

type Failed = Extract<Outcome, { kind: "failed" }> & { readonly isLast?: true };
type Answer = Outcome & { readonly isLast?: true };

/** A worker loads its interpreter in half a second; on a busy machine it may take many times as long. */
const startMs = 60_000;
const tooLong: Failed = {
  kind: "failed",
  failure: "time",
  message: `the codec ran longer than ${limits.threadMs} ms`,
  durationMs: limits.threadMs,
};
const gone: Failed = {
  kind: "failed",
  failure: "error",
  message: "the interpreter has stopped",
  durationMs: 0,
};

/** Starts a worker; resolves when its interpreter is loaded. Errors: any failure of the start. */
export async function startThread(): Promise<Thread> {
  const { text, isCode, execArgv } = workerProgram("codecWorker", import.meta.url);
  const worker = new Worker(text, {
    eval: isCode,
    execArgv,
    env: {},
    // The interpreter's own memory is outside these limits and has its own.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  worker.unref();
  const place = await ready(worker);
  let alive = true;
  let finish: (answer: Answer) => void = () => undefined;
  const end = async (answer: Failed = gone): Promise<void> => {
    alive = false;
    finish(answer);
    await worker.terminate();
  };
  worker.on("message", (answer: Answer) => finish(answer));
  worker.on("error", () => void end());
  worker.on("exit", () => void end());
  return {
    isAlive: () => alive,
    end,
    run: (order) =>
      new Promise((resolve) => {
        const stopWatch = watch(computingClock(place), () => void end(tooLong));
        finish = ({ isLast, ...outcome }) => {
          stopWatch();
          finish = () => undefined;
          alive &&= isLast !== true;
          resolve(outcome);
        };
        if (alive) worker.postMessage(order);
        else finish(gone);
      }),
  };
}

/** Directory of the worker in /proc, with its processor time, if the system has one. */
async function ready(worker: Worker): Promise<string | undefined> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), startMs);
  try {
    const messages: unknown[] = await once(worker, "message", { signal: timeout.signal });
    const [first] = messages;
    return isReady(first) ? first.place : undefined;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const isReady = (message: unknown): message is { readonly place: string | undefined } =>
  typeof message === "object" && message !== null && "place" in message;

/**
 * Computing time of the worker since this call, in milliseconds. Where the system does not measure threads,
 * that of the whole process, which is an upper bound.
 */
function computingClock(place: string | undefined): () => number {
  const before = computedMsOf(place);
  const ofAll = process.cpuUsage();
  return () => {
    const now = before === undefined ? undefined : computedMsOf(place);
    if (now !== undefined && before !== undefined) return now - before;
    const { user, system } = process.cpuUsage(ofAll);
    return (user + system) / 1_000;
  };
}

/**
 * Calls back once the order has used its computing time, or at the wall time limit. Pending messages are read
 * first: this thread may have been the slow one.
 */
export function watch(computedMs: () => number, onOverrun: () => void): () => void {
  const startedMs = performance.now();
  const check = (): void => {
    const isWithin = computedMs() < limits.threadMs;
    if (isWithin && performance.now() - startedMs < limits.longestWallMs)
      timer = setTimeout(check, limits.computeMs);
    else setImmediate(onOverrun);
  };
  let timer = setTimeout(check, limits.threadMs);
  return () => clearTimeout(timer);
}
