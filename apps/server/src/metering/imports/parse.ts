import { importBounds } from "@metrum/contract";
import { ProtocolError, readPush } from "@metrum/protocols";
import { decimal, microOf, microScale, unitsAt } from "#core";
import { isFieldName, isMessageType, type FieldName, type MessageTypeId } from "@metrum/vocabulary";

/** A reading of a file, its device not looked up yet. */
export interface ImportRow {
  /** Its position as the sender counts: the line of a CSV file, the item of a JSON file. */
  readonly place: string;
  readonly device: { readonly number: string } | { readonly id: number };
  /** Epoch seconds UTC. */
  readonly at: number;
  readonly msgType: MessageTypeId;
  readonly values: Readonly<Partial<Record<FieldName, number | null>>>;
}

export interface ImportError {
  readonly place: string;
  readonly message: string;
}

export interface Parsed {
  readonly rows: readonly ImportRow[];
  readonly errors: readonly ImportError[];
}

/** Reported errors; further ones are only counted. */
export const mostErrors = 100;

/** Security rule 5.4, and nesting that no file of readings needs. */
const most = { columns: 256, lineLength: 64 * 1024, depth: 32, containers: 10_000, values: 1_000_000 };

/** A row, or its error. */
export type Found = ImportRow | ImportError;

/** Parses the bytes of a file of readings, UTF-8, row by row. Never throws, see `parseReadings`. */
export function* readFile(bytes: Uint8Array): Generator<Found> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    yield { place: "file", message: "not a text of UTF-8" };
    return;
  }
  yield* readText(text);
}

/**
 * Parses a file of readings. JSON is that of a push (`{readings: [{deviceID | device_id, time, values}]}`);
 * CSV has a header with `deviceID` or `device_id`, `time`, optionally `msgType`, and fields of the
 * vocabulary; separated by semicolons with decimal commas, or by commas with decimal points; UTF-8. Times are
 * epoch seconds or ISO 8601 with a zone. Never throws: each fault is an error of its row.
 */
export function parseReadings(text: string): Parsed {
  const rows: ImportRow[] = [];
  const errors: ImportError[] = [];
  for (const found of readText(text)) {
    if (isError(found)) errors.push(found);
    else rows.push(found);
  }
  return { rows, errors };
}

export const isError = (found: Found): found is ImportError => "message" in found;

function readText(text: string): Generator<Found> {
  const plain = text.replace(/^\uFEFF/, "");
  return /^\s*[{[]/.test(plain) ? readJson(plain) : readCsv(plain);
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
    else for (const { msgType, values } of content.readings) yield { place, device, at, msgType, values };
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
  readonly separator: string;
  readonly names: readonly string[];
}

function* readCsv(text: string): Generator<Found> {
  const lines = linesOf(text);
  const header = headerOf(lines.next().value ?? "");
  if (typeof header === "string") {
    yield { place: "line 1", message: header };
    return;
  }
  let [number, values] = [1, 0];
  for (const line of lines) {
    number += 1;
    values += header.names.length;
    if (number - 1 > importBounds.rows || values > most.values * 2) {
      yield {
        place: "file",
        message: `more than ${importBounds.rows} rows, or more than ${most.values * 2} cells`,
      };
      return;
    }
    const place = `line ${String(number)}`;
    if (line.length <= most.lineLength && line.trim() === "") continue;
    const row = line.length > most.lineLength ? tooLong : rowOf(line, place, header);
    yield typeof row === "string" ? { place, message: row } : row;
  }
}

const tooLong = `longer than ${most.lineLength} characters`;

/** The columns, or their error. */
function headerOf(line: string): Header | string {
  if (line.length > most.lineLength) return tooLong;
  const separator = line.includes(";") ? ";" : ",";
  const names = cellsOf(line, { separator, most: most.columns }).map((cell) => cell.trim());
  if (names.length > most.columns) return `more than ${most.columns} columns`;
  return headerError(names) ?? { separator, names };
}

/** Iterates lines with any of the three line endings, without a list of all of them. */
function* linesOf(text: string): Generator<string, undefined> {
  const end = /\r\n|\n|\r/g;
  let from = 0;
  for (let found = end.exec(text); found; found = end.exec(text)) {
    yield text.slice(from, found.index);
    from = end.lastIndex;
  }
  yield text.slice(from);
  return undefined;
}

const ownColumns: ReadonlySet<string> = new Set(["deviceID", "device_id", "time", "msgType"]);

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
function rowOf(line: string, place: string, { separator, names }: Header): ImportRow | string {
  const cells = cellsOf(line, { separator, most: names.length });
  if (cells.length !== names.length)
    return `${cells.length > names.length ? "more" : String(cells.length)} cells where the header has ${String(names.length)}`;
  const cell = new Map(names.map((name, at) => [name, (cells[at] ?? "").replace(/^'/, "").trim()]));
  const at = secondsOf(cell.get("time") ?? "");
  if (at === undefined) return "time: neither epoch seconds nor ISO 8601 with a zone";
  const device = deviceOf(cell);
  if (!device) return names.includes("device_id") ? "device_id: not a number" : "deviceID: empty";
  const msgType = Number(cell.get("msgType") ?? 1);
  if (!isMessageType(msgType)) return "msgType: no such message type";
  const values: Partial<Record<FieldName, number>> = {};
  for (const [name, text] of cell) {
    if (!isFieldName(name) || text === "") continue;
    const value = numberOf(text, separator);
    if (value === undefined) return `${name}: not a number`;
    if (!holds(value, text, separator)) return `${name}: more digits than can be stored`;
    values[name] = value;
  }
  return Object.keys(values).length === 0 ? "no value" : { place, device, at, msgType, values };
}

function deviceOf(cell: ReadonlyMap<string, string>): ImportRow["device"] | undefined {
  const number = cell.get("deviceID");
  if (number !== undefined) return number === "" || number.length > 255 ? undefined : { number };
  const id = cell.get("device_id") ?? "";
  return /^[1-9]\d{0,8}$/.test(id) ? { id: Number(id) } : undefined;
}

function numberOf(text: string, separator: string): number | undefined {
  const plain = plainOf(text, separator);
  return /^[+-]?\d{1,18}(\.\d{1,18})?(e[+-]?\d{1,2})?$/i.test(plain) ? Number(plain) : undefined;
}

const plainOf = (text: string, separator: string): string =>
  separator === ";" ? text.replace(",", ".") : text;

/** Whether a number keeps the digits of its text, to a millionth; with an exponent it is no counter. */
function holds(value: number, text: string, separator: string): boolean {
  const plain = plainOf(text, separator).replace(/^\+/, "");
  if (/e/i.test(plain)) return true;
  const lost = microOf(value) - unitsAt(decimal(plain), microScale);
  return lost >= -1n && lost <= 1n;
}

/** Year 2000 and 9999: times outside cannot come from a meter. */
const [firstSecond, lastSecond] = [946_684_800, 253_402_300_799];

function secondsOf(text: string): number | undefined {
  const seconds = /^\d{9,12}$/.test(text)
    ? Number(text)
    : /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.test(text)
      ? Math.floor(Date.parse(text.replace(" ", "T")) / 1000)
      : Number.NaN;
  return seconds >= firstSecond && seconds <= lastSecond ? seconds : undefined;
}

/** Cells of one line, optionally quoted, at most one more than `most`; a quoted cell has no line break. */
function cellsOf(
  line: string,
  { separator, most }: { readonly separator: string; readonly most: number },
): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < line.length && cells.length <= most; at++) {
    const character = line[at] ?? "";
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  return cells.length > most ? cells : [...cells, cell];
}
