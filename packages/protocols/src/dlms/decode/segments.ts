import { ByteWriter, type Span } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";

/** A segment of a message and its offset in the received bytes. */
export interface Segment {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** The message of its segments. */
export const joinSegments = (segments: readonly Segment[]): Uint8Array =>
  segments.reduce((writer, { bytes }) => writer.raw(bytes), new ByteWriter()).finish();

/** A span of the message as spans of the line; one that crosses a frame boundary becomes several. */
export function placeSpan(span: Span, segments: readonly Segment[]): Span[] {
  const placed: Span[] = [];
  let start = 0;
  for (const { bytes, offset } of segments) {
    const from = Math.max(span.offset, start);
    const to = Math.min(span.offset + span.bytes, start + bytes.length);
    if (from < to) placed.push({ ...span, offset: offset + from - start, bytes: to - from });
    start += bytes.length;
  }
  return placed;
}

/** Runs `read`; the offset of an error in the message is mapped to the line. */
export function withPlacedErrors<Result>(segments: readonly Segment[], read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.offset === undefined) throw error;
    const [place] = placeSpan({ offset: error.offset, bytes: 1, name: "noise", value: null }, segments);
    const last = segments.at(-1);
    const end = last === undefined ? 0 : last.offset + last.bytes.length;
    const detail = error.detail === undefined ? {} : { detail: error.detail };
    throw new ProtocolError(error.kind, error.message, { offset: place?.offset ?? end, ...detail });
  }
}
