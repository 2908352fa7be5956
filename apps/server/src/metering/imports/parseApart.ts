import { fieldFault } from "@metrum/contract/core";
import { createFileThread, workerProgram } from "#core";
import type { ImportError, ImportRow, Parsed } from "./found.ts";

/** Parses files of readings in a separate thread, one by one. */
export interface ImportParser {
  /**
   * Never rejects because of the content: that is an error of the file. Problem: too_many_requests when too
   * many wait.
   */
  readonly parse: (file: Uint8Array, companyId: number) => Promise<Parsed>;
}

declare module "#core" {
  interface Parts {
    readonly importParser: ImportParser;
  }
}

/** A part of the answer of the thread. */
export interface Part {
  readonly rows: readonly ImportRow[];
  readonly errors: readonly ImportError[];
  readonly isLast: boolean;
}

/** Security rule 5.1. */
export function createImportParser(): ImportParser {
  const thread = createFileThread<Part>({
    program: () => workerProgram("importWorker", import.meta.url),
    memoryMb: 512,
  });
  return {
    async parse(file, companyId) {
      const rows: ImportRow[] = [];
      let errors: readonly ImportError[] = [];
      const ended = await thread.read(file, companyId, (part) => {
        for (const row of part.rows) rows.push(row);
        errors = part.errors;
      });
      return ended === "read"
        ? { rows, errors }
        : { rows: [], errors: [{ place: "file", fault: fieldFault(ended) }] };
    },
  };
}
