import { ByteWriter } from "../../core/bytes.ts";
import { ProtocolError } from "../../core/errors.ts";
import {
  clientAddress,
  encodeHdlc,
  hdlcLength,
  isSameAddress,
  llc,
  parseHdlc,
  withoutLlc,
} from "../link/hdlc.ts";
import { defaultHdlcParameters, hdlcParametersBytes, parseHdlcParameters } from "../link/hdlcParameters.ts";
import type { HdlcAddress, HdlcControl, HdlcFrame } from "../link/frames.ts";
import { encodeWrapper, parseWrapper, wrapperLength } from "../link/wrapper.ts";
import type { MeterServer } from "./server.ts";

/** Complete frames at the front of the received bytes, and the incomplete rest. */
function cut(bytes: Uint8Array, lengthAt: (bytes: Uint8Array, at: number) => number | undefined) {
  const frames: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = lengthAt(bytes, at);
    if (length === undefined) break;
    if (length > 0) frames.push(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return { frames, left: bytes.slice(at) };
}

/** More unparsed bytes than the longest message are noise. */
const maxPending = 70_000;

const appended = (pending: Uint8Array, bytes: Uint8Array): Uint8Array =>
  new ByteWriter(pending.length + bytes.length).raw(pending).raw(bytes).finish().slice(-maxPending);

/** The meter behind the wrapper: answers messages for its logical device. */
export function wrapperSide(server: MeterServer, logical: number): (bytes: Uint8Array) => Uint8Array[] {
  let pending: Uint8Array = new Uint8Array(0);
  return (bytes) => {
    const { frames, left } = cut(appended(pending, bytes), wrapperLength);
    pending = left;
    return frames.flatMap((frame) => {
      const { source, destination, payload } = parseWrapper(frame);
      const answer = destination === logical ? server.receive(payload, source) : undefined;
      return answer ? [encodeWrapper({ source: logical, destination: source, payload: answer })] : [];
    });
  };
}

interface Line {
  client: number | undefined;
  /** N(S) of the next sent I frame, and of the next expected one. */
  send: number;
  receive: number;
  maxInfo: number;
  incoming: Uint8Array;
  /** The rest of the answer, and the unacknowledged I frame. */
  outgoing: Uint8Array;
  unacknowledged: Uint8Array | undefined;
}

const closed = (): Line => ({
  client: undefined,
  send: 0,
  receive: 0,
  maxInfo: defaultHdlcParameters.maxInfoTx,
  incoming: new Uint8Array(0),
  outgoing: new Uint8Array(0),
  unacknowledged: undefined,
});

export interface HdlcSide {
  readonly server: MeterServer;
  readonly address: HdlcAddress;
  /** Bytes of information in one frame, either way. */
  readonly maxInfo: number;
}

/**
 * The meter behind HDLC, window 1: SNRM/UA, I frames in segments, RR for retransmission, DISC. Silent for
 * other addresses and damaged frames; without a connection it answers DM.
 * Source: IEC 62056-46, 6.4.
 */
export function hdlcSide(side: HdlcSide): (bytes: Uint8Array) => Uint8Array[] {
  let pending: Uint8Array = new Uint8Array(0);
  let line = closed();
  const handle = (frame: HdlcFrame): Uint8Array | undefined => {
    const client = frame.source.upper;
    const { control } = frame;
    if (control.type === "snrm") {
      side.server.reset();
      const proposed = parseHdlcParameters(frame.information);
      line = { ...closed(), client, maxInfo: Math.min(side.maxInfo, proposed.maxInfoRx) };
      return reply(side, client, { type: "ua", isFinal: true }, grantedBytes(side, line));
    }
    if (line.client !== client)
      return control.type === "ua" ? undefined : reply(side, client, { type: "dm", isFinal: true });
    if (control.type === "disc") {
      side.server.reset();
      line = closed();
      return reply(side, client, { type: "ua", isFinal: true });
    }
    if (control.type === "rr") return ready(side, line, control.receive);
    return control.type === "i" ? take(side, line, { frame, control }) : undefined;
  };
  return (bytes) => {
    const { frames, left } = cut(appended(pending, bytes), hdlcLength);
    pending = left;
    return frames.flatMap((each) => {
      const frame = soundFrame(each);
      return frame && isSameAddress(frame.destination, side.address) ? (handle(frame) ?? []) : [];
    });
  };
}

function soundFrame(bytes: Uint8Array): HdlcFrame | undefined {
  try {
    return parseHdlc(bytes);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

const grantedBytes = ({ maxInfo }: HdlcSide, line: Line): Uint8Array =>
  hdlcParametersBytes({ maxInfoTx: line.maxInfo, maxInfoRx: maxInfo, windowTx: 1, windowRx: 1 });

function reply(
  { address }: HdlcSide,
  client: number,
  control: HdlcControl,
  information: Uint8Array = new Uint8Array(0),
  isSegmented = false,
): Uint8Array {
  return encodeHdlc({
    destination: clientAddress(client),
    source: address,
    control,
    isSegmented,
    information,
  });
}

const readyFrame = (side: HdlcSide, line: Line): Uint8Array =>
  reply(side, line.client ?? 0, { type: "rr", receive: line.receive, isFinal: true });

/**
 * RR of the client: an acknowledgement brings the next segment, a repetition of its number our last frame
 * again.
 */
function ready(side: HdlcSide, line: Line, receive: number): Uint8Array {
  if (line.unacknowledged && receive !== line.send) return line.unacknowledged;
  line.unacknowledged = undefined;
  return line.outgoing.length > 0 ? nextSegment(side, line) : readyFrame(side, line);
}

function take(
  side: HdlcSide,
  line: Line,
  { frame, control }: { frame: HdlcFrame; control: Extract<HdlcControl, { type: "i" }> },
): Uint8Array {
  // A frame received before is not executed twice: the last answer is sent again.
  if (control.send !== line.receive) return line.unacknowledged ?? readyFrame(side, line);
  line.receive = (line.receive + 1) % 8;
  line.unacknowledged = undefined;
  line.incoming = appended(line.incoming, frame.information);
  if (frame.isSegmented) return readyFrame(side, line);
  const answer = side.server.receive(withoutLlc(line.incoming), line.client ?? 0);
  line.incoming = new Uint8Array(0);
  if (!answer) return readyFrame(side, line);
  line.outgoing = new ByteWriter(answer.length + 3).raw(llc.fromServer).raw(answer).finish();
  return nextSegment(side, line);
}

function nextSegment(side: HdlcSide, line: Line): Uint8Array {
  const information = line.outgoing.slice(0, line.maxInfo);
  line.outgoing = line.outgoing.slice(line.maxInfo);
  const { send, receive } = line;
  const control: HdlcControl = { type: "i", send, receive, isFinal: true };
  line.send = (send + 1) % 8;
  line.unacknowledged = reply(side, line.client ?? 0, control, information, line.outgoing.length > 0);
  return line.unacknowledged;
}
