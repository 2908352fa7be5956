import { importBounds } from "@metrum/contract";
import { ProtocolError, readPush } from "@metrum/protocols";
import { isFieldName, isMessageType, type FieldName } from "@metrum/vocabulary";
import { changedNumber, keepsDigits, readNumber, type SheetCell, type SheetRow } from "#core";
import {
  fieldNamed,
  headingText,
  isNumbering,
  readTable,
  SheetFault,
  textOf,
  type ReadTable,
} from "#core/sheets/read";
import { isError, type Found, type ImportError, type ImportRow, type Parsed } from "./found.ts";
import { timeOf } from "./time.ts";

/** Security rule 5.4, and nesting that no file of readings needs. */
const most = { columns: 256, depth: 32, containers: 10_000, values: 1_000_000 };
const limits = { rows: importBounds.rows, columns: most.columns, textLength: importBounds.fileBytes * 2 };

/**
 * Reads a file of readings. JSON is that of a push (`{readings: [{deviceID | device_id, time, values}]}`). A table, CSV
 * or a workbook, has a row of headings with `deviceID` or `device_id`, `time`, optionally `msgType`, and fields of the
 * vocabulary; titles may stand above it. Numbers may have a decimal comma and groups of three; where a comma may be either,
 * semicolons or tabs between the cells say that it is decimal. Times are epoch seconds, ISO 8601, date cells or `22.11.2026 00:00:00`; without a zone they are those of the device (XLS-017). Never
 * throws: each fault is an error of its row.
 */
export function* readFile(bytes: Uint8Array): Generator<Found> {
  try {
    const isBook = bytes[0] === 0x50 || bytes[0] === 0xd0;
    const text = isBook ? "" : textOf(bytes.subarray(0, 1024));
    yield* /^\s*[{[]/.test(text) ? readJson(textOf(bytes)) : rowsOf(readTable(bytes, limits));
  } catch (error) {
    if (!(error instanceof SheetFault)) throw error;
    yield { place: "file", message: error.message };
  }
}

/** Reads a whole file, see `readFile`. */
export function parseReadings(bytes: Uint8Array): Parsed {
  const rows: ImportRow[] = [];
  const errors: ImportError[] = [];
  for (const found of readFile(bytes)) {
    if (isError(found)) errors.push(found);
    else rows.push(found);
  }
  return { rows, errors };
}

function* readJson(text: string): Generator<Found> {
  const excess = excessOf(text);
  if (excess !== undefined) {
    yield { place: "file", message: excess };
    return;
  }
  let items: ReturnType<typeof readPush>;
  try {
    items = readPush(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) yield { place: "file", message: "not JSON" };
    else if (error instanceof ProtocolError) yield { place: "file", message: error.message };
    else throw error;
    return;
  }
  for (const [index, { device, at, content }] of items.entries()) {
    const place = `item ${String(index + 1)}`;
    if (content.kind === "payload") yield { place, message: "payload: a file brings values" };
    else if (at === null) yield { place, message: "time: missing" };
    else if (content.unknown.length > 0)
      yield { place, message: `${content.unknown.join(", ")}: no such field` };
    else
      for (const { msgType, values } of content.readings)
        yield { place, device, at, clock: "utc", msgType, values };
  }
}

/**
 * Checks size limits of a JSON text before it is parsed: the parser allocates everything at once, and a
 * thread that runs out of memory ends the whole process.
 */
function excessOf(text: string): string | undefined {
  let [depth, containers, values] = [0, 0, 0];
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isText) {
      if (character === "\\") at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === "[" || character === "{") [depth, containers] = [depth + 1, containers + 1];
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === ",") values += 1;
    if (depth > most.depth) return `nested deeper than ${most.depth}`;
    if (containers > most.containers) return `more than ${most.containers} lists and objects`;
    if (values > most.values) return `more than ${most.values} values`;
  }
  return undefined;
}

interface Header {
  readonly names: readonly string[];
  /** What a comma before three digits is. */
  readonly comma: "decimal" | "unsure";
  /** Rows of CSV have a cell for each column; a workbook leaves empty ones out. */
  readonly isWhole: boolean;
}

/** Rows in which the headings are searched. */
const searched = 30;

function* rowsOf({ rows, separator }: ReadTable): Generator<Found> {
  const at = Math.max(0, rows.slice(0, searched).findIndex(isHeading));
  const names = namesOf(rows[at]);
  const error = headerError(names);
  if (error !== undefined) {
    yield { place: `line ${String(rows[at]?.number ?? 1)}`, message: error };
    return;
  }
  const comma = separator === undefined || separator === "," ? "unsure" : "decimal";
  const header = { names, comma, isWhole: separator !== undefined } as const;
  const below = rows.slice(at + 1);
  for (const row of below[0] && isNumbering(below[0].cells) ? below.slice(1) : below) {
    const place = `line ${String(row.number)}`;
    const found = rowOf(row, place, header);
    yield typeof found === "string" ? { place, message: found } : found;
  }
}

const ownColumns: ReadonlySet<string> = new Set(["deviceID", "device_id", "time", "msgType"]);
/** The two columns that every file has, known by names of the trade too. */
const commonColumns = [
  { field: "deviceID", title: { ru: "Номер", en: "Number", mn: "Дугаар" } },
  { field: "time", title: { ru: "Время", en: "Time", mn: "Цаг" } },
] as const;

/** The column that a heading means. What stands in brackets may be a zone, which is not to be overlooked. */
const columnOf = (heading: string): string =>
  ownColumns.has(heading) || isFieldName(heading) || heading.includes("(")
    ? heading
    : (fieldNamed(commonColumns, heading) ?? heading);

/** The names of the columns; empty headings at the end are none. */
function namesOf(row: SheetRow | undefined): string[] {
  const headings = (row?.cells ?? []).map(headingText);
  const used = headings.findLastIndex((heading) => heading !== "") + 1;
  return headings.slice(0, used).map(columnOf);
}

function isHeading(row: SheetRow): boolean {
  const names = namesOf(row);
  return names.includes("time") && (names.includes("deviceID") || names.includes("device_id"));
}

function headerError(names: readonly string[]): string | undefined {
  if (names.includes("deviceID") === names.includes("device_id"))
    return "deviceID or device_id: one of the two";
  if (!names.includes("time")) return "time: missing";
  const unknown = names.filter((name) => !ownColumns.has(name) && !isFieldName(name));
  if (unknown.length > 0) return `${unknown.join(", ")}: no such field`;
  if (new Set(names).size < names.length) return "a column stands there twice";
  return names.some((name) => isFieldName(name)) ? undefined : "no column is a field";
}

/** A row, or its error, the column first. */
function rowOf({ cells }: SheetRow, place: string, header: Header): ImportRow | string {
  const { names, isWhole } = header;
  const isMore = isWhole
    ? cells.length > names.length
    : cells.slice(names.length).some((cell) => cell !== null);
  if (isMore) return `more cells where the header has ${String(names.length)}`;
  if (isWhole && cells.length < names.length)
    return `${String(cells.length)} cells where the header has ${String(names.length)}`;
  const cell = new Map(names.map((name, at) => [name, cells[at] ?? null]));
  const time = timeOf(textOfCell(cell.get("time")));
  if (!time) return "time: neither epoch seconds nor a date with a time";
  const device = deviceOf(cell);
  if (typeof device === "string") return device;
  const msgType = Number(textOfCell(cell.get("msgType")) || 1);
  if (!isMessageType(msgType)) return "msgType: no such message type";
  const values: Partial<Record<FieldName, number>> = {};
  for (const [name, given] of cell) {
    const text = textOfCell(given);
    if (!isFieldName(name) || text === "") continue;
    const value = numberOf(text, header);
    if (typeof value === "string") return `${name}: ${value}`;
    values[name] = value;
  }
  return Object.keys(values).length === 0 ? "no value" : { place, device, ...time, msgType, values };
}

const textOfCell = (cell: SheetCell | undefined): string =>
  String(cell ?? "")
    .replace(/^'/, "")
    .trim();

/** The device, or what is wrong with its number. */
function deviceOf(cell: ReadonlyMap<string, SheetCell>): ImportRow["device"] | string {
  if (!cell.has("deviceID")) {
    const id = textOfCell(cell.get("device_id"));
    return /^[1-9]\d{0,8}$/.test(id) ? { id: Number(id) } : "device_id: not a number";
  }
  const number = textOfCell(cell.get("deviceID"));
  if (number === "" || number.length > 255) return "deviceID: empty";
  switch (changedNumber(cell.get("deviceID") ?? null, number)) {
    case "digits_lost":
      return "deviceID: the spreadsheet has rounded the number: make the cell text";
    case "date_for_number":
      return "deviceID: the spreadsheet has made a date of the number: make the cell text";
    case undefined:
      return { number };
  }
}

/** Whole digits and decimals of a number that is read at all. */
const mostDigits = /^-?\d{1,18}(\.\d{1,18})?(e|$)/i;

/** The number of a cell, or what is wrong with it. */
function numberOf(text: string, { comma }: Header): number | string {
  const read = readNumber(text, comma);
  if ("fault" in read && read.fault === "unsure")
    return `${text} may be thousands or a fraction: write the first without a comma, the second with a point`;
  if ("fault" in read || !mostDigits.test(read.text)) return "not a number";
  const value = Number(read.text);
  return keepsDigits(value, read.text) ? value : "more digits than can be stored";
}
