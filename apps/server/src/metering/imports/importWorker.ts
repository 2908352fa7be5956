import { serveFiles } from "#core";
import { isError, type ImportError, type ImportRow } from "./found.ts";
import { readFile } from "./parse.ts";
import type { Part } from "./parseApart.ts";

/** Thread that parses files of readings, one by one; its time is limited by the caller. It keeps no rows. */
const rowsAtOnce = 1_000;

function* partsOf(file: Uint8Array): Generator<Part> {
  let rows: ImportRow[] = [];
  const errors: ImportError[] = [];
  for (const found of readFile(file)) {
    if (isError(found)) errors.push(found);
    // One error refuses the whole file: the rest is only checked for more errors.
    else if (errors.length === 0) rows.push(found);
    if (rows.length < rowsAtOnce) continue;
    yield { rows, errors: [], isLast: false };
    rows = [];
  }
  yield { rows, errors, isLast: true };
}

serveFiles(partsOf);
