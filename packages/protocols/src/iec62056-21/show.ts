import type { Span } from "../core/bytes.ts";
import type { DecodedValue } from "../core/reading.ts";
import { numberOf, type DataSet } from "./dataLine.ts";
import { parseStamp } from "./stamps.ts";

/** A data set as a named stretch of the frame. */
export const spanOf = (set: DataSet): Span => ({
  offset: set.offset,
  bytes: set.length,
  name: set.address,
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
