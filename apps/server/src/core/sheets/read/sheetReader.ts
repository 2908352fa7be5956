import { createFileThread } from "../../threads/fileThread.ts";
import { workerProgram } from "../../threads/workerProgram.ts";
import type { SheetFaultCode } from "./fault.ts";
import { headed, type IsKnown, type UploadedSheet } from "./headed.ts";
import type { SheetLimits, SheetPart } from "./readSheet.ts";
import type { SheetRow } from "./sheetRow.ts";

/** Reads uploaded spreadsheets in a thread of its own (security rule 5.4). */
export interface SheetReader {
  /**
   * The table below the row with most known headings, or the fault of the file. Problem: too_many_requests when too
   * many files wait.
   */
  readonly read: (
    file: Uint8Array,
    companyId: number,
    isKnown?: IsKnown,
  ) => Promise<UploadedSheet | { readonly fault: SheetFaultCode }>;
}

const nothingKnown: IsKnown = () => false;

export function createSheetReader(limits: SheetLimits): SheetReader {
  const thread = createFileThread<SheetPart>({
    program: () => workerProgram("sheetWorker", import.meta.url),
    data: limits,
    memoryMb: 512,
  });
  return {
    async read(file, companyId, isKnown = nothingKnown) {
      const rows: SheetRow[] = [];
      let fault: SheetFaultCode | undefined;
      const ended = await thread.read(file, companyId, (part) => {
        fault = part.fault;
        for (const row of part.rows) rows.push(row);
      });
      if (ended !== "read") return { fault: ended };
      return fault === undefined ? headed(rows, isKnown, limits) : { fault };
    },
  };
}
