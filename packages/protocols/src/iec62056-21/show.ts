import type { TraceName } from "@metrum/vocabulary";
import type { Span } from "../core/bytes.ts";
import type { DecodedValue } from "../core/reading.ts";
import { numberOf, type DataSet } from "./dataLine.ts";
import { parseStamp } from "./stamps.ts";

/** A data set as a named part of the frame. */
export const spanOf = (set: DataSet): Span => ({
  offset: set.offset,
  bytes: set.length,
  name: set.address === "" ? "value" : { code: "data_set", n: set.address },
  value: set.values.map(({ value, unit }) => `${value ?? ""}${unit === "" ? "" : ` ${unit}`}`).join("; "),
});

/**
 * A data set as readings of `metrum decode`: one a bracket; the stamp in front of a value is its time, and
 * those of a list are the times of its entries.
 */
export function decodedValues({ address, values }: DataSet): DecodedValue[] {
  const listed = entriesOf(address, values) ?? lastOfChannel(values);
  if (listed) return listed;
  const time = parseStamp(values[0]?.value ?? "");
  const isStamped = values.length === 2 && time !== undefined;
  return (isStamped ? values.slice(1) : values).map(({ value, unit }) => ({
    name: address,
    value: unit === "" ? value : (numberOf(value) ?? value),
    unit,
    ...(time === undefined || values.length > 2 ? {} : { time: timeText(time) }),
  }));
}

const isObis = (value: string | null | undefined): boolean => /^\d+-\d+:[\d.]+$/.test(value ?? "");

/**
 * Entries of a list of maxima. Layout: their count, two codes, then for each the end of its period, its own
 * time and its value. Source: telegrams of Belgian meters (0-0:98.1.0).
 */
function entriesOf(address: string, values: DataSet["values"]): DecodedValue[] | undefined {
  const [count, first, second, ...cells] = values;
  const size = numberOf(count?.value) ?? 0;
  if (size < 1 || cells.length !== size * 3 || !isObis(first?.value) || !isObis(second?.value))
    return undefined;
  return Array.from({ length: size }, (_, at) =>
    stampedValue(address, cells[at * 3 + 1]?.value, cells[at * 3 + 2]),
  );
}

/** The value of a meter on a channel. Source: DSMR before version 4 (24.3.0), as in `channelsOf`. */
function lastOfChannel(values: DataSet["values"]): DecodedValue[] | undefined {
  const [time, , , , code, unit, last] = values;
  if (values.length !== 7 || !isObis(code?.value)) return undefined;
  return [
    stampedValue(code?.value ?? "", time?.value, { value: last?.value ?? null, unit: unit?.value ?? "" }),
  ];
}

function stampedValue(
  name: string,
  time: string | null | undefined,
  { value, unit }: DataSet["values"][number] = { value: null, unit: "" },
): DecodedValue {
  const stamp = parseStamp(time ?? "");
  return {
    name,
    value: numberOf(value) ?? value,
    unit,
    ...(stamp === undefined ? {} : { time: timeText(stamp) }),
  };
}

function timeText({ local, isSummer }: { local: number; isSummer?: boolean }): string {
  const text = new Date(local * 1000).toISOString().slice(0, 19);
  return isSummer === undefined ? text : `${text} ${isSummer ? "S" : "W"}`;
}

const controls: Readonly<Record<number, TraceName>> = { 0x01: "soh", 0x02: "stx", 0x03: "etx", 0x04: "eot" };
const isLineEnd = (byte: number | undefined): boolean => byte === 0x0d || byte === 0x0a;

/**
 * The same spans in order, with the bytes between them named too: control characters, ends of lines, and
 * other text. Errors: none.
 */
export function withControls(bytes: Uint8Array, spans: readonly Span[]): Span[] {
  const filled: Span[] = [];
  let at = 0;
  const fill = (end: number): void => {
    while (at < end) {
      const control = controls[bytes[at] ?? 0];
      let to = at + 1;
      if (control === undefined)
        while (to < end && isLineEnd(bytes[to]) === isLineEnd(bytes[at]) && !controls[bytes[to] ?? 0]) to++;
      const name = control ?? (isLineEnd(bytes[at]) ? "cr_lf" : "data");
      filled.push({ offset: at, bytes: to - at, name, value: null });
      at = to;
    }
  };
  for (const span of spans.toSorted((a, b) => a.offset - b.offset)) {
    fill(span.offset);
    filled.push(span);
    at = Math.max(at, span.offset + span.bytes);
  }
  fill(bytes.length);
  return filled;
}
