import type { Conversation, Match } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import { dataOf, exchange, restOf, step, type IecLine } from "./exchange.ts";
import {
  bauds,
  commandBlock,
  matchMessage,
  maxBlockBytes,
  messageLength,
  optionSelect,
  parseMessage,
  signOn,
  type BlockCheck,
  type IecMessage,
} from "./message.ts";
import { withoutParity } from "./text.ts";

export type Identification = Extract<IecMessage, { kind: "identification" }>;
/**
 * Signs on to the meter. It must identify itself; if a session was left open before, the first request may
 * only end it, so it is sent up to three times.
 * Source: IEC 62056-21, 6.3.1 and 6.3.2. Errors: ProtocolError "timeout", "unexpected" when something else
 * answers.
 */
export function* callMeter(line: IecLine): Conversation<Identification> {
  const message = parseMessage(
    yield {
      ...step(
        line,
        line.address === "" ? "sign_on_any" : { code: "sign_on", n: line.address },
        signOn(line.address),
        3,
      ),
      atStartSpeed: true,
    },
  );
  if (message.kind !== "identification")
    throw new ProtocolError("unexpected", "the meter does not identify itself");
  return message;
}

/**
 * Speed character of our acknowledgement. A letter (mode B) or a sign (mode A) needs none. Errors:
 * ProtocolError "unsupported" for a speed that has no character.
 */
function baudFor(line: IecLine, offered: string): string {
  if (line.fixedBaud === undefined) return offered;
  const code = bauds.indexOf(line.fixedBaud);
  if (code < 0) throw new ProtocolError("unsupported", `${line.fixedBaud} baud has no character in mode C`);
  return String(code);
}

const isModeC = (baud: string): boolean => /^[0-9]$/.test(baud);

/**
 * The acknowledgement of an offer. It is sent at the initial baud rate, and both sides change after its last
 * bit, well before the meter answers. A repetition is sent at the initial rate too: a meter that has not
 * understood it still listens there.
 * Source: IEC 62056-21, 6.3.3 and 6.4.1.
 */
export function acknowledgement(line: IecLine, offered: string, to: { mode: string; protocol?: string }) {
  const baud = baudFor(line, offered);
  const speed = line.fixedBaud === undefined ? bauds[Number(baud)] : undefined;
  return {
    send: optionSelect({ ...to, baud }),
    speed: { atStartSpeed: true, ...(speed === undefined ? {} : { speedAfter: speed }) },
  } as const;
}

/**
 * Reads the whole data read-out: mode C, and A or B, whose meters send it right behind the identification.
 * Those of mode B change speed there unasked, which no line supports: they are read only where both speeds
 * are the same.
 * Source: IEC 62056-21, 6.4.1 to 6.4.3. Returns the text of the block. Errors: ProtocolError "timeout",
 * "checksum" after 3 repeats, "unexpected".
 */
export function* readOut(line: IecLine): Conversation<{ identification: Identification; text: string }> {
  const reply = withoutParity(
    yield {
      ...step(line, "sign_on_read_out", signOn(line.address), 3),
      match: (raw) => matchOpening(raw, line.check),
      atStartSpeed: true,
    },
  );
  const length = messageLength(reply) ?? reply.length;
  const identification = parseMessage(reply.subarray(0, length));
  if (identification.kind !== "identification")
    throw new ProtocolError("unexpected", "the meter does not identify itself");
  if (!isModeC(identification.baud))
    return { identification, text: dataOf(parseMessage(reply.subarray(length), line)).text };
  const data = dataOf(
    yield* exchange(line, {
      label: "ask_read_out",
      ...acknowledgement(line, identification.baud, { mode: "0" }),
      isSafe: true,
    }),
  );
  return { identification, text: data.text + (yield* restOf(line, data)) };
}

/** The identification alone (mode C), or with the block behind it (A, B). */
function matchOpening(raw: Uint8Array, check: BlockCheck | undefined): Match {
  const head = matchMessage(raw, check);
  if (head.state === "more") return head;
  const skip = head.skip ?? 0;
  const message = parseMessage(raw.subarray(skip, skip + head.length));
  if (message.kind !== "identification" || isModeC(message.baud)) return head;
  const block = raw.subarray(skip + head.length);
  const rest = block.length === 0 ? undefined : messageLength(withoutParity(block));
  if (rest === undefined) {
    if (raw.length > maxBlockBytes) throw new ProtocolError("unexpected", "the block does not end");
    return { state: "more", skip };
  }
  parseMessage(block.subarray(0, rest), { check });
  return { state: "frame", length: head.length + rest, skip };
}

/**
 * Signs on and switches the meter to binary mode (mode E, acknowledgement 06 32 Z 32); the meter confirms at
 * the speed of Z, still in 7E1, and HDLC continues there in 8N1. A line of 7 data bits cannot follow: it must
 * be opened with 8N1 and `evenParity`.
 * Source: IEC 62056-21, annex E; IEC 62056-42; that the confirmation comes at the new speed is what public
 * clients do. Returns the identification of the meter, and the speed.
 * Errors: ProtocolError "unsupported" when the meter does not offer mode E or answers otherwise.
 */
export function* switchToBinary(
  line: IecLine,
): Conversation<{ identification: Identification; baud: number }> {
  const identification = yield* callMeter(line);
  const baud = bauds[Number(baudFor(line, identification.baud))];
  if (baud === undefined) throw new ProtocolError("unsupported", "the meter offers no speed of mode C");
  const { send, speed } = acknowledgement(line, identification.baud, { protocol: "2", mode: "2" });
  const answer = parseMessage(yield { ...step(line, "switch_to_binary", send), ...speed, match: matchLine });
  if (answer.kind !== "option" || answer.mode !== "2")
    throw new ProtocolError("unsupported", "the meter does not switch to binary mode");
  return { identification, baud };
}

/**
 * Identification of the meter, without a password: it is put into programming mode, where nothing is
 * requested, and the session is ended at once, so that it does not begin its read-out. A meter without that
 * mode does not answer the break.
 * Source: IEC 62056-21, 6.3.2 and 6.4.3. Errors: as `callMeter`.
 */
export function* nameOf(line: IecLine): Conversation<Identification> {
  const identification = yield* callMeter(line);
  const { send, speed } = acknowledgement(line, identification.baud, { mode: "1" });
  try {
    if (isModeC(identification.baud)) yield { ...step(line, "enter_programming", send), ...speed };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
  }
  yield { ...step(line, "break_off", commandBlock("B0", undefined, line.check)), match: undefined };
  return identification;
}

/** A complete line: the acknowledgement of mode E begins like a bare ACK. */
function matchLine(raw: Uint8Array): Match {
  const end = withoutParity(raw).indexOf(0x0a);
  return end < 0 ? { state: "more" } : { state: "frame", length: end + 1 };
}
