import { Worker } from "node:worker_threads";
import { problem } from "@metrum/contract";
import type { WorkerProgram } from "./workerProgram.ts";

/** Queued files: of all companies, and of one. */
const mostWaiting = { all: 16, company: 2 };
/** An idle thread ends after this time. */
const idleMs = 30_000;

export interface FileThreadOptions {
  readonly program: () => WorkerProgram;
  /** Given to the thread as its `workerData`. */
  readonly data?: unknown;
  /** The parser's own limits stay far below this memory: exceeding it ends the process. */
  readonly memoryMb: number;
  readonly timeMs: number;
}

/** Reads uploaded files in a thread of its own, one by one; the thread answers each file with parts. */
export interface FileThread<Part> {
  /**
   * A file can neither block the main thread nor exhaust its memory; its buffer is transferred. Returns false
   * when it takes too long. Problem: too_many_requests when too many wait.
   */
  readonly read: (file: Uint8Array, companyId: number, take: (part: Part) => void) => Promise<boolean>;
}

export function createFileThread<Part extends { readonly isLast: boolean }>(
  options: FileThreadOptions,
): FileThread<Part> {
  let thread: Worker | undefined;
  let isBusy = false;
  let idle: NodeJS.Timeout | undefined;
  const waiting: { readonly companyId: number; readonly begin: () => void }[] = [];
  const endThread = (): void => {
    void thread?.terminate();
    thread = undefined;
  };
  return {
    async read(file, companyId, take) {
      if (isBusy) {
        const own = waiting.filter((each) => each.companyId === companyId).length;
        if (waiting.length >= mostWaiting.all || own >= mostWaiting.company)
          throw problem("too_many_requests");
        await new Promise<void>((begin) => waiting.push({ companyId, begin }));
      }
      isBusy = true;
      clearTimeout(idle);
      try {
        return await readIn((thread ??= startThread(options)), file, {
          take,
          endThread,
          timeMs: options.timeMs,
        });
      } finally {
        // The next file in the queue takes over the thread while it still counts as busy.
        const next = waiting.shift();
        isBusy = next !== undefined;
        if (next) next.begin();
        else idle = setTimeout(endThread, idleMs).unref();
      }
    },
  };
}

function startThread({ program, data, memoryMb }: FileThreadOptions): Worker {
  const { text, isCode, execArgv } = program();
  const worker = new Worker(text, {
    eval: isCode,
    execArgv,
    env: {},
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
  });
  worker.unref();
  return worker;
}

interface Reading<Part> {
  readonly take: (part: Part) => void;
  readonly endThread: () => void;
  readonly timeMs: number;
}

async function readIn<Part extends { readonly isLast: boolean }>(
  worker: Worker,
  file: Uint8Array,
  { take, endThread, timeMs }: Reading<Part>,
): Promise<boolean> {
  const { promise, resolve, reject } = deferred<boolean>();
  const timer = setTimeout(() => {
    endThread();
    resolve(false);
  }, timeMs);
  const onMessage = (part: Part): void => {
    take(part);
    if (part.isLast) resolve(true);
  };
  const onError = (error: Error): void => {
    endThread();
    reject(error);
  };
  worker.on("message", onMessage).on("error", onError);
  try {
    // Transferred without a copy, unless a small buffer shares its memory.
    const bytes = isAlone(file) ? file : new Uint8Array(file);
    worker.postMessage(bytes, [bytes.buffer]);
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", onMessage).off("error", onError);
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
