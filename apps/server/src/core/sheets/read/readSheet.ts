import { SheetFault, type SheetFaultCode } from "./fault.ts";
import { readCsv } from "./readCsv.ts";
import { readXlsx, type SheetRow } from "./readXlsx.ts";

/** What a table on its way in may have at most. */
export interface SheetLimits {
  readonly rows: number;
  readonly columns: number;
  /** Characters of all cells. */
  readonly textLength: number;
}

/** A part of a table: its headings first, then rows below them, and at last its fault, if it has one. */
export interface SheetPart {
  readonly headers?: readonly string[];
  readonly rows: readonly SheetRow[];
  readonly fault?: SheetFaultCode;
  readonly isLast: boolean;
}

/** The last row that a spreadsheet can have. */
const lastRow = 1_048_576;

/**
 * Reads a file whose first row names the columns (XLS-002): XLSX, or else CSV. Cells beyond the named columns
 * are left out. Never throws because of the content: that is the fault of the last part.
 */
export async function* readSheet(bytes: Buffer, limits: SheetLimits): AsyncGenerator<SheetPart> {
  try {
    yield* partsOf(bytes, limits);
    yield { rows: [], isLast: true };
  } catch (error) {
    if (!(error instanceof SheetFault)) throw error;
    yield { rows: [], fault: error.code, isLast: true };
  }
}

async function* partsOf(bytes: Buffer, { rows: most, columns, textLength }: SheetLimits) {
  const isArchive = bytes.subarray(0, 2).toString("latin1") === "PK";
  let headers: string[] | undefined;
  let [count, length, last] = [0, 0, 0];
  for await (const batch of isArchive ? readXlsx(bytes) : readCsv(bytes)) {
    const rows: SheetRow[] = [];
    for (const { number, cells } of batch) {
      if (!(number > last && number <= lastRow)) throw new SheetFault("not_a_table", "numbers of rows");
      last = number;
      if (headers === undefined) {
        headers = cells.map((cell) => String(cell ?? "").trim());
        if (headers.length > columns) throw new SheetFault("too_many_columns");
        yield { headers, rows: [], isLast: false };
        continue;
      }
      const named = cells.slice(0, headers.length);
      length += named.reduce<number>((sum, cell) => sum + String(cell ?? "").length, 0);
      if (length > textLength) throw new SheetFault("too_large", "the text of all cells");
      if ((count += 1) > most) throw new SheetFault("too_many_rows");
      rows.push({ number, cells: named });
    }
    if (rows.length > 0) yield { rows, isLast: false };
  }
  if (count === 0) throw new SheetFault("empty");
}
