import type { SheetCell } from "./sheetRow.ts";

/** What a spreadsheet has done to a number that identifies something. */
export type ChangedNumber = "digits_lost" | "date_for_number";

/** A number of 16 digits may have been another one: a spreadsheet keeps 15. */
const mostKept = 1e15;
const rounded = /^\d+([.,]\d+)?e\+?\d+$/i;
const date = /^(\d{4}-\d{2}-\d{2}|\d{2}\.\d{2}\.\d{4})( \d{1,2}:\d{2}(:\d{2})?)?$/;

/** Whether a number, as a cell and its trimmed text, is no longer the one that was written. */
export function changedNumber(cell: SheetCell, text: string): ChangedNumber | undefined {
  const isRounded = typeof cell === "number" && !(Number.isInteger(cell) && Math.abs(cell) < mostKept);
  if (isRounded || rounded.test(text)) return "digits_lost";
  return date.test(text) ? "date_for_number" : undefined;
}
