/** Text, a number, or nothing. Dates are ISO text in the clock of their author, errors the text of the error. */
export type SheetCell = string | number | null;

/** A row as it stands in the file; its number is the one that a spreadsheet shows. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly SheetCell[];
}
