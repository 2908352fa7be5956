import { ByteReader, ByteWriter, type Span } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import { decodeDlmsHdlc } from "./decodeHdlc.ts";
import { hdlcLength, readHdlc } from "../link/hdlc.ts";

/** Bytes of one side, one part per step, with the spans that each part has by itself. */
export interface Said {
  readonly bytes: Uint8Array;
  readonly spans: readonly Span[];
}

interface Part {
  /** Index of the part, and offset in it. */
  readonly step: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
  /** Send number: a repeated frame has that of the previous one. */
  readonly send: number;
}

/**
 * Names the segments of messages that span several HDLC frames of one side: the frames may be in different
 * steps of a dialogue, because each but the last one is requested. Returns the spans of each part; an
 * incomplete or undecodable message keeps the spans of its segments. Source: IEC 62056-46 6.4.4
 * (segmentation). Errors: none.
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

/** The information frames of a part. Incomplete frames are ignored. */
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

/** Decodes the concatenated frames, and assigns each the spans within it. */
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
