import type { Language } from "../text.ts";
import { termOf, traceLook, traceWords, type ReadName, type TraceReader } from "./words.ts";

/** A value as it comes over the wire. */
export type ReadValue =
  | string
  | number
  | null
  | { readonly word: ReadName }
  | { readonly local: string; readonly season?: "summer" | "winter" | undefined }
  | { readonly hex: number; readonly bytes: number };

/** How the reader writes numbers and moments. */
export interface ValueReader extends TraceReader {
  readonly number: (value: number, decimals: number) => string;
  /** A moment in epoch seconds. */
  readonly moment: (at: number) => string;
}

/** Unix times are recognised by their size: a time of this century has more than 10^9 seconds. */
const firstMoment = 1e9;

const hex = (value: number, bytes: number): string =>
  `0x${value
    .toString(16)
    .toUpperCase()
    .padStart(bytes * 2, "0")}`;

/**
 * A value as people read it: codes and places in hex, times as times, what was measured with every digit and
 * the mark of the language.
 */
export function traceValue(
  { name, value, bytes }: { readonly name: ReadName; readonly value: ReadValue; readonly bytes: number },
  reader: ValueReader,
): string {
  const term = termOf(name);
  if (value === null || term.isContinued === true) return "";
  if (typeof value === "string") return value;
  if (typeof value === "object") return objectValue(value, reader);
  const look = traceLook(name);
  if (look === "check" || look?.includes("hex") === true) return hex(value, bytes);
  if (look === "moment" && value >= firstMoment) return reader.moment(value);
  const isMeasured = term.unit !== undefined || term.field !== undefined;
  return isMeasured ? reader.number(value, decimalsOf(value)) : String(value);
}

const decimalsOf = (value: number): number => String(value).split(".")[1]?.length ?? 0;

function objectValue(value: Extract<ReadValue, object>, reader: TraceReader): string {
  if ("word" in value) {
    const { name, unit } = traceWords(value.word, reader);
    return unit === "" ? name : `${name}, ${unit}`;
  }
  return "local" in value ? localValue(value, reader.language) : hex(value.hex, value.bytes);
}

function localValue({ local, season }: Extract<ReadValue, { local: string }>, language: Language): string {
  const at = dayFirst(local);
  if (season === undefined) return at;
  const code = season === "summer" ? "summer_time" : "winter_time";
  return traceWords({ code, n: at }, { language, resource: "electricity" }).name;
}

/** 2026-11-22T15:41:35 as 22.11.2026 15:41:35; a Z of the driver is no zone, the clock is the meter's own. */
export const dayFirst = (text: string): string =>
  text.replace(/^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d(?::\d\d)?)Z?)?$/, (_, year, month, day, time) =>
    [`${String(day)}.${String(month)}.${String(year)}`, time].filter(Boolean).join(" "),
  );
