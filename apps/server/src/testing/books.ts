import { utils, write, type CellObject, type WorkSheet } from "@e965/xlsx";
import { zipSync } from "fflate";

/** Workbooks of tests: what spreadsheet programs write, and what no program would. */

/** A workbook of one sheet, whose cells are values or cells with their format. */
export function bookOf(
  rows: readonly (readonly (CellObject | string | number | boolean | null)[])[],
  { type = "xlsx", is1904 = false, merges = [], hidden = false }: BookOptions = {},
): Uint8Array {
  const book = utils.book_new();
  if (hidden) utils.book_append_sheet(book, utils.aoa_to_sheet([["Hidden"], ["wrong"]]), "Lists");
  const sheet: WorkSheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  if (merges.length > 0) sheet["!merges"] = merges.map((range) => utils.decode_range(range));
  utils.book_append_sheet(book, sheet, "Meters");
  book.Workbook = {
    WBProps: { date1904: is1904 },
    Sheets: hidden
      ? [
          { name: "Lists", Hidden: 1 },
          { name: "Meters", Hidden: 0 },
        ]
      : [],
  };
  return new Uint8Array(
    write(book, { type: "array", bookType: type, compression: true, codepage: 1251 }) as ArrayBuffer,
  );
}

export interface BookOptions {
  readonly type?: "xlsx" | "biff8" | "biff5" | "ods";
  readonly is1904?: boolean;
  readonly merges?: readonly string[];
  /** A hidden sheet stands before it. */
  readonly hidden?: boolean;
}

/** A packed workbook of these parts; the sheet alone gets its frame. */
export function archiveOf(
  sheet: string | Uint8Array,
  more: Readonly<Record<string, string | Uint8Array>> = {},
  level: 0 | 6 = 6,
): Uint8Array {
  const parts: Readonly<Record<string, string | Uint8Array>> = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/a.xml" ContentType="${media}.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${media}.sharedStrings+xml"/></Types>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="o"><sheets><sheet name="A" sheetId="1" r:id="rId7"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId7" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/a.xml"/></Relationships>`,
    "xl/sharedStrings.xml": "<sst></sst>",
    "xl/worksheets/a.xml": sheet,
    ...more,
  };
  const bytes = Object.entries(parts).map(([name, part]) => [
    name,
    typeof part === "string" ? Buffer.from(part) : part,
  ]);
  return zipSync(Object.fromEntries(bytes) as Record<string, Uint8Array>, { level });
}

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const media = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** A sheet of these rows, as XML. */
export const sheetXml = (rows: string): string =>
  `<?xml version="1.0"?><worksheet xmlns="m"><sheetData>${rows}</sheetData></worksheet>`;

/** A cell with a number format of its own. */
export const formatted = (v: number, z: string): CellObject => ({ t: "n", v, z });
