import type { TraceCode, TraceName, TraceTerm } from "@metrum/vocabulary";
import type { Span } from "./bytes.ts";
import { ProtocolError } from "./errors.ts";

/**
 * Spans of a stretch of bytes in their order, without holes: what was not named says why.
 * `read` does the decoding with the trace it is given; where it fails with a ProtocolError, the rest says so.
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

/** Bytes that were not read, with the reason. */
export const undecoded = (error: ProtocolError): TraceTerm => ({ code: "undecoded", n: error.message });

/** What a stretch is, without what is said of it. */
export const codeOf = (name: TraceName): TraceCode => (typeof name === "string" ? name : name.code);

type More = Pick<TraceTerm, "isContinued" | "isDecrypted" | "isUnchecked" | "part" | "path" | "unit">;

/** The same name with more that is said of it. */
export const named = (name: TraceName, more: More): TraceTerm =>
  typeof name === "string" ? { code: name, ...more } : { ...name, ...more };
