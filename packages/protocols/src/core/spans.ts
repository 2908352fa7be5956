import type { Span } from "./bytes.ts";
import { ProtocolError } from "./errors.ts";

/**
 * Spans of a stretch of bytes in their order, without holes: what was not named gets the name of the reason.
 * `read` does the decoding with the trace it is given; where it fails with a ProtocolError, the rest is named by its message.
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

function reasonToStop(read: () => void): string {
  try {
    read();
    return "Data";
  } catch (error) {
    if (error instanceof ProtocolError) return `Not decoded: ${error.message}`;
    throw error;
  }
}
