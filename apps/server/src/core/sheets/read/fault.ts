/** Why a file cannot be read as a table. */
export type SheetFaultCode =
  | "not_a_table"
  | "encrypted"
  | "has_macros"
  | "has_entities"
  | "empty"
  | "too_large"
  | "too_slow"
  | "format_large"
  | "too_many_rows"
  | "too_many_columns"
  | "line_long";

/** The fault of a file that is read; the place is for the log of the reader. */
export class SheetFault extends Error {
  override readonly name = "SheetFault";
  readonly code: SheetFaultCode;

  constructor(code: SheetFaultCode, message: string = code) {
    super(message);
    this.code = code;
  }
}

const mib = 1024 * 1024;

/** Security rule 5.4, narrower where a workbook is held in memory as a whole. */
export const sheetBounds = {
  /** Parts of a workbook that are unpacked. */
  unpackedBytes: 64 * mib,
  /** Cells of an OpenDocument sheet: twice the time and memory of the same cells in XLSX. */
  documentBytes: 32 * mib,
  /** A binary workbook takes thirty times its size in memory. */
  binaryBytes: 6 * mib,
  ratio: 100,
  entries: 2_000,
  columns: 256,
  rows: 1_048_576,
  cellLength: 32_767,
  /** Characters of a line of CSV, and cells of all its lines. */
  lineLength: 256 * 1024,
  cells: 4_500_000,
  /** Cells filled because they are merged with one above. */
  mergedCells: 1_000_000,
  /** Cells of one repetition in an OpenDocument sheet. */
  repeatedCells: 100_000,
} as const;
