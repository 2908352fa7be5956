import { stepAt, type StepName } from "@metrum/vocabulary";
import { ByteWriter } from "../../core/bytes.ts";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { clientAddress, encodeHdlc, isSameAddress, llc, matchHdlc, parseHdlc, withoutLlc } from "./hdlc.ts";
import { hdlcControlName } from "./hdlcControl.ts";
import { hdlcParametersBytes, parseHdlcParameters } from "./hdlcParameters.ts";
import { isLost, stepLimits, type Link, type LinkAddress, type LinkLimits } from "./link.ts";
import type { HdlcControl, HdlcFrame } from "./frames.ts";

export interface HdlcOptions extends LinkAddress {
  readonly limits: LinkLimits;
  /** Information length proposed by SNRM; absent: SNRM proposes nothing and the meter decides. */
  readonly maxInfo?: number;
}

/** Limit for a meter that never stops sending segments: more than the longest message. */
const maxMessageBytes = 0x40000;
const modulus = 8;

interface Talk {
  readonly options: HdlcOptions;
  /** N(S) of the next sent I frame, and of the next expected one. */
  send: number;
  receive: number;
  /** Maximum information length that the meter accepts. */
  maxInfo: number;
}

/**
 * Messages in HDLC frames.
 * Source: IEC 62056-46, 6.4. Layout: SNRM/UA, I frames with window 1, long messages in segments that are each
 * acknowledged with RR, DISC. After a lost frame an RR is sent: the meter repeats its answer, or shows by
 * N(R) that the frame must be sent again. So nothing is executed twice, and an answer with another N(S) is
 * never accepted.
 * Errors: see `Link`; "refused" when the meter has left the connection (DM) or rejects a frame (FRMR).
 */
export function hdlcLink(options: HdlcOptions): Link {
  const talk: Talk = { options, send: 0, receive: 0, maxInfo: 128 };
  return {
    name: "hdlc",
    isReliable: true,
    open: () => connect(talk),
    ask: (request) => exchange(talk, request.label, request.apdu),
    close: () => disconnect(talk),
  };
}

function* connect(talk: Talk): Conversation<void> {
  const { maxInfo, limits } = talk.options;
  const information =
    maxInfo === undefined
      ? new Uint8Array(0)
      : hdlcParametersBytes({ maxInfoTx: maxInfo, maxInfoRx: maxInfo, windowTx: 1, windowRx: 1 });
  const frame = yield* ask(talk, {
    label: "connect",
    send: frameOf(talk, { type: "snrm", isFinal: true }, { information }),
    isWanted: ({ control }) => control.type === "ua" || control.type === "dm",
    tries: limits.tries,
  });
  if (frame.control.type === "dm")
    throw new ProtocolError("refused", "the meter refuses the connection (DM)");
  talk.send = 0;
  talk.receive = 0;
  // The meter's receive size is the client's send size.
  talk.maxInfo = Math.max(16, parseHdlcParameters(frame.information).maxInfoRx);
}

function* disconnect(talk: Talk): Conversation<void> {
  yield* ask(talk, {
    label: "disconnect",
    send: frameOf(talk, { type: "disc", isFinal: true }),
    isWanted: ({ control }) => control.type === "ua" || control.type === "dm",
    tries: 1,
  });
}

function* exchange(talk: Talk, label: StepName, apdu: Uint8Array): Conversation<Uint8Array> {
  const message = new ByteWriter(apdu.length + 3).raw(llc.toServer).raw(apdu).finish();
  for (let at = 0; ; at += talk.maxInfo) {
    const information = message.subarray(at, at + talk.maxInfo);
    const isLast = at + talk.maxInfo >= message.length;
    const part = at === 0 && isLast ? label : stepAt(label, { fromByte: at });
    const reply = yield* deliver(talk, { label: part, information, isLast });
    if (isLast) return yield* collect(talk, label, reply);
  }
}

/** The rest of an answer whose first frame was received; each segment is acknowledged before the next one. */
function* collect(talk: Talk, label: StepName, first: HdlcFrame): Conversation<Uint8Array> {
  const message = new ByteWriter(first.information.length).raw(first.information);
  let isWhole = !first.isSegmented;
  for (let part = 2; !isWhole; part++) {
    const next = yield* untilAnswered(talk, {
      label: stepAt(label, { segment: part }),
      send: readyFrame(talk),
      wants: "i",
    });
    message.raw(next.information);
    if (message.length > maxMessageBytes) throw new ProtocolError("unexpected", "the answer never ends");
    isWhole = !next.isSegmented;
  }
  return withoutLlc(message.finish());
}

/** One I frame: the answer to the last one of a message is an I frame, to the others RR. */
function* deliver(
  talk: Talk,
  of: { label: StepName; information: Uint8Array; isLast: boolean },
): Conversation<HdlcFrame> {
  const { send, receive } = talk;
  const frame = frameOf(
    talk,
    { type: "i", send, receive, isFinal: true },
    {
      information: of.information,
      isSegmented: !of.isLast,
    },
  );
  talk.send = (send + 1) % modulus;
  return yield* untilAnswered(talk, { label: of.label, send: frame, wants: of.isLast ? "i" : "rr" });
}

interface Delivery {
  readonly label: StepName;
  readonly send: Uint8Array;
  readonly wants: "i" | "rr";
}

/** The next frame to send. */
interface Ready {
  readonly frame: Uint8Array;
  readonly label: StepName;
}

/** Sends once; after a loss requests its state with RR, and repeats only what the meter has not received. */
function* untilAnswered(talk: Talk, { label, send, wants }: Delivery): Conversation<HdlcFrame> {
  const { tries } = talk.options.limits;
  let next: Ready = { frame: send, label };
  for (let attempt = 1, losses = 0; ; attempt++) {
    const isLastTry = attempt >= tries * 2;
    try {
      const isWanted = (each: HdlcFrame): boolean => isNext(talk, each);
      const reply = yield* ask(talk, { label: next.label, send: next.frame, isWanted, tries: 1 });
      if (isDone(talk, reply, wants)) return reply;
      if (isLastTry)
        throw new ProtocolError("timeout", `the meter answers only ${hdlcControlName(reply.control)}`);
      next = afterWord(talk, reply.control, { label, send, wants });
    } catch (error) {
      losses += 1;
      if (!isLost(error) || losses >= tries || isLastTry) throw error;
      next = { frame: readyFrame(talk), label: stepAt(label, { again: "lost" }) };
    }
  }
}

/**
 * Whether this is the expected frame; counts an I frame as received. Errors: ProtocolError "unexpected",
 * "refused" (DM, FRMR).
 */
function isDone(talk: Talk, { control }: HdlcFrame, wants: Delivery["wants"]): boolean {
  if (control.type === "i") {
    if (wants !== "i") throw new ProtocolError("unexpected", "an answer before the question is whole");
    talk.receive = (talk.receive + 1) % modulus;
    return true;
  }
  if (control.type !== "rr" && control.type !== "rnr") throw leftError(control);
  return wants === "rr" && control.type === "rr" && control.receive === talk.send;
}

/**
 * RR that still expects our frame: it has not come, and goes again. With any other number it may have been
 * carried out: only its answer is requested.
 */
function afterWord(talk: Talk, control: HdlcControl, { label, send }: Delivery): Ready {
  const isMissing = control.type === "rr" && control.receive === (talk.send + modulus - 1) % modulus;
  return isMissing
    ? { frame: send, label: stepAt(label, { again: "not_received" }) }
    : { frame: readyFrame(talk), label: stepAt(label, { again: "not_ready" }) };
}

/** The next I frame in sequence, or a link layer frame. An I frame with another number is an old one. */
function isNext(talk: Talk, { control }: HdlcFrame): boolean {
  if (control.type === "i") return control.send === talk.receive && control.receive === talk.send;
  return control.type === "rr" || control.type === "rnr" || control.type === "dm" || control.type === "frmr";
}

const leftError = (control: HdlcControl): ProtocolError =>
  new ProtocolError("refused", `the meter has ended the connection (${control.type.toUpperCase()})`);

const readyFrame = (talk: Talk): Uint8Array =>
  frameOf(talk, { type: "rr", receive: talk.receive, isFinal: true });

function frameOf(
  { options: { client, server } }: Talk,
  control: HdlcControl,
  body: { information?: Uint8Array; isSegmented?: boolean } = {},
): Uint8Array {
  return encodeHdlc({
    destination: server,
    source: clientAddress(client),
    control,
    isSegmented: body.isSegmented ?? false,
    information: body.information ?? new Uint8Array(0),
  });
}

interface Ask {
  readonly label: StepName;
  readonly send: Uint8Array;
  readonly isWanted: (frame: HdlcFrame) => boolean;
  readonly tries: number;
}

function* ask({ options }: Talk, { label, send, isWanted, tries }: Ask): Conversation<HdlcFrame> {
  const isForUs = ({ source, destination }: HdlcFrame): boolean =>
    destination.bytes === 1 && destination.upper === options.client && isSameAddress(source, options.server);
  const received = yield {
    label,
    send,
    match: matchHdlc((frame) => isForUs(frame) && isWanted(frame)),
    ...stepLimits(options.limits),
    tries,
  };
  return parseHdlc(received);
}
