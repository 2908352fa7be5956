import { SheetFault, type SheetFaultCode } from "./fault.ts";
import { readBook } from "./readBook.ts";
import { readCsv } from "./readCsv.ts";
import type { SheetRow } from "./sheetRow.ts";

/** What a table on its way in may have at most. */
export interface SheetLimits {
  readonly rows: number;
  readonly columns: number;
  /** Characters of all cells. */
  readonly textLength: number;
}

/** A part of a table: some of its rows, and at last its fault, if it has one. */
export interface SheetPart {
  readonly rows: readonly SheetRow[];
  readonly fault?: SheetFaultCode;
  readonly isLast: boolean;
}

const rowsAtOnce = 1_000;
/** Rows of titles and headings above a table. */
const headRows = 50;

/**
 * Rows of a file: a workbook, packed (XLSX, ODS) or binary (XLS), or else CSV. Never throws because of the content: that
 * is the fault of the last part.
 */
export function* readSheet(bytes: Uint8Array, limits: SheetLimits): Generator<SheetPart> {
  try {
    const { rows } = readTable(bytes, limits);
    for (let at = 0; at < rows.length; at += rowsAtOnce)
      yield { rows: rows.slice(at, at + rowsAtOnce), isLast: false };
    yield { rows: [], isLast: true };
  } catch (error) {
    if (!(error instanceof SheetFault)) throw error;
    yield { rows: [], fault: error.code, isLast: true };
  }
}

/** Rows of a file, and of CSV what separates the cells. */
export interface ReadTable {
  readonly rows: readonly SheetRow[];
  readonly separator?: string;
}

/** The table of a file within the limits. Throws SheetFault. */
export function readTable(bytes: Uint8Array, { rows: most, textLength }: SheetLimits): ReadTable {
  const table = tableOf(bytes, most + headRows);
  if (table.rows.length > most + headRows)
    throw new SheetFault("too_many_rows", `more than ${String(most)} rows`);
  let length = 0;
  for (const { cells } of table.rows) {
    for (const cell of cells) length += String(cell ?? "").length;
    if (length > textLength) throw new SheetFault("too_large", "the text of all cells");
  }
  return table;
}

/** How binary workbooks begin (MS-CFB 2.2). */
const binaryMark = "d0cf11e0a1b11ae1";

function tableOf(bytes: Uint8Array, most: number): ReadTable {
  const start = Buffer.from(bytes.subarray(0, 8));
  if (start.toString("latin1", 0, 2) === "PK") return { rows: readBook(bytes, true) };
  if (start.toString("hex") === binaryMark) return { rows: readBook(bytes, false) };
  return readCsv(bytes, most);
}
