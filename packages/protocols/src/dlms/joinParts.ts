import { ByteReader, ByteWriter, type Span } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { decodeDlmsHdlc } from "./decodeHdlc.ts";
import { hdlcLength, readHdlc } from "./hdlc.ts";

/** What one side said, a stretch a step, with the meaning of its bytes as far as a stretch has it alone. */
export interface Said {
  readonly bytes: Uint8Array;
  readonly spans: readonly Span[];
}

interface Part {
  /** Which stretch, and where in it. */
  readonly step: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
  /** Send number: a frame that is repeated has that of the one before. */
  readonly send: number;
}

/**
 * Names the parts of messages that went over several HDLC frames of one side: the frames may stand in different steps of a dialogue, as each
 * but the last one is asked for. Returns the spans of each stretch; a message that stays incomplete or cannot be read keeps what was said of
 * its parts. Source: IEC 62056-46 6.4.4 (segmentation). Errors: none.
 */
export function joinParts(stretches: readonly Said[]): (readonly Span[])[] {
  const joined = stretches.map(({ spans }) => spans);
  let message: Part[] = [];
  for (const part of stretches.flatMap(({ bytes }, step) => partsOf(bytes, step))) {
    const before = message.at(-1);
    if (before?.send === part.send && !before.isLast) continue;
    message.push(part);
    if (!part.isLast) continue;
    if (message.length > 1) nameParts(message, joined);
    message = [];
  }
  return joined;
}

/** The information frames of a stretch. What is no whole frame is none. */
function partsOf(bytes: Uint8Array, step: number): Part[] {
  const parts: Part[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = hdlcLength(bytes, offset);
    if (length === undefined) break;
    const part = length === 0 ? undefined : partOf(bytes.subarray(offset, offset + length), step, offset);
    if (part) parts.push(part);
    offset += Math.max(length, 1);
  }
  return parts;
}

function partOf(bytes: Uint8Array, step: number, offset: number): Part | undefined {
  try {
    const { control, isSegmented } = readHdlc(new ByteReader(bytes)).frame;
    return control.type === "i"
      ? { step, offset, bytes, isLast: !isSegmented, send: control.send }
      : undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

/** Reads the frames as if they stood behind each other, and gives each the spans that lie in it. */
function nameParts(parts: readonly Part[], joined: (readonly Span[])[]): void {
  const trace = traceOf(parts.reduce((writer, { bytes }) => writer.raw(bytes), new ByteWriter()).finish());
  if (trace === undefined) return;
  let start = 0;
  for (const { step, offset, bytes } of parts) {
    const end = start + bytes.length;
    const own = trace.filter((span) => span.offset >= start && span.offset < end);
    const moved = own.map((span) => ({ ...span, offset: span.offset - start + offset }));
    const others = (joined[step] ?? []).filter(
      (span) => span.offset < offset || span.offset >= offset + bytes.length,
    );
    joined[step] = [...others, ...moved].toSorted((a, b) => a.offset - b.offset);
    start = end;
  }
}

function traceOf(bytes: Uint8Array): readonly Span[] | undefined {
  const trace: Span[] = [];
  try {
    decodeDlmsHdlc(bytes, { trace });
    return trace;
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}
