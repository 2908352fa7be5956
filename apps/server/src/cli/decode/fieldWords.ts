import type { Span } from "@metrum/protocols/core";
import { traceValue, traceWords, type TraceReader } from "@metrum/vocabulary";

/** A part of a frame as `decode --explain` prints it: its meaning in English. */
export interface ExplainedField {
  readonly offset: number;
  readonly bytes: number;
  readonly name: string;
  readonly value: string | number | null;
}

const english: TraceReader = { language: "en", resource: "electricity" };

/** Numbers stay numbers. Errors: none. */
export function explainedField({ offset, bytes, name, value }: Span): ExplainedField {
  const words = traceWords(name, english);
  const isPlain = value === null || typeof value !== "object";
  return {
    offset,
    bytes,
    name: nameOf(words),
    value: isPlain
      ? value
      : traceValue({ name, value, bytes }, { ...english, number: String, moment: String }),
  };
}

function nameOf({ name, how, unit }: ReturnType<typeof traceWords>): string {
  const measured = unit === "" ? name : `${name}, ${unit}`;
  return how === "" ? measured : `${measured} (${how})`;
}
