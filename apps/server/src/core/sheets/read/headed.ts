import type { SheetFaultCode } from "./fault.ts";
import type { SheetCell, SheetRow } from "./sheetRow.ts";

/** A table of an uploaded file. */
export interface UploadedSheet {
  readonly headers: readonly string[];
  readonly rows: readonly SheetRow[];
}

/** Whether a heading names a column that the reader of the table knows. */
export type IsKnown = (heading: string) => boolean;

/** Rows in which the headings are searched: a title, who signs, and a blank line stand above them. */
const searched = 30;

/**
 * The rows below their headings: of the first rows the one with most known headings, else the first of several cells.
 * Cells beyond the
 * named columns are left out, and so is a line that only numbers the columns.
 */
export function headed(
  rows: readonly SheetRow[],
  isKnown: IsKnown,
  limits: { readonly rows: number; readonly columns: number },
): UploadedSheet | { readonly fault: SheetFaultCode } {
  const at = headingRow(rows, isKnown);
  const cells = rows[at]?.cells ?? [];
  const used = cells.findLastIndex((cell) => cell !== null) + 1;
  const headers = cells.slice(0, used).map(headingText);
  if (headers.length > limits.columns) return { fault: "too_many_columns" };
  const below = rows
    .slice(at + 1)
    .map(({ number, cells }) => ({ number, cells: cells.slice(0, headers.length) }));
  const data = below[0] && isNumbering(below[0].cells) ? below.slice(1) : below;
  if (data.length > limits.rows) return { fault: "too_many_rows" };
  return data.length === 0 ? { fault: "empty" } : { headers, rows: data };
}

/** Line breaks and runs of spaces of a heading are a matter of its width. */
export const headingText = (cell: SheetCell): string =>
  String(cell ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Without a known heading, a row of a single cell is a title. */
function headingRow(rows: readonly SheetRow[], isKnown: IsKnown): number {
  let [best, most] = [-1, 0];
  for (const [at, { cells }] of rows.slice(0, searched).entries()) {
    const known = cells.filter((cell) => typeof cell === "string" && isKnown(headingText(cell))).length;
    if (known > most) [best, most] = [at, known];
  }
  if (best >= 0) return best;
  const filled = ({ cells }: SheetRow): number => cells.filter((cell) => cell !== null).length;
  return Math.max(
    0,
    rows.slice(0, searched).findIndex((row) => filled(row) > 1),
  );
}

/** A line below the headings that only counts the columns. */
export const isNumbering = (cells: readonly SheetCell[]): boolean =>
  cells.length > 3 && cells.every((cell, at) => String(cell ?? "").trim() === String(at + 1));
