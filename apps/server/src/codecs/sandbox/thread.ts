import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { limits, type Order, type Outcome } from "./order.ts";

/** A worker with its interpreter, one order at a time. */
export interface Thread {
  /** Resolves with the outcome; never rejects. Afterwards `isAlive` tells whether the thread can take another order. */
  run(order: Order): Promise<Outcome>;
  readonly isAlive: () => boolean;
  readonly end: () => Promise<void>;
}

type Failed = Extract<Outcome, { kind: "failed" }> & { readonly isLast?: true };
type Told = Outcome & { readonly isLast?: true };

const startMs = 20_000;
const tooLong: Failed = {
  kind: "failed",
  failure: "time",
  message: `the codec ran longer than ${limits.wallMs} ms`,
  durationMs: limits.wallMs,
};
const gone: Failed = {
  kind: "failed",
  failure: "error",
  message: "the interpreter has stopped",
  durationMs: 0,
};

/** Starts a worker; resolves when its interpreter is loaded. Errors: whatever keeps it from starting. */
export async function startThread(): Promise<Thread> {
  const { text, isCode } = program();
  const worker = new Worker(text, {
    eval: isCode,
    execArgv: [],
    env: {},
    // The interpreter's own memory lies outside of these and is bounded by itself.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  worker.unref();
  await ready(worker);
  let alive = true;
  let tell: (told: Told) => void = () => undefined;
  const end = async (told: Failed = gone): Promise<void> => {
    alive = false;
    tell(told);
    await worker.terminate();
  };
  worker.on("message", (told: Told) => tell(told));
  worker.on("error", () => void end());
  worker.on("exit", () => void end());
  return {
    isAlive: () => alive,
    end,
    run: (order) =>
      new Promise((resolve) => {
        const stopWatch = watch(() => void end(tooLong));
        tell = ({ isLast, ...outcome }) => {
          stopWatch();
          tell = () => undefined;
          alive &&= isLast !== true;
          resolve(outcome);
        };
        if (alive) worker.postMessage(order);
        else tell(gone);
      }),
  };
}

async function ready(worker: Worker): Promise<void> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), startMs);
  try {
    await once(worker, "message", { signal: timeout.signal });
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls back once the order has had its time. What this process has computed since bounds what the codec can have computed, so a
 * starved process waits longer. Messages that came in meanwhile are heard first: this thread may have been the slow one.
 */
function watch(onOverrun: () => void): () => void {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(before);
    const isStarved = (user + system) / 1_000 < limits.wallMs * 0.8;
    if (isStarved && performance.now() - startedMs < limits.longestWallMs)
      timer = setTimeout(look, limits.computeMs);
    else setImmediate(onOverrun);
  };
  let timer = setTimeout(look, limits.wallMs);
  return () => clearTimeout(timer);
}

/** The bundle of the worker beside our own in production; elsewhere its source, read by tsx. */
function program(): { readonly text: string; readonly isCode: boolean } {
  const bundled = fileURLToPath(new URL("./codecWorker.js", import.meta.url));
  if (existsSync(bundled)) return { text: bundled, isCode: false };
  const source = JSON.stringify(new URL("./codecWorker.ts", import.meta.url).href);
  const text = `import("tsx/esm/api").then(({ register }) => { register(); return import(${source}); })`;
  return { text, isCode: true };
}
