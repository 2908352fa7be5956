import type { TraceCode, TraceName, TraceTerm } from "@metrum/vocabulary";
import type { Span } from "./bytes.ts";
import { ProtocolError } from "./errors.ts";

/**
 * Consecutive spans of a range of bytes, without gaps: unnamed bytes give the reason. `read` decodes with the
 * given trace; if it fails with a ProtocolError, the rest is named by it.
 */
export function explainStretch(from: number, to: number, read: (trace: Span[]) => void): Span[] {
  const trace: Span[] = [];
  const reason = reasonToStop(() => read(trace));
  const filled: Span[] = [];
  let at = from;
  const fill = (end: number): void => {
    if (end > at) filled.push({ offset: at, bytes: end - at, name: reason, value: null });
  };
  for (const span of trace.toSorted((a, b) => a.offset - b.offset)) {
    fill(span.offset);
    filled.push(span);
    at = Math.max(at, span.offset + span.bytes);
  }
  fill(to);
  return filled;
}

function reasonToStop(read: () => void): TraceName {
  try {
    read();
    return "data";
  } catch (error) {
    if (error instanceof ProtocolError) return undecoded(error);
    throw error;
  }
}

/** Undecoded bytes, with the reason. */
export const undecoded = (error: ProtocolError): TraceTerm => ({ code: "undecoded", n: error.message });

/** Name of a span without its qualifiers. */
export const codeOf = (name: TraceName): TraceCode => (typeof name === "string" ? name : name.code);

type More = Pick<TraceTerm, "isContinued" | "isDecrypted" | "isUnchecked" | "part" | "path" | "unit">;

/** The same name with additional qualifiers. */
export const named = (name: TraceName, more: More): TraceTerm =>
  typeof name === "string" ? { code: name, ...more } : { ...name, ...more };
