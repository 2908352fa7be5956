import { ByteReader, toHex, type Span } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { Decoded, DecodedValue } from "../../core/reading.ts";
import { decodeMessage, type DlmsDecodeOptions } from "./decode.ts";
import { formatHdlcAddress, hasLlc, readHdlc } from "../link/hdlc.ts";
import { hdlcControlName } from "../link/hdlcControl.ts";
import { parseHdlcParameters } from "../link/hdlcParameters.ts";
import { joinSegments, placeSpan, withPlacedErrors, type Segment } from "./segments.ts";
import type { HdlcFrame, HdlcParameters } from "../link/frames.ts";

const protocol = "dlms-hdlc";

/**
 * Decodes HDLC frames, one or the segments of one message, for `metrum decode dlms-hdlc`.
 * Source: IEC 62056-46; the message inside as in `decodeDlmsApdu`. Layout: see `parseHdlc`; neighbours may
 * share a flag. A frame without a message (SNRM, UA, RR ...) gives a reading `control`, SNRM and UA also
 * their parameters; a part of a longer message a reading `part`.
 * Errors: ProtocolError "checksum", "unexpected", "unsupported", "bad_password".
 */
export function decodeDlmsHdlc(bytes: Uint8Array, options: DlmsDecodeOptions = {}): Decoded {
  const { trace } = options;
  const frames = readFrames(new ByteReader(bytes, { trace }));
  const [first] = frames;
  if (first === undefined) throw new ProtocolError("unexpected", "no frame", { offset: 0 });
  const { source, destination, control } = first.frame;
  const device = { source: formatHdlcAddress(source), destination: formatHdlcAddress(destination) };
  const inner = decodeInformation(frames, options);
  trace?.sort((a, b) => a.offset - b.offset);
  return {
    protocol,
    device: { ...device, control: hdlcControlName(control), ...inner.device },
    readings: inner.readings,
    warnings: inner.warnings,
  };
}

interface FrameAt {
  readonly frame: HdlcFrame;
  readonly informationOffset: number;
}

function readFrames(reader: ByteReader): FrameAt[] {
  const frames: FrameAt[] = [];
  while (!reader.done) frames.push(readHdlc(reader, frames.length > 0));
  return frames;
}

function decodeInformation(frames: readonly FrameAt[], options: DlmsDecodeOptions): Decoded {
  const carrying = frames.filter(({ frame }) => frame.control.type === "i" || frame.control.type === "ui");
  const last = carrying.at(-1);
  if (last === undefined) return decodeLink(frames, options);
  const segments = carrying.map(({ frame, informationOffset }) => ({
    bytes: frame.information,
    offset: informationOffset,
  }));
  const message = joinSegments(segments);
  if (last.frame.isSegmented || !hasLlc(message)) return partOf(segments, options);
  const trace: Span[] | undefined = options.trace ? [] : undefined;
  const decoded = withPlacedErrors(segments, () =>
    decodeMessage(protocol, new ByteReader(message, { trace }), { ...options, trace }),
  );
  for (const span of trace ?? []) options.trace?.push(...placeSpan(span, segments));
  return decoded;
}

function partOf(segments: readonly Segment[], { trace }: DlmsDecodeOptions): Decoded {
  for (const { bytes, offset } of segments)
    trace?.push({ offset, bytes: bytes.length, name: "message_part", value: toHex(bytes) });
  const readings = [{ name: "part", value: toHex(joinSegments(segments)), unit: "" }];
  return { protocol, device: {}, readings, warnings: ["part of a longer message"] };
}

/** Link layer frames: SNRM and UA carry parameters, the others at most a manufacturer's text. */
function decodeLink(frames: readonly FrameAt[], { trace }: DlmsDecodeOptions): Decoded {
  const readings = frames.flatMap(({ frame, informationOffset: base }): DecodedValue[] => {
    const { control, information } = frame;
    const row = { name: "control", value: hdlcControlName(control), unit: "" };
    if (information.length === 0) return [row];
    if (control.type === "snrm" || control.type === "ua")
      return [row, ...parameterRows(parseHdlcParameters(information, { trace, base }))];
    trace?.push({ offset: base, bytes: information.length, name: "information", value: toHex(information) });
    return [row, { name: "information", value: toHex(information), unit: "" }];
  });
  return { protocol, device: {}, readings, warnings: [] };
}

const parameterRows = (parameters: HdlcParameters): DecodedValue[] => [
  { name: "maxInfoTx", value: parameters.maxInfoTx, unit: "bytes" },
  { name: "maxInfoRx", value: parameters.maxInfoRx, unit: "bytes" },
  { name: "windowTx", value: parameters.windowTx, unit: "frames" },
  { name: "windowRx", value: parameters.windowRx, unit: "frames" },
];
