import { SheetFault, sheetBounds } from "./fault.ts";
import { openArchive, type Archive } from "./unzip.ts";
import { attribute, xmlParts, type XmlPart } from "./xml.ts";

/** A row as it stands in the file; its number is the one that a spreadsheet shows. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly SheetCell[];
}
/** Text, a number, or nothing. A date is a number of days in Excel and stays one. */
export type SheetCell = string | number | null;

/**
 * Rows of the first sheet of an Excel workbook, in batches (XLS-002). Formulas count with their last result.
 * Source: ECMA-376 part 1, 18.2 (workbook), 18.3 (worksheets), 18.4 (shared strings). Throws SheetFault.
 */
export async function* readXlsx(bytes: Buffer): AsyncGenerator<SheetRow[]> {
  const archive = openArchive(bytes);
  if (archive.names.some((name) => /vbaProject\.bin$|(^|\/)externalLinks\//i.test(name)))
    throw new SheetFault("has_macros");
  const sheet = await firstSheet(archive);
  const shared = await sharedTexts(archive);
  yield* rowsOf(archive.read(sheet), shared);
}

async function firstSheet(archive: Archive): Promise<string> {
  const id = await firstOf(archive, "xl/workbook.xml", "sheet", (attributes) => attribute(attributes, "id"));
  const target = await firstOf(archive, "xl/_rels/workbook.xml.rels", "Relationship", (attributes) =>
    attribute(attributes, "Id") === id ? attribute(attributes, "Target") : undefined,
  );
  if (id === undefined || target === undefined) throw new SheetFault("not_a_table", "no sheet");
  return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
}

async function firstOf(
  archive: Archive,
  file: string,
  name: string,
  valueOf: (attributes: string) => string | undefined,
): Promise<string | undefined> {
  for await (const parts of xmlParts(archive.read(file)))
    for (const part of parts) {
      const value = part.kind === "open" && part.name === name ? valueOf(part.attributes) : undefined;
      if (value !== undefined) return value;
    }
  return undefined;
}

/** Texts that cells refer to by their position; phonetic guides are no part of them. */
async function sharedTexts(archive: Archive): Promise<string[]> {
  const texts: string[] = [];
  let length = 0;
  const reader = textReader("si");
  for await (const parts of xmlParts(archive.read("xl/sharedStrings.xml")))
    for (const part of parts) {
      const text = reader(part);
      if (text === undefined) continue;
      length += text.length;
      if (texts.push(text) > sheetBounds.sharedTexts || length > sheetBounds.sharedLength)
        throw new SheetFault("too_large", "shared texts");
    }
  return texts;
}

/** Collects the `t` parts of an element; returns its text when it ends. */
function textReader(element: string): (part: XmlPart) => string | undefined {
  let [text, isText, isGuide] = ["", false, false];
  return (part) => {
    if (part.kind === "text") {
      if (isText && !isGuide && text.length <= sheetBounds.cellLength) text += part.text;
      return undefined;
    }
    const opens = part.kind === "open" && !part.isEmpty;
    if (part.name === "t") isText = opens;
    else if (part.name === "rPh") isGuide = opens;
    if (part.name !== element || opens) return undefined;
    const whole = unescaped(text);
    text = "";
    return whole;
  };
}

/** `_x0041_` is a character that XML cannot hold (ECMA-376 22.9.2.19). */
const unescaped = (text: string): string =>
  text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

async function* rowsOf(chunks: AsyncIterable<string>, shared: readonly string[]): AsyncGenerator<SheetRow[]> {
  const state = new RowState(shared);
  for await (const parts of xmlParts(chunks)) {
    for (const part of parts) state.take(part);
    if (state.rows.length > 0) yield state.rows.splice(0);
  }
}

/** Rows while their parts arrive. A class, because every part of a large file changes it. */
class RowState {
  readonly rows: SheetRow[] = [];
  readonly #shared: readonly string[];
  #number = 0;
  #cells: SheetCell[] = [];
  #column = -1;
  #type = "n";
  #value = "";
  #isValue = false;
  #inline = textReader("is");

  constructor(shared: readonly string[]) {
    this.#shared = shared;
  }

  take(part: XmlPart): void {
    if (this.#type === "inlineStr") {
      const text = this.#inline(part);
      if (text !== undefined) this.#value = text;
    }
    if (part.kind === "text") {
      if (this.#isValue) this.#value += part.text;
    } else if (part.kind === "open") this.#open(part.name, part.attributes, part.isEmpty);
    else this.#close(part.name);
  }

  #open(name: string, attributes: string, isEmpty: boolean): void {
    if (name === "row") {
      this.#number = Number(attribute(attributes, "r") ?? this.#number + 1);
      this.#cells = [];
      this.#column = -1;
    } else if (name === "c") {
      const place = attribute(attributes, "r");
      this.#column = place === undefined ? this.#column + 1 : columnOf(place);
      if (this.#column >= sheetBounds.columns) throw new SheetFault("too_many_columns");
      this.#type = isEmpty ? "n" : (attribute(attributes, "t") ?? "n");
      this.#value = "";
    } else if (name === "v") this.#isValue = !isEmpty;
    if (name === "row" && isEmpty) this.#close("row");
  }

  #close(name: string): void {
    if (name === "v") this.#isValue = false;
    else if (name === "c") {
      while (this.#cells.length < this.#column) this.#cells.push(null);
      this.#cells[this.#column] = this.#cell();
      this.#type = "n";
    } else if (name === "row" && this.#cells.some((cell) => cell !== null))
      this.rows.push({ number: this.#number, cells: this.#cells });
  }

  #cell(): SheetCell {
    const value = this.#value;
    if (this.#type === "s") return this.#shared[Number(value)] ?? null;
    if (this.#type === "b") return value === "1" ? "true" : "false";
    if (this.#type !== "n") return value === "" ? null : value.slice(0, sheetBounds.cellLength);
    return value === "" || Number.isNaN(Number(value)) ? null : Number(value);
  }
}

/** Column of a place such as "AB12", from 0. */
function columnOf(place: string): number {
  let column = 0;
  for (const letter of place) {
    const digit = letter.charCodeAt(0) - 64;
    if (digit < 1 || digit > 26) break;
    column = column * 26 + digit;
  }
  return column - 1;
}
