/** Why a file cannot be read as a table. */
export type SheetFaultCode =
  | "not_a_table"
  | "encrypted"
  | "has_macros"
  | "has_entities"
  | "empty"
  | "too_large"
  | "too_many_rows"
  | "too_many_columns";

/** The fault of a file that is read; the place is for the log of the reader. */
export class SheetFault extends Error {
  override readonly name = "SheetFault";
  readonly code: SheetFaultCode;

  constructor(code: SheetFaultCode, message: string = code) {
    super(message);
    this.code = code;
  }
}

/** Security rule 5.4. */
export const sheetBounds = {
  packedBytes: 20 * 1024 * 1024,
  unpackedBytes: 200 * 1024 * 1024,
  ratio: 100,
  entries: 2_000,
  columns: 256,
  cellLength: 32_767,
  sharedTexts: 2_000_000,
  sharedLength: 32 * 1024 * 1024,
} as const;
