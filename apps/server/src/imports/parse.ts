import { importBounds } from "@metrum/contract";
import { ProtocolError, readPush } from "@metrum/protocols";
import { isFieldName, isMessageType, type FieldName, type MessageTypeId } from "@metrum/vocabulary";

/** A reading of a file, its device not yet looked up. */
export interface ImportRow {
  /** Where it stands, as the sender counts: the line of a CSV file, the item of a JSON file. */
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

/** Errors that are told; the rest is counted. */
export const mostErrors = 100;

/**
 * Reads a file of readings. JSON is that of a push (`{readings: [{deviceID | device_id, time, values}]}`); CSV has a header with
 * `deviceID` or `device_id`, `time`, perhaps `msgType`, and fields of the vocabulary; separated by semicolons with decimal commas, or by
 * commas with decimal points; UTF-8. Times are epoch seconds or ISO 8601 with a zone. Never throws: what is wrong is an error of its row.
 */
export function parseReadings(text: string): Parsed {
  const plain = text.replace(/^\uFEFF/, "");
  return /^\s*[{[]/.test(plain) ? parseJson(plain) : parseCsv(plain);
}

const refused = (place: string, message: string): Parsed => ({ rows: [], errors: [{ place, message }] });

function parseJson(text: string): Parsed {
  let items: ReturnType<typeof readPush>;
  try {
    items = readPush(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return refused("file", "not JSON");
    if (error instanceof ProtocolError) return refused("file", error.message);
    throw error;
  }
  const rows: ImportRow[] = [];
  const errors: ImportError[] = [];
  for (const [index, { device, at, content }] of items.entries()) {
    const place = `item ${String(index + 1)}`;
    if (content.kind === "payload") errors.push({ place, message: "payload: a file brings values" });
    else if (at === null) errors.push({ place, message: "time: missing" });
    else if (content.unknown.length > 0)
      errors.push({ place, message: `${content.unknown.join(", ")}: no such field` });
    else
      rows.push(...content.readings.map(({ msgType, values }) => ({ place, device, at, msgType, values })));
  }
  return { rows, errors };
}

interface Header {
  readonly separator: string;
  readonly names: readonly string[];
}

function parseCsv(text: string): Parsed {
  const lines = text.split(/\r\n|\n|\r/);
  const [first = ""] = lines;
  const separator = first.includes(";") ? ";" : ",";
  const names = cellsOf(first, separator).map((cell) => cell.trim());
  const wrong = headerError(names);
  if (wrong !== undefined) return refused("line 1", wrong);
  if (lines.length - 1 > importBounds.rows) return refused("file", `more than ${importBounds.rows} rows`);
  const rows: ImportRow[] = [];
  const errors: ImportError[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === "") continue;
    const place = `line ${String(index + 1)}`;
    const row = rowOf(line, place, { separator, names });
    if (typeof row === "string") errors.push({ place, message: row });
    else rows.push(row);
  }
  return { rows, errors };
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

/** A row, or what is wrong with it, its column first. */
function rowOf(line: string, place: string, { separator, names }: Header): ImportRow | string {
  const cells = cellsOf(line, separator);
  if (cells.length !== names.length)
    return `${String(cells.length)} cells where the header has ${String(names.length)}`;
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
  const plain = separator === ";" ? text.replace(",", ".") : text;
  return /^[+-]?\d{1,18}(\.\d{1,18})?(e[+-]?\d{1,2})?$/i.test(plain) ? Number(plain) : undefined;
}

/** Year 2000 and 9999: what is outside is no time of a meter. */
const [firstSecond, lastSecond] = [946_684_800, 253_402_300_799];

function secondsOf(text: string): number | undefined {
  const seconds = /^\d{9,12}$/.test(text)
    ? Number(text)
    : /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.test(text)
      ? Math.floor(Date.parse(text.replace(" ", "T")) / 1000)
      : Number.NaN;
  return seconds >= firstSecond && seconds <= lastSecond ? seconds : undefined;
}

/** Cells of one line, perhaps in quotes; a quoted cell has no line break. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
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
  return [...cells, cell];
}
