import { fieldFault, type FieldFault } from "@metrum/contract/core";
import { importBounds } from "@metrum/contract/metering";
import { ProtocolError } from "@metrum/protocols/core";
import { readPush } from "@metrum/protocols/push";
import { isFieldName, isMessageType, type FieldName } from "@metrum/vocabulary";
import { changedNumber, faultOfMessage, keepsDigits, readNumber, type SheetCell, type SheetRow } from "#core";
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
    yield { place: "file", fault: fieldFault(error.code) };
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
    yield { place: "file", fault: excess };
    return;
  }
  let items: ReturnType<typeof readPush>;
  try {
    items = readPush(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) yield { place: "file", fault: fieldFault("not_json") };
    else if (error instanceof ProtocolError) yield { place: "file", fault: faultOfMessage(error, "named") };
    else throw error;
    return;
  }
  for (const [index, { device, at, content }] of items.entries()) {
    const place = `item ${String(index + 1)}`;
    if (content.kind === "payload") yield { place, fault: fieldFault("payload_refused", {}, "payload") };
    else if (at === null) yield { place, fault: fieldFault("required", {}, "time") };
    else if (content.unknown.length > 0)
      yield { place, fault: fieldFault("unknown_field", {}, content.unknown.join(", ")) };
    else
      for (const { msgType, values } of content.readings)
        yield { place, device, at, clock: "utc", msgType, values };
  }
}

/**
 * Checks size limits of a JSON text before it is parsed: the parser allocates everything at once, and a
 * thread that runs out of memory ends the whole process.
 */
function excessOf(text: string): FieldFault | undefined {
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
    if (depth > most.depth) return fieldFault("depth");
    if (containers > most.containers) return fieldFault("many", { most: most.containers });
    if (values > most.values) return fieldFault("many", { most: most.values });
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
    yield { place: `line ${String(rows[at]?.number ?? 1)}`, fault: error };
    return;
  }
  const comma = separator === undefined || separator === "," ? "unsure" : "decimal";
  const header = { names, comma, isWhole: separator !== undefined } as const;
  const below = rows.slice(at + 1);
  for (const row of below[0] && isNumbering(below[0].cells) ? below.slice(1) : below) {
    const place = `line ${String(row.number)}`;
    const found = rowOf(row, place, header);
    yield "fault" in found ? { place, fault: found } : found;
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

function headerError(names: readonly string[]): FieldFault | undefined {
  if (names.includes("deviceID") === names.includes("device_id")) return fieldFault("device_column");
  if (!names.includes("time")) return fieldFault("column_missing", {}, "time");
  const unknown = names.filter((name) => !ownColumns.has(name) && !isFieldName(name));
  if (unknown.length > 0) return fieldFault("unknown_field", {}, unknown.join(", "));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return fieldFault("column_twice", {}, twice);
  return names.some((name) => isFieldName(name)) ? undefined : fieldFault("columns_without_field");
}

/** A row, or what is wrong with it. */
function rowOf({ cells }: SheetRow, place: string, header: Header): ImportRow | FieldFault {
  const { names, isWhole } = header;
  const isMore = isWhole
    ? cells.length > names.length
    : cells.slice(names.length).some((cell) => cell !== null);
  const columns = names.length;
  if (isMore) return fieldFault("cells_many", { columns });
  if (isWhole && cells.length < columns) return fieldFault("cells_few", { count: cells.length, columns });
  const cell = new Map(names.map((name, at) => [name, cells[at] ?? null]));
  const time = timeOf(textOfCell(cell.get("time")));
  if (!time) return fieldFault("time_needed", {}, "time");
  const device = deviceOf(cell);
  if ("fault" in device) return device;
  const msgType = Number(textOfCell(cell.get("msgType")) || 1);
  if (!isMessageType(msgType)) return fieldFault("message_type", {}, "msgType");
  const values: Partial<Record<FieldName, number>> = {};
  for (const [name, given] of cell) {
    const text = textOfCell(given);
    if (!isFieldName(name) || text === "") continue;
    const value = numberOf(text, name, header);
    if (typeof value !== "number") return value;
    values[name] = value;
  }
  if (Object.keys(values).length === 0) return fieldFault("value_missing");
  return { place, device, ...time, msgType, values };
}

const textOfCell = (cell: SheetCell | undefined): string =>
  String(cell ?? "")
    .replace(/^'/, "")
    .trim();

const longestNumber = 255;
/** The device, or what is wrong with its number. */
function deviceOf(cell: ReadonlyMap<string, SheetCell>): ImportRow["device"] | FieldFault {
  if (!cell.has("deviceID")) {
    const id = textOfCell(cell.get("device_id"));
    return /^[1-9]\d{0,8}$/.test(id) ? { id: Number(id) } : fieldFault("number_needed", {}, "device_id");
  }
  const number = textOfCell(cell.get("deviceID"));
  if (number === "") return fieldFault("required", {}, "deviceID");
  if (number.length > longestNumber) return fieldFault("text_long", { most: longestNumber }, "deviceID");
  const change = changedNumber(cell.get("deviceID") ?? null, number);
  return change ? fieldFault(change, {}, "deviceID") : { number };
}

/** Whole digits and decimals of a number that is read at all. */
const mostDigits = /^-?\d{1,18}(\.\d{1,18})?(e|$)/i;

/** The number of a cell, or what is wrong with it. */
function numberOf(text: string, name: FieldName, { comma }: Header): number | FieldFault {
  const read = readNumber(text, comma);
  if ("fault" in read && read.fault === "unsure") return fieldFault("number_unsure", { text }, name);
  if ("fault" in read || !mostDigits.test(read.text)) return fieldFault("number_needed", {}, name);
  const value = Number(read.text);
  return keepsDigits(value, read.text) ? value : fieldFault("digits_many", {}, name);
}
