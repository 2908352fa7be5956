import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { readSheet, type SheetLimits } from "./readSheet.ts";

/** Thread that reads spreadsheets, one by one; its time is limited by the caller. It keeps no rows. */

// Linux treats a thread as a process, so only this one gets a lower priority. Elsewhere it would be the whole
// process.
if (process.platform === "linux") setPriority(10);

parentPort?.on("message", (file: Uint8Array) => void read(file));

async function read(file: Uint8Array): Promise<void> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  for await (const part of readSheet(bytes, workerData as SheetLimits)) parentPort?.postMessage(part);
}
