import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { isError, readFile, type ImportError, type ImportRow } from "./parse.ts";

/** Thread that parses files of readings, one by one; its time is limited by the caller. It keeps no rows. */
const rowsAtOnce = 1_000;

// Linux treats a thread as a process, so only this one gets a lower priority. Elsewhere it would be the whole
// process.
if (process.platform === "linux") setPriority(10);

parentPort?.on("message", (file: Uint8Array) => {
  let rows: ImportRow[] = [];
  const errors: ImportError[] = [];
  for (const found of readFile(file)) {
    if (isError(found)) errors.push(found);
    // One error refuses the whole file: the rest is only checked for more errors.
    else if (errors.length === 0) rows.push(found);
    if (rows.length < rowsAtOnce) continue;
    parentPort?.postMessage({ rows, errors: [], isLast: false });
    rows = [];
  }
  parentPort?.postMessage({ rows, errors, isLast: true });
});
