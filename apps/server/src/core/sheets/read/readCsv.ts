import { CsvError, parse } from "csv-parse/sync";
import { textCell } from "./cellOf.ts";
import { SheetFault, sheetBounds } from "./fault.ts";
import type { SheetRow } from "./sheetRow.ts";
import { textOf } from "./textOf.ts";

/** A CSV file: rows as long as they are written, and what separates their cells. */
export interface CsvTable {
  readonly rows: readonly SheetRow[];
  readonly separator: string;
}

/** The apostrophe by which an export keeps text from becoming a formula (security rule 5.5). */
const guarded = /^'(?=[=+\-@\t\r])/;
/** A cell in quotes with spaces around them, as some programs write it. */
const spacedQuotes = /^[ \t]*"((?:[^"]|"")*)"[ \t]*$/;

/**
 * Rows of a CSV file, at most `most`: separated by semicolons, tabs or commas, whichever one of the first lines has most
 * of, or by the character that a first line `sep=;` names; quotes are doubled. Throws SheetFault.
 */
export function readCsv(bytes: Uint8Array, most: number): CsvTable {
  const text = textOf(bytes);
  refuseLongLine(text);
  const named = /^sep=([;,\t|])(\r\n|\n|\r)/i.exec(text);
  const content = named ? text.slice(named[0].length) : text;
  const separator = named?.[1] ?? separatorOf(content);
  const rows: SheetRow[] = [];
  let [number, count] = [named ? 1 : 0, 0];
  const onRecord = (record: readonly string[]): null => {
    number += 1;
    const cells = cellsOf(record);
    count += cells.length;
    if (count > sheetBounds.cells)
      throw new SheetFault("too_large", `more than ${String(sheetBounds.cells)} cells`);
    if (cells.length > 0 && rows.push({ number, cells }) > most)
      throw new SheetFault("too_many_rows", `more than ${String(most)} rows`);
    return null;
  };
  try {
    parse(content, {
      delimiter: separator,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_quotes: true,
      relax_column_count: true,
      on_record: onRecord,
    });
  } catch (error) {
    if (error instanceof CsvError) throw new SheetFault("not_a_table", error.message);
    throw error;
  }
  return { rows, separator };
}

/** The separators of an endless line would each become a cell. */
function refuseLongLine(text: string): void {
  const end = /\r|\n|$/g;
  for (let [from, line] = [0, 1]; from < text.length; line += 1) {
    end.lastIndex = from;
    const at = end.exec(text)?.index ?? text.length;
    if (at - from > sheetBounds.lineLength)
      throw new SheetFault(
        "line_long",
        `line ${String(line)} is longer than ${String(sheetBounds.lineLength)} characters`,
      );
    from = text.startsWith("\r\n", at) ? at + 2 : at + 1;
  }
}

/** Nothing for an empty line. */
function cellsOf(record: readonly string[]): (string | null)[] {
  const cells = record.map((given) => {
    const quoted = given.includes('"') ? spacedQuotes.exec(given)?.[1] : undefined;
    return textCell((quoted?.replaceAll('""', '"') ?? given).replace(guarded, ""));
  });
  const used = cells.findLastIndex((cell) => cell !== null);
  if (used >= sheetBounds.columns)
    throw new SheetFault("too_many_columns", `more than ${String(sheetBounds.columns)} columns`);
  return used < 0 ? [] : cells.slice(0, sheetBounds.columns);
}

function separatorOf(text: string): string {
  const counts = [";", "\t", ",", "|"].map((each) => ({ each, count: mostInLine(text, each) }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).each;
}

const sampledLines = 20;

/** Most cells that one of the first lines has; a title above the headings has none. */
function mostInLine(text: string, separator: string): number {
  const bare = text.slice(0, 64 * 1024).replaceAll(/"(?:[^"]|"")*"/g, "");
  const lines = bare.split(/\r\n|\n|\r/, sampledLines);
  return Math.max(...lines.map((line) => line.split(separator).length));
}
