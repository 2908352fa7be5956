import { ByteReader, type Span } from "../core/bytes.ts";
import { explainStretch } from "../core/spans.ts";
import { decodeTelegram } from "./application.ts";
import { control, frameLength, readFrame, type Frame } from "./frame.ts";
import { readId } from "./header.ts";
import { decodeRecords } from "./records.ts";

/**
 * Names every byte of the traffic on a line: frames in either direction, noise between them, and undecodable
 * bytes. Source: EN 13757-2 and EN 13757-3. Returns consecutive spans without gaps. Errors: none.
 */
export function explainBytes(bytes: Uint8Array): Span[] {
  const spans: Span[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = frameLength(bytes.subarray(at));
    const noise = length === 0 ? noiseLength(bytes, at) : 0;
    const end = noise > 0 ? at + noise : Math.min(at + (length ?? bytes.length), bytes.length);
    if (noise > 0) spans.push({ offset: at, bytes: noise, name: "noise", value: null });
    else spans.push(...explainFrame(bytes.subarray(at, end), at));
    at = end;
  }
  return spans;
}

/** Bytes up to the next possible start of a frame. */
function noiseLength(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && frameLength(bytes.subarray(at)) === 0) at++;
  return at - from;
}

function explainFrame(bytes: Uint8Array, base: number): Span[] {
  return explainStretch(base, base + bytes.length, (trace) => {
    const frame = readFrame(new ByteReader(bytes, { trace, base }));
    if (frame.kind === "long") explainData(frame, trace);
  });
}

function explainData(frame: Extract<Frame, { kind: "long" }>, trace: Span[]): void {
  const options = { trace, base: frame.dataOffset };
  if ((frame.control & control.fromMaster) === 0) decodeTelegram(frame.ci, frame.data, options);
  else if (frame.ci === 0x51) decodeRecords(frame.data, options);
  else if (frame.ci === 0x52) explainSelection(new ByteReader(frame.data, options));
}

function explainSelection(reader: ByteReader): void {
  readId(reader);
  reader.take(2, "manufacturer_wanted");
  reader.u8("version_wanted");
  reader.u8("medium_wanted");
}
