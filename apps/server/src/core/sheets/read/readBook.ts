import { read, set_cptable, type CellObject, type DenseSheet, type Range, type WorkBook } from "@e965/xlsx";
import * as codePages from "@e965/xlsx/dist/cpexcel.full.mjs";
import { zipSync } from "fflate";
import { cellOf } from "./cellOf.ts";
import { SheetFault, sheetBounds } from "./fault.ts";
import { partsOf } from "./parts.ts";
import { quietly } from "./quietly.ts";
import type { SheetCell, SheetRow } from "./sheetRow.ts";

set_cptable(codePages);

const options = {
  type: "buffer",
  dense: true,
  cellNF: true,
  cellText: false,
  cellFormula: false,
  cellHTML: false,
} as const;

type Cells = readonly (CellObject | undefined)[];

/**
 * Rows of the first sheet of a workbook that is not hidden: XLSX and ODS, or XLS (XLS-002). Formulas count with their
 * last result, merged cells below each other with the value of the first. Throws SheetFault.
 */
export function readBook(bytes: Uint8Array, isArchive: boolean): SheetRow[] {
  const book = isArchive ? packedBook(bytes) : binaryBook(bytes);
  const sheet = shownSheet(book);
  if (!sheet) throw new SheetFault("not_a_table", "no sheet");
  const rows = rowsOf(sheet["!data"]);
  fillMerged(rows, (sheet["!merges"] ?? []) as readonly Range[]);
  return shownRows(rows, book.Workbook?.WBProps?.date1904 === true);
}

/** The other sheets are not read: one pass finds the sheet, a second one its cells. */
function packedBook(bytes: Uint8Array): WorkBook {
  const parts = partsOf(bytes);
  const content = parts["content.xml"];
  if (content) {
    // Names of styles are only compared with each other, so the bytes need no decoding.
    const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1");
    refuseRepetition(text);
    const book = parsed(zipSync(parts, { level: 0 }), {});
    return { ...book, SheetNames: book.SheetNames.slice(firstShown(text)) };
  }
  const frame = Object.fromEntries(
    Object.entries(parts).filter(([name]) => !/[/\\](worksheets[/\\]|sharedStrings)/i.test(name)),
  );
  const first = shownName(parsed(zipSync(frame, { level: 0 }), { sheets: [] }));
  if (first === undefined) throw new SheetFault("not_a_table", "no sheet");
  return parsed(zipSync(parts, { level: 0 }), { sheets: first });
}

function binaryBook(bytes: Uint8Array): WorkBook {
  if (bytes.length > sheetBounds.binaryBytes) throw new SheetFault("format_large", "a binary workbook");
  const book = parsed(bytes, { bookVBA: true });
  if (book.vbaraw !== undefined) throw new SheetFault("has_macros");
  return book;
}

function parsed(bytes: Uint8Array, more: Parameters<typeof read>[1]): WorkBook {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return quietly(() => read(buffer, { ...options, ...more }));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new SheetFault(
      /password|ODS encryption|ECMA-376 Encrypted/i.test(text) ? "encrypted" : "not_a_table",
      text,
    );
  }
}

const shownName = ({ SheetNames, Workbook }: WorkBook): string | undefined =>
  SheetNames.find((_, at) => !Workbook?.Sheets?.[at]?.Hidden);

function shownSheet(book: WorkBook): DenseSheet | undefined {
  const name = shownName(book);
  const sheet = name === undefined ? undefined : book.Sheets[name];
  return sheet && isDense(sheet) ? sheet : undefined;
}

const isDense = (sheet: object): sheet is DenseSheet => "!data" in sheet && Array.isArray(sheet["!data"]);

/** The first table of an OpenDocument sheet whose style does not hide it; the library leaves that out. */
function firstShown(content: string): number {
  const hiding =
    /<style:style\b[^>]*style:name="([^"]+)"[^>]*>\s*<style:table-properties\b[^>]*table:display="false"/g;
  const hidden = new Set([...content.matchAll(hiding)].map(([, name]) => name));
  const tables = [...content.matchAll(/<table:table\b([^>]*)>/g)];
  const styleOf = (tag: string): string | undefined => /table:style-name="([^"]+)"/.exec(tag)?.[1];
  return Math.max(
    0,
    tables.findIndex(([, attributes = ""]) => !hidden.has(styleOf(attributes))),
  );
}

/** A cell that is repeated over rows and columns takes a few letters in the file and a gigabyte in memory. */
function refuseRepetition(content: string): void {
  const row = /<table:table-row\b([^>]*)>|<table:table-cell\b([^>]*[^>/])>/g;
  const times = (attributes: string, of: string): number =>
    Number(new RegExp(`number-${of}-repeated="(\\d+)"`).exec(attributes)?.[1] ?? 1);
  let [rows, cells] = [1, 0];
  for (const [, ofRow, ofCell] of content.matchAll(row)) {
    if (ofRow !== undefined) rows = times(ofRow, "rows");
    else {
      const repeated = rows * times(ofCell ?? "", "columns");
      if (repeated > 1) cells += repeated;
      if (cells > sheetBounds.repeatedCells) throw new SheetFault("too_large", "repeated cells");
    }
  }
}

/** The rows by their number from 0. Throws SheetFault if a number or a column cannot be one. */
function rowsOf(data: readonly Cells[]): Map<number, (CellObject | undefined)[]> {
  const rows = new Map<number, (CellObject | undefined)[]>();
  for (const key of Object.keys(data)) {
    const at = Number(key);
    const cells = data[at];
    if (!(Number.isInteger(at) && at >= 0 && at < sheetBounds.rows && cells))
      throw new SheetFault("not_a_table", "numbers of rows");
    if (Object.keys(cells).some((each) => !/^\d{1,5}$/.test(each))) throw new SheetFault("too_many_columns");
    const used = cells.findLastIndex((cell) => cell?.v !== undefined);
    if (used >= sheetBounds.columns) throw new SheetFault("too_many_columns");
    if (used >= 0) rows.set(at, cells.slice(0, used + 1));
  }
  return rows;
}

/** A cell merged with those below it stands for each of their rows. */
function fillMerged(rows: ReadonlyMap<number, (CellObject | undefined)[]>, merges: readonly Range[]): void {
  let steps = 0;
  for (const { s: from, e: to } of merges) {
    const first = rows.get(from.r)?.[from.c];
    if (first?.v === undefined || to.r === from.r) continue;
    for (let at = from.r + 1; at <= Math.min(to.r, sheetBounds.rows); at += 1) {
      if ((steps += 1) > sheetBounds.mergedCells) throw new SheetFault("too_large", "merged cells");
      const cells = rows.get(at);
      if (cells && cells[from.c]?.v === undefined) cells[from.c] = first;
    }
  }
}

function shownRows(rows: ReadonlyMap<number, Cells>, is1904: boolean): SheetRow[] {
  const shown: SheetRow[] = [];
  for (const [at, row] of rows) {
    const cells = Array.from(row, (cell): SheetCell => (cell ? cellOf(cell, is1904) : null));
    if (cells.some((cell) => cell !== null)) shown.push({ number: at + 1, cells });
  }
  return shown.toSorted((one, other) => one.number - other.number);
}
