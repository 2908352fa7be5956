import { Worker } from "node:worker_threads";
import { problem } from "@metrum/contract";
import { workerProgram } from "#core";
import type { ImportError, ImportRow, Parsed } from "./parse.ts";

/** Security rule 5.1. The limits of the parser stay far below this memory: exceeding it ends the process. */
const bounds = { memoryMb: 256, timeMs: 60_000 };
/** Queued files: of all companies, and of one. */
const mostWaiting = { all: 16, company: 2 };
/** An idle thread ends after this time. */
const idleMs = 30_000;

/** Parses files of readings in a separate thread, one by one. */
export interface ImportParser {
  /**
   * A file can neither block the main thread nor exhaust its memory; its buffer is transferred. Never rejects
   * because of the content: that is an error of the file. Problem: too_many_requests when too many wait.
   */
  readonly parse: (file: Uint8Array, companyId: number) => Promise<Parsed>;
}

declare module "#core" {
  interface Parts {
    readonly importParser: ImportParser;
  }
}

export function createImportParser(): ImportParser {
  let thread: Worker | undefined;
  let isBusy = false;
  let idle: NodeJS.Timeout | undefined;
  const waiting: { readonly companyId: number; readonly begin: () => void }[] = [];
  const endThread = (): void => {
    void thread?.terminate();
    thread = undefined;
  };
  return {
    async parse(file, companyId) {
      if (isBusy) {
        const own = waiting.filter((each) => each.companyId === companyId).length;
        if (waiting.length >= mostWaiting.all || own >= mostWaiting.company)
          throw problem("too_many_requests");
        await new Promise<void>((begin) => waiting.push({ companyId, begin }));
      }
      isBusy = true;
      clearTimeout(idle);
      try {
        return await parseIn((thread ??= startThread()), file, endThread);
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

function startThread(): Worker {
  const { text, isCode, execArgv } = workerProgram("importWorker", import.meta.url);
  const worker = new Worker(text, {
    eval: isCode,
    execArgv,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMb, maxYoungGenerationSizeMb: 32 },
  });
  worker.unref();
  return worker;
}

interface Part {
  readonly rows: readonly ImportRow[];
  readonly errors: readonly ImportError[];
  readonly isLast: boolean;
}

const tooSlow: Parsed = { rows: [], errors: [{ place: "file", message: "takes too long to read" }] };

async function parseIn(worker: Worker, file: Uint8Array, endThread: () => void): Promise<Parsed> {
  const rows: ImportRow[] = [];
  const { promise, resolve, reject } = deferred<Parsed>();
  const timer = setTimeout(() => {
    endThread();
    resolve(tooSlow);
  }, bounds.timeMs);
  const onMessage = (part: Part): void => {
    for (const row of part.rows) rows.push(row);
    if (part.isLast) resolve({ rows, errors: part.errors });
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
