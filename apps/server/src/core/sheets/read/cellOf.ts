import { SSF, type CellObject } from "@e965/xlsx";
import { SheetFault, sheetBounds } from "./fault.ts";
import type { SheetCell } from "./sheetRow.ts";

/** A date as it is written into a cell, without a zone. */
interface DateCode {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly H: number;
  readonly M: number;
  readonly S: number;
}

interface Formats {
  readonly is_date: (format: string) => boolean;
  readonly parse_date_code: (
    days: number,
    options: { readonly date1904: boolean },
  ) => DateCode | null | undefined;
  readonly format: (format: string, value: number) => string;
}

const formats = SSF as Formats;

/** Marks without width: copied from web pages, they make a number another one. */
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Text of a cell; null for none. Throws SheetFault. */
export function textCell(given: string): string | null {
  if (given.length > sheetBounds.cellLength) throw new SheetFault("too_large", "a cell");
  const text = given.replaceAll(invisible, "");
  return text === "" ? null : text;
}

/** Error values by their code (MS-XLSB 2.5.97.2). */
const errorTexts: Readonly<Record<string, string>> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
};

/** A cell of a workbook as its author sees it. Throws SheetFault. */
export function cellOf({ t: type, v: value, z: format }: CellObject, is1904: boolean): SheetCell {
  if (type === "e") return errorTexts[String(value)] ?? "#N/A";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "number")
    return numberCell(value, typeof format === "string" ? format : "General", is1904);
  return typeof value === "string" ? textCell(value) : null;
}

function numberCell(value: number, format: string, is1904: boolean): SheetCell {
  if (!Number.isFinite(value)) return null;
  if (format === "General") return exact(value);
  const kind = kindOf(format);
  if (kind === "date") return dateText(value, is1904) ?? exact(value);
  return kind === "padded" && Number.isInteger(value) ? padded(value, format) : exact(value);
}

/** A number with its zeros in front, which belong to it. Throws SheetFault for a format that no program can show. */
function padded(value: number, format: string): string {
  try {
    return formats.format(format, value).trim();
  } catch (error) {
    throw new SheetFault("not_a_table", `the format of a number: ${String(error)}`);
  }
}

/** A spreadsheet keeps 15 digits of a number; further ones come from binary fractions. */
const exact = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(15)));

// oxlint-disable-next-line metrum/no-hidden-state -- cache of a pure function
const kinds = new Map<string, "date" | "padded" | "plain">();
const mostKinds = 1_000;

function kindOf(format: string): "date" | "padded" | "plain" {
  const known = kinds.get(format);
  if (known !== undefined) return known;
  if (kinds.size >= mostKinds) kinds.clear();
  const whole = (format.split(";")[0] ?? "").replaceAll(/"[^"]*"|\\./g, "").split(".")[0] ?? "";
  const isDuration = /\[[hms]+\]/i.test(format);
  const isPadded = /00|0-0/.test(whole) && !/[E%/#]/i.test(whole);
  const kind = !isDuration && formats.is_date(format) ? "date" : isPadded ? "padded" : "plain";
  kinds.set(format, kind);
  return kind;
}

/** "2026-01-31", with its time if it has one; a time alone has no day. */
function dateText(days: number, date1904: boolean): string | undefined {
  const code = formats.parse_date_code(days, { date1904 });
  if (!code) return undefined;
  const two = (part: number): string => String(part).padStart(2, "0");
  const time = `${two(code.H)}:${two(code.M)}:${two(code.S)}`;
  if (days < 1 && !date1904) return time;
  const day = `${String(code.y).padStart(4, "0")}-${two(code.m)}-${two(code.d)}`;
  return time === "00:00:00" ? day : `${day} ${time}`;
}
