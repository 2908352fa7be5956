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

/** A data set as readings of `metrum decode`: one a bracket; the stamp in front of a value is its time. */
export function decodedValues({ address, values }: DataSet): DecodedValue[] {
  const time = parseStamp(values[0]?.value ?? "");
  const isStamped = values.length === 2 && time !== undefined;
  return (isStamped ? values.slice(1) : values).map(({ value, unit }) => ({
    name: address,
    value: unit === "" ? value : (numberOf(value) ?? value),
    unit,
    ...(time === undefined || values.length > 2 ? {} : { time: timeText(time) }),
  }));
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
