import { SheetFault, sheetBounds } from "./fault.ts";
import type { SheetCell, SheetRow } from "./readXlsx.ts";

const rowsAtOnce = 1_000;
/** The apostrophe by which an export keeps text from becoming a formula (security rule 5.5). */
const guarded = /^'(?=[=+\-@\t\r])/;

/**
 * Rows of a CSV file, in batches: UTF-8, else the Cyrillic code page of Windows, in which Russian Excel saves;
 * separated by semicolons, tabs or commas, whichever the first line has most of; quotes are doubled. The number
 * of a row counts the lines of the table as a spreadsheet shows them. Throws SheetFault.
 */
export function* readCsv(bytes: Buffer): Generator<SheetRow[]> {
  const text = textOf(bytes);
  const separator = separatorOf(text);
  let batch: SheetRow[] = [];
  let number = 0;
  for (const cells of recordsOf(text, separator)) {
    number += 1;
    if (cells.every((cell) => cell === null)) continue;
    batch.push({ number, cells });
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function textOf(bytes: Buffer): string {
  if (bytes.includes(0)) throw new SheetFault("not_a_table", "a NUL character");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder("windows-1251").decode(bytes);
  }
}

function separatorOf(text: string): string {
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 64 * 1024))?.[0] ?? "";
  const bare = line.replaceAll(/"(?:[^"]|"")*"/g, "");
  const counts = [";", "\t", ","].map((each) => ({ each, count: bare.split(each).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).each;
}

function* recordsOf(text: string, separator: string): Generator<SheetCell[]> {
  const special = separator === "\t" ? "\\t" : separator;
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${special}\\r\\n][^${special}\\r\\n]*|))(${special}|\\r\\n|\\n|\\r|$)`,
    "y",
  );
  let cells: SheetCell[] = [];
  let at = 0;
  while (at < text.length) {
    field.lastIndex = at;
    const found = field.exec(text);
    if (!found) throw new SheetFault("not_a_table", "an open quote");
    const value = (found[1]?.replaceAll('""', '"') ?? found[2] ?? "").replace(guarded, "");
    if (value.length > sheetBounds.cellLength) throw new SheetFault("too_large", "a cell");
    cells.push(value === "" ? null : value);
    if (cells.length > sheetBounds.columns) throw new SheetFault("too_many_columns");
    at = field.lastIndex;
    if (found[3] === separator && at < text.length) continue;
    yield cells;
    cells = [];
  }
}
