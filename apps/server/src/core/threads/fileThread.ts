import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { problem } from "@metrum/contract/core";
import type { ReadyThread } from "./serveFiles.ts";
import type { WorkerProgram } from "./workerProgram.ts";

/** Queued files: of all companies, and of one. */
const mostWaiting = { all: 16, company: 2 };
/** An idle thread ends after this time. */
const idleMs = 30_000;
/** Companies whose last turn is remembered. */
const mostTurns = 1_000;

/**
 * Time of one file: a second and as much for each of its mebibytes, at most 5 s. It is time of the processor where the
 * system measures it, so that a busy machine refuses no honest file; `waitedMs` bounds it in any case.
 */
const time = { leastMs: 1_000, perMibMs: 1_000, mostMs: 5_000, waitedMs: 60_000 };
const startMs = 60_000;

export interface FileThreadOptions {
  readonly program: () => WorkerProgram;
  /** Given to the thread as its `workerData`. */
  readonly data?: unknown;
  /** A file that needs more memory is refused with its thread. */
  readonly memoryMb: number;
}

/** How a file ended: read, or refused with its thread for the time or the memory that it takes. */
export type FileEnd = "read" | "too_slow" | "too_large";

/** Reads uploaded files in a thread of its own, one by one; the thread answers each file with parts. */
export interface FileThread<Part> {
  /**
   * A file can neither block the main thread nor exhaust its memory; its buffer is transferred. Companies have their
   * turns one after the other, so none waits for more than one file of another. Problem: too_many_requests when too many wait.
   */
  readonly read: (file: Uint8Array, companyId: number, take: (part: Part) => void) => Promise<FileEnd>;
}

interface Waiting {
  readonly companyId: number;
  readonly begin: () => void;
}

export function createFileThread<Part extends { readonly isLast: boolean }>(
  options: FileThreadOptions,
): FileThread<Part> {
  let thread: Promise<StartedThread> | undefined;
  let isBusy = false;
  let idle: NodeJS.Timeout | undefined;
  const turns = createTurns();
  const endThread = (): void => {
    // One that did not start has rejected its file already.
    void thread?.then(
      ({ worker }) => worker.terminate(),
      () => undefined,
    );
    thread = undefined;
  };
  return {
    async read(file, companyId, take) {
      if (isBusy) await turns.wait(companyId);
      isBusy = true;
      turns.note(companyId);
      clearTimeout(idle);
      try {
        const begun = (thread ??= startThread(options));
        const end = await readIn(await begun, file, take);
        if (end !== "read") endThread();
        return end;
      } catch (error) {
        endThread();
        throw error;
      } finally {
        // The next file in the queue takes over the thread while it still counts as busy.
        const next = turns.next();
        isBusy = next !== undefined;
        if (next) next.begin();
        else idle = setTimeout(endThread, idleMs).unref();
      }
    },
  };
}

/** The queue: of those that wait, the company goes on whose last turn is the longest ago. */
function createTurns() {
  const waiting: Waiting[] = [];
  const lastTurns = new Map<number, number>();
  let turn = 0;
  return {
    async wait(companyId: number): Promise<void> {
      const own = waiting.filter((each) => each.companyId === companyId).length;
      if (waiting.length >= mostWaiting.all || own >= mostWaiting.company) throw problem("too_many_requests");
      await new Promise<void>((begin) => waiting.push({ companyId, begin }));
    },
    note(companyId: number): void {
      if (lastTurns.size >= mostTurns) lastTurns.clear();
      lastTurns.set(companyId, (turn += 1));
    },
    next(): Waiting | undefined {
      const turnOf = ({ companyId }: Waiting): number => lastTurns.get(companyId) ?? 0;
      const [next] = waiting.toSorted((one, other) => turnOf(one) - turnOf(other));
      if (next) waiting.splice(waiting.indexOf(next), 1);
      return next;
    },
  };
}

/** A thread that can read files. */
interface StartedThread {
  readonly worker: Worker;
  /** Its number in the system. */
  readonly thread: number | undefined;
}

async function startThread({ program, data, memoryMb }: FileThreadOptions): Promise<StartedThread> {
  const { text, isCode, execArgv } = program();
  const worker = new Worker(text, {
    eval: isCode,
    execArgv,
    env: {},
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
  });
  // A failure is reported where a file is read; what a thread that is being ended still says is ignored.
  worker.on("error", () => undefined).unref();
  const { promise, resolve, reject } = deferred<ReadyThread>();
  const timer = setTimeout(() => reject(new Error("a thread for files did not start")), startMs);
  worker.once("message", resolve).once("error", reject);
  try {
    return { worker, thread: (await promise).thread };
  } catch (error) {
    void worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    worker.off("error", reject);
  }
}

async function readIn<Part extends { readonly isLast: boolean }>(
  { worker, thread }: StartedThread,
  file: Uint8Array,
  take: (part: Part) => void,
): Promise<FileEnd> {
  const { promise, resolve, reject } = deferred<FileEnd>();
  const onMessage = (part: Part): void => {
    take(part);
    if (part.isLast) resolve("read");
  };
  const onError = (error: Error): void => {
    if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve("too_large");
    else reject(error);
  };
  worker.on("message", onMessage).on("error", onError);
  const watch = watched(thread, timeOf(file.byteLength), () => resolve("too_slow"));
  try {
    // Transferred without a copy, unless a small buffer shares its memory.
    const bytes = isAlone(file) ? file : new Uint8Array(file);
    worker.postMessage(bytes, [bytes.buffer]);
    return await promise;
  } finally {
    watch.stop();
    worker.off("message", onMessage).off("error", onError);
  }
}

const timeOf = (bytes: number): number =>
  Math.min(time.mostMs, time.leastMs + (bytes / (1024 * 1024)) * time.perMibMs);

/** Calls `onOver` when the thread has used its time. */
function watched(
  thread: number | undefined,
  mostMs: number,
  onOver: () => void,
): { readonly stop: () => void } {
  const startedMs = performance.now();
  const before = usedMs(thread);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(() => void check(), ms);
  };
  const check = async (): Promise<void> => {
    const [first, now] = [await before, await usedMs(thread)];
    if (isStopped) return;
    const leftMs = first === undefined || now === undefined ? 0 : mostMs - (now - first);
    if (leftMs <= 0 || performance.now() - startedMs >= time.waitedMs) onOver();
    else wait(Math.max(leftMs, 50));
  };
  wait(mostMs);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** A clock tick of Linux on every architecture it shows to programs. */
const tickMs = 10;

/** Time of the processor that a thread has used; undefined where the system does not say. */
async function usedMs(thread: number | undefined): Promise<number | undefined> {
  if (thread === undefined) return undefined;
  try {
    const text = await readFile(`/proc/self/task/${String(thread)}/stat`, "latin1");
    // Fields 14 and 15, counted behind the name, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** Small buffers share their memory with others; a larger one has its own memory, which it need not fill. */
const isAlone = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength > Buffer.poolSize;

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Value>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}
