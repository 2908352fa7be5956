import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";

/** What a thread posts once it can read files; its number in the system, where there is one. */
export interface ReadyThread {
  readonly isReady: true;
  readonly thread: number | undefined;
}

/** Answers each file that is posted to this thread with its parts, the last of which says so. */
export function serveFiles<Part extends { readonly isLast: boolean }>(
  partsOf: (file: Uint8Array) => Iterable<Part>,
): void {
  // Linux treats a thread as a process, so only this one gets a lower priority. Elsewhere it would be the whole process.
  if (process.platform === "linux") setPriority(10);
  parentPort?.on("message", (file: Uint8Array) => {
    for (const part of partsOf(file)) parentPort?.postMessage(part);
  });
  const ready: ReadyThread = { isReady: true, thread: threadNumber() };
  parentPort?.postMessage(ready);
}

function threadNumber(): number | undefined {
  if (process.platform !== "linux") return undefined;
  return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
}
