import { createFileThread } from "../../fileThread.ts";
import { workerProgram } from "../../workerProgram.ts";
import type { SheetFaultCode } from "./fault.ts";
import type { SheetLimits, SheetPart } from "./readSheet.ts";
import type { SheetRow } from "./readXlsx.ts";

/** A table of an uploaded file. */
export interface UploadedSheet {
  readonly headers: readonly string[];
  readonly rows: readonly SheetRow[];
}

/** Reads uploaded spreadsheets in a thread of its own (security rule 5.4). */
export interface SheetReader {
  /** The table, or the fault of the file. Problem: too_many_requests when too many files wait. */
  readonly read: (
    file: Uint8Array,
    companyId: number,
  ) => Promise<UploadedSheet | { readonly fault: SheetFaultCode }>;
}

export function createSheetReader(limits: SheetLimits): SheetReader {
  const thread = createFileThread<SheetPart>({
    program: () => workerProgram("sheetWorker", import.meta.url),
    data: limits,
    memoryMb: 512,
    timeMs: 60_000,
  });
  return {
    async read(file, companyId) {
      let headers: readonly string[] = [];
      const rows: SheetRow[] = [];
      let fault: SheetFaultCode | undefined;
      const isWhole = await thread.read(file, companyId, (part) => {
        headers = part.headers ?? headers;
        fault = part.fault;
        for (const row of part.rows) rows.push(row);
      });
      if (!isWhole) return { fault: "too_large" };
      return fault === undefined ? { headers, rows } : { fault };
    },
  };
}
