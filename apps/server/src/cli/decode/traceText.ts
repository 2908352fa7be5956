import { obisName } from "@metrum/protocols/core";
import { functionNames } from "@metrum/protocols/modbus";
import type { Answer } from "./decode.ts";
import type { ExplainedField } from "./fieldWords.ts";

/** Bytes per row; longer fields continue below. */
const bytesPerRow = 8;

/**
 * An explained frame as a table for a terminal: offset, bytes, name, meaning; below it the readings, or the
 * error. Bytes are those of `hex` without its slash and spaces; non-hexadecimal text of a receiver is shown
 * without them.
 */
export function traceText(answer: Answer, hex: string): string {
  const digits = hex.replaceAll(/[\s/]/g, "");
  const bytes = /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? (digits.match(/../g) ?? []) : [];
  const protocol = "protocol" in answer ? answer.protocol : "";
  const rows = (answer.fields ?? []).flatMap((field) => {
    const { offset, bytes: count, name, value } = field;
    const meaning = meaningOf(field, protocol);
    const own = bytes.slice(offset, offset + count);
    const lines = Array.from({ length: Math.max(1, Math.ceil(own.length / bytesPerRow)) }, (_, at) =>
      own.slice(at * bytesPerRow, (at + 1) * bytesPerRow).join(" "),
    );
    return lines.map((line, at) =>
      at === 0
        ? `${String(offset).padStart(5)}  ${line.padEnd(bytesPerRow * 3)} ${name}${value === null ? "" : ` = ${String(value)}`}${meaning === undefined ? "" : ` (${meaning})`}`
        : `${" ".repeat(7)}${line}`,
    );
  });
  return [
    ...rows,
    "",
    ...("error" in answer ? errorLines(answer.error) : readingLines(answer.readings)),
  ].join("\n");
}

/**
 * Meaning of a number or a code of the frame by its standard; undefined if the value is self-explanatory or
 * unknown.
 */
function meaningOf({ name, value }: ExplainedField, protocol: string): string | undefined {
  if (name === "OBIS code" && typeof value === "string") return obisName(value);
  if (name === "function" && protocol.startsWith("modbus") && typeof value === "number")
    return functionNames[value & 0x7f];
  return protocol === "p1" || protocol === "iec62056-21" ? obisName(name) : undefined;
}

type Failure = Extract<Answer, { error: unknown }>["error"];
type Values = Exclude<Answer, { error: unknown }>["readings"];

const errorLines = ({ kind, offset, message }: Failure): string[] => [
  `${kind}${offset === null ? "" : ` at ${String(offset)}`}: ${message}`,
];

const readingLines = (readings: Values): string[] =>
  readings.map(({ name, value, unit }) => `${name}: ${String(value ?? "-")} ${unit}`.trimEnd());
