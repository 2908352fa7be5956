import { offsetSec } from "../time/calendar.ts";
import { rounded } from "../numbers/decimal.ts";
import { encoded } from "./encoded.ts";
import { headingOf, type Cell, type Sheet, type SheetColumn } from "./sheet.ts";
import { zipped } from "./zip.ts";

/**
 * An Excel workbook with one sheet, written while its rows are read. Text is text and never a formula
 * (XLS-009), numbers and times are numbers (XLS-014); the heading is bold and stays in sight; printed, the
 * sheet fits on pages 7 wide and 5 high (XLS-007).
 * Source: ECMA-376 part 1, 18.3 (worksheets) and 18.8 (styles).
 */
export function xlsxOf(sheet: Sheet): AsyncGenerator<Buffer> {
  return zipped([
    { name: "[Content_Types].xml", content: [contentTypes] },
    { name: "_rels/.rels", content: [relations] },
    { name: "xl/workbook.xml", content: [workbook(sheetName(sheet.title))] },
    { name: "xl/_rels/workbook.xml.rels", content: [workbookRelations] },
    { name: "xl/styles.xml", content: [styles] },
    { name: "xl/worksheets/sheet1.xml", content: worksheet(sheet) },
  ]);
}

/** Maximum length of a sheet's name in Excel. */
const longestName = 31;

/** Excel accepts none of \ / * ? : [ ] in the name of a sheet, and no apostrophe at its ends. */
export function sheetName(title: string): string {
  const short = title.replaceAll(/[\\/*?:[\]]/g, "_").slice(0, longestName);
  const name = short.replace(/[\uD800-\uDBFF]$/, "").trim();
  return name.replaceAll(/^'|'$/g, "_") || "Sheet1";
}

/** Indexes in `cellXfs` of the styles. */
const styleOf = { heading: 1, time: 2, day: 3, guarded: 4 } as const;
/** Then that of amounts without decimals, with one, two, … */
const firstAmountStyle = 5;
const amountFormats = [
  "#,##0",
  ...["0", "00", "000", "0000", "00000", "000000"].map((each) => `#,##0.${each}`),
];
/** Width of a column in characters, by its content. */
const widthOf = { plain: 24, time: 22, day: 14 } as const;

async function* worksheet({ columns, zone, rows }: Sheet): AsyncGenerator<string | Buffer> {
  const letters = columns.map((_, at) => columnLetters(at));
  const widths = columns.map(
    ({ shows }, at) =>
      `<col min="${String(at + 1)}" max="${String(at + 1)}" width="${String(widthOf[shows])}" customWidth="1"/>`,
  );
  yield (
    `${head}<worksheet xmlns="${main}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` +
    `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols>${widths.join("")}</cols><sheetData>`
  );
  const titles = columns.map((column, at) =>
    textCell(`${letters[at] ?? ""}1`, headingOf(column, zone), styleOf.heading),
  );
  yield `<row r="1">${titles.join("")}</row>`;
  let number = 1;
  for await (const batch of rows) {
    const first = number + 1;
    yield encoded(batch.map((row, at) => rowOf(row, { columns, letters, zone, number: String(first + at) })));
    number += batch.length;
  }
  yield `</sheetData><pageSetup paperSize="9" orientation="landscape" fitToWidth="7" fitToHeight="5"/></worksheet>`;
}

interface RowOf {
  readonly columns: readonly SheetColumn[];
  readonly letters: readonly string[];
  readonly zone: string;
  readonly number: string;
}

function rowOf(row: readonly Cell[], { columns, letters, zone, number }: RowOf): string {
  let xml = `<row r="${number}">`;
  for (const [at, cell] of row.entries()) {
    if (cell === null) continue;
    const place = `${letters[at] ?? ""}${number}`;
    if (typeof cell === "string") xml += textCell(place, cell, guard.test(cell) ? styleOf.guarded : 0);
    else xml += numberCell(place, cell, columns[at], zone);
  }
  return `${xml}</row>`;
}

/** Text that would become a formula when its cell is edited is marked as quoted. */
const guard = /^[=+\-@]/;

const outerSpace = /^\s|\s$|\n/;
const keepSpace = ' xml:space="preserve"';

function textCell(place: string, text: string, style: number): string {
  return `<c r="${place}"${styled(style)} t="inlineStr"><is><t${outerSpace.test(text) ? keepSpace : ""}>${escaped(text)}</t></is></c>`;
}

function numberCell(place: string, value: number, column: SheetColumn | undefined, zone: string): string {
  if (!Number.isFinite(value)) return "";
  const { shows = "plain", decimals } = column ?? {};
  const style = decimals === undefined ? 0 : firstAmountStyle + decimals;
  const kept = decimals === undefined ? value : rounded(value);
  if (shows === "plain") return `<c r="${place}"${styled(style)}><v>${String(kept)}</v></c>`;
  const days = (value + offsetSec(zone, value)) / daySec + epochDay;
  return `<c r="${place}"${styled(styleOf[shows])}><v>${String(shows === "day" ? Math.floor(days) : days)}</v></c>`;
}

const styled = (style: number): string => (style === 0 ? "" : ` s="${String(style)}"`);
const daySec = 86_400;
/** 1 January 1970 in days of Excel. */
const epochDay = 25_569;

/** What XML 1.0 lacks: control characters except tab and line feed, and the last two of the plane. */
const unwritable = /[^ -\uFFFD\t\n]/g;
const special = /[&<>"]|[^ -\uFFFD\t\n]|_x[0-9A-Fa-f]{4}_/;
/** Longest text of a cell in Excel. */
const longestText = 32_767;
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Characters that XML lacks are written as `_x0001_`, and text that looks like that likewise (ECMA-376 22.9.2.19). */
function escaped(text: string): string {
  const short = text.length > longestText ? text.slice(0, longestText) : text;
  if (!special.test(short)) return short;
  return short
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll(/[&<>"]/g, (each) => entities[each] ?? "")
    .replaceAll(unwritable, (each) => `_x${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`);
}

/** A, B, … Z, AA, … */
function columnLetters(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : `${columnLetters(Math.floor(at / 26) - 1)}${last}`;
}

const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`;
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const contentTypes =
  `${head}<Types xmlns="${packages}/content-types">` +
  `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Default Extension="xml" ContentType="application/xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${mediaType}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${mediaType}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${mediaType}.styles+xml"/></Types>`;
const relations = `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const workbook = (name: string): string =>
  `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
const workbookRelations =
  `${head}<Relationships xmlns="${packages}/relationships">` +
  `<Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
  `<Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`;
const styles =
  `${head}<styleSheet xmlns="${main}">` +
  `<numFmts count="${String(2 + amountFormats.length)}"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy"/>` +
  `${amountFormats.map((code, at) => `<numFmt numFmtId="${String(166 + at)}" formatCode="${code}"/>`).join("")}</numFmts>` +
  `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
  `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
  `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
  `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
  `<cellXfs count="${String(firstAmountStyle + amountFormats.length)}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
  `<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
  `<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
  `<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
  `<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/>` +
  `${amountFormats.map((_, at) => `<xf numFmtId="${String(166 + at)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join("")}</cellXfs></styleSheet>`;
