import { ProtocolError } from "../core/errors.ts";

/** One bracket of a data line: `value*unit`. Empty brackets mean "no value": null. */
export interface DataValue {
  readonly value: string | null;
  readonly unit: string;
}

/**
 * An address with the brackets behind it. A line that begins with a bracket has the address "" or continues
 * the one before.
 */
export interface DataSet {
  readonly address: string;
  readonly values: readonly DataValue[];
  /** Offset of the set in the source text. */
  readonly offset: number;
  readonly length: number;
}

/** More sets than any read-out has; beyond it the text is noise. */
const maxSets = 10_000;

/**
 * Reads the data lines of a read-out, of an answer in programming mode or of a P1 telegram.
 * Source: IEC 62056-21, 5.8 (data block, data set). Layout: `address(value*unit)(value*unit)...`, several
 * sets may share a line, lines end in CR LF, `!` ends the block, also directly behind the last bracket; a
 * line that begins with a bracket continues the set before it.
 * Errors: ProtocolError "unexpected" with the offset: brackets that do not close, text behind them, more than
 * 10 000 sets.
 */
export function parseDataLines(text: string, base = 0): DataSet[] {
  const { sets, leftOut } = readDataLines(text, base);
  const [failure] = leftOut;
  if (failure) throw failure;
  return sets;
}

/** Data lines that could be read, and why the others could not, in order. */
export interface DataLines {
  readonly sets: DataSet[];
  readonly leftOut: readonly ProtocolError[];
}

/**
 * The same for a whole read-out: one broken line costs no other one. It is left out with all its sets and the
 * lines that continue it. Source and layout: `parseDataLines`. Errors: ProtocolError "unexpected" for more
 * than 10 000 sets, and for a text without any line that can be read.
 */
export function readWholeLines(text: string, base = 0): DataLines {
  const { sets, leftOut } = readDataLines(text, base);
  const [failure] = leftOut;
  if (failure && sets.length === 0) throw failure;
  return { sets, leftOut };
}

/** Lines that are left out, in words for the exchange log. Errors: none. */
export const leftOutWords = ({ leftOut }: Pick<DataLines, "leftOut">): string[] =>
  leftOut.map(({ message, offset }) => `a line is left out: ${message} at byte ${String((offset ?? 0) + 1)}`);

function readDataLines(text: string, base: number): DataLines {
  const sets: DataSet[] = [];
  const leftOut: ProtocolError[] = [];
  let at = 0;
  let isSkipping = false;
  for (const line of text.split("\n")) {
    const clean = line.endsWith("\r") ? line.slice(0, -1) : line;
    const content = clean.replace(/(^|\))!$/, "$1");
    if (!(isSkipping && content.startsWith("(")))
      isSkipping = !addLine({ sets, leftOut }, content, base + at);
    if (sets.length > maxSets) throw new ProtocolError("unexpected", "too many data lines", { offset: base });
    if (content !== clean) break;
    at += line.length + 1;
  }
  return { sets, leftOut };
}

/** Whether the line could be read. */
function addLine(
  { sets, leftOut }: { sets: DataSet[]; leftOut: ProtocolError[] },
  line: string,
  offset: number,
): boolean {
  const read: DataSet[] = [];
  try {
    readLine(read, line, offset);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    leftOut.push(error);
    return false;
  }
  for (const set of read) addSet(sets, set);
  return true;
}

function readLine(sets: DataSet[], line: string, offset: number): void {
  let at = 0;
  while (at < line.length) {
    const open = line.indexOf("(", at);
    if (open < 0) {
      if (line.slice(at).trim() === "") return;
      throw new ProtocolError("unexpected", "text without brackets", { offset: offset + at });
    }
    const start = at;
    const address = line.slice(at, open);
    const values: DataValue[] = [];
    for (at = open; line[at] === "(";) {
      const close = line.indexOf(")", at);
      if (close < 0)
        throw new ProtocolError("unexpected", "a bracket does not close", { offset: offset + at });
      values.push(parseValue(line.slice(at + 1, close)));
      at = close + 1;
    }
    sets.push({ address, values, offset: offset + start, length: at - start });
  }
}

/** Brackets without an address belong to the set before them. */
function addSet(sets: DataSet[], set: DataSet): void {
  const last = sets.at(-1);
  if (set.address !== "" || last === undefined) sets.push(set);
  else
    sets[sets.length - 1] = {
      ...last,
      values: [...last.values, ...set.values],
      length: set.offset + set.length - last.offset,
    };
}

function parseValue(inside: string): DataValue {
  const star = inside.indexOf("*");
  const value = (star < 0 ? inside : inside.slice(0, star)).trim();
  return { value: value === "" ? null : value, unit: star < 0 ? "" : inside.slice(star + 1).trim() };
}

/** A set as a line without its end, the reverse of `parseDataLines`. */
export function formatDataSet(
  address: string,
  values: readonly { readonly value: string | null; readonly unit?: string }[],
): string {
  const brackets = values.map(({ value, unit = "" }) => `(${value ?? ""}${unit === "" ? "" : `*${unit}`})`);
  return address + brackets.join("");
}

const decimal = /^[+-]?\d{1,15}(?:[.,]\d{1,9})?$/;

/**
 * The number in a bracket; null when there is none or it is not a plain decimal number. Some meters write a
 * decimal comma; no meter groups digits.
 */
export function numberOf(value: string | null | undefined): number | null {
  if (value === null || value === undefined || !decimal.test(value)) return null;
  return Number(value.replace(",", "."));
}

/** Address without medium, channel and storage, and the number of the billing period. */
export interface ObisCode {
  /** "1.8.0", "F.F", "P.01"; two groups of digits get their ".0". */
  readonly code: string;
  /** Medium of `A-B:`, 1 for electricity, 0 for abstract objects; undefined if absent. */
  readonly medium?: number;
  readonly channel?: number;
  /** NN of `*NN` or `&NN`; undefined for the current value (also `*255`). */
  readonly billing?: number;
}

const obis = /^(?:(\d{1,3})-(\d{1,3}):)?([0-9A-Z_]+(?:\.[0-9A-Z_]+)*)(?:[*&](\d{1,3}))?$/i;

/**
 * Parses an address.
 * Source: IEC 62056-61 (OBIS, A-B:C.D.E*F). Layout: in the shortened forms of meters: `1.8.0`, `1-0:1.8.0`,
 * `1-0:1.8.0*255`, `1.8.0*01`, `1.8.0&01`.
 * Returns the address itself as `code` if it has no such form. Errors: none.
 */
export function parseObis(address: string): ObisCode {
  const [, medium, channel, code, billing] = obis.exec(address) ?? [];
  if (code === undefined) return { code: address };
  const number = billing === undefined ? 255 : Number(billing);
  return {
    code: /^\d+\.\d+$/.test(code) ? `${code}.0` : code,
    ...(medium === undefined ? {} : { medium: Number(medium), channel: Number(channel) }),
    ...(number === 255 ? {} : { billing: number }),
  };
}
