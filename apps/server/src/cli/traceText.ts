import type { Answer } from "./decode.ts";

/** Bytes of one row; the rest follow below. */
const bytesPerRow = 8;

/**
 * An explained frame as a table for a terminal: where, which bytes, what they are, what they say; below it the readings, or what is wrong.
 * Bytes are those of `hex` without its slash and spaces; text of a receiver that is no hexadecimal is shown without them.
 */
export function traceText(answer: Answer, hex: string): string {
  const digits = hex.replaceAll(/[\s/]/g, "");
  const bytes = /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? (digits.match(/../g) ?? []) : [];
  const rows = (answer.fields ?? []).flatMap(({ offset, bytes: count, name, value }) => {
    const own = bytes.slice(offset, offset + count);
    const lines = Array.from({ length: Math.max(1, Math.ceil(own.length / bytesPerRow)) }, (_, at) =>
      own.slice(at * bytesPerRow, (at + 1) * bytesPerRow).join(" "),
    );
    return lines.map((line, at) =>
      at === 0
        ? `${String(offset).padStart(5)}  ${line.padEnd(bytesPerRow * 3)} ${name}${value === null ? "" : ` = ${String(value)}`}`
        : `${" ".repeat(7)}${line}`,
    );
  });
  return [
    ...rows,
    "",
    ...("error" in answer ? errorLines(answer.error) : readingLines(answer.readings)),
  ].join("\n");
}

type Failure = Extract<Answer, { error: unknown }>["error"];
type Values = Exclude<Answer, { error: unknown }>["readings"];

const errorLines = ({ kind, offset, message }: Failure): string[] => [
  `${kind}${offset === null ? "" : ` at ${String(offset)}`}: ${message}`,
];

const readingLines = (readings: Values): string[] =>
  readings.map(({ name, value, unit }) => `${name}: ${String(value ?? "-")} ${unit}`.trimEnd());
