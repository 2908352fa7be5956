import { ByteReader, type Span } from "../../core/bytes.ts";
import { explainStretch } from "../../core/spans.ts";
import { decodeDlmsApdu, decodeMessage } from "./decode.ts";
import { decodeDlmsHdlc } from "./decodeHdlc.ts";
import { hdlcLength } from "../link/hdlc.ts";
import { wrapperLength } from "../link/wrapper.ts";

/** Transport of the messages. */
export type DlmsCarrier = "hdlc" | "wrapper";

/**
 * Names every byte of the traffic on a line: frames in either direction, noise between them, and undecodable
 * bytes.
 * Source: IEC 62056-46 and -47, Green Book 9.5. A segment of a longer message is named as such. Nothing is
 * decrypted. Returns consecutive spans without gaps. Errors: none.
 */
export function explainDlms(bytes: Uint8Array, carrier: DlmsCarrier): Span[] {
  const lengthAt = carrier === "hdlc" ? hdlcLength : wrapperLength;
  const spans: Span[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = lengthAt(bytes, at);
    const end = length === undefined ? bytes.length : at + length;
    if (length === 0) at = noise(bytes, at, { lengthAt, spans });
    else {
      spans.push(...explainFrame(bytes.subarray(at, end), at, carrier));
      at = end;
    }
  }
  return spans;
}

/** Names the bytes up to the next possible start of a frame; returns its offset. */
function noise(
  bytes: Uint8Array,
  from: number,
  { lengthAt, spans }: { lengthAt: (bytes: Uint8Array, at: number) => number | undefined; spans: Span[] },
): number {
  let at = from + 1;
  while (at < bytes.length && lengthAt(bytes, at) === 0) at++;
  spans.push({ offset: from, bytes: at - from, name: "noise", value: null });
  return at;
}

function explainFrame(bytes: Uint8Array, base: number, carrier: DlmsCarrier): Span[] {
  const spans = explainStretch(0, bytes.length, (trace) => {
    if (carrier === "hdlc") decodeDlmsHdlc(bytes, { trace });
    else decodeWrapped(bytes, trace);
  });
  return spans.map((span) => ({ ...span, offset: span.offset + base }));
}

function decodeWrapped(bytes: Uint8Array, trace: Span[]): void {
  const reader = new ByteReader(bytes, { trace });
  reader.u16be("wrapper_version");
  reader.u16be("source_wport");
  reader.u16be("destination_wport");
  const length = reader.u16be("message_length");
  const base = reader.offset;
  decodeMessage("dlms-wrapper", new ByteReader(reader.take(length), { trace, base }), { trace });
}

/** Names every byte of one message without a carrier. Returns spans in order, without holes. Errors: none. */
export const explainDlmsApdu = (bytes: Uint8Array): Span[] =>
  explainStretch(0, bytes.length, (trace) => {
    decodeDlmsApdu(bytes, { trace });
  });
