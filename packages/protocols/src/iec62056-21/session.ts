import type { StepName, TraceName } from "@metrum/vocabulary";
import type { Conversation, Match, Step } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import {
  bauds,
  char,
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
import { withEvenParity, withoutParity } from "./text.ts";

/** Properties of the line to a meter. */
export interface IecLine {
  /** Address in the sign-on; empty for a meter that is alone. */
  readonly address: string;
  /**
   * Speed of a line that cannot change it (modem, converter): the meter is told to stay there. Undefined takes the meter's offer, and a
   * line that can goes there with it.
   */
  readonly fixedBaud?: number;
  /** The line carries 8N1: even parity is set in software. */
  readonly evenParity?: boolean;
  /** How this meter closes its blocks and expects them closed; default "xor". */
  readonly check?: BlockCheck;
  /** The meter reports refusals as a bare number in brackets, `(01)`, without the letters ERR. */
  readonly hasBareErrors?: boolean;
}

export type Identification = Extract<IecMessage, { kind: "identification" }>;
type Data = Extract<IecMessage, { kind: "data" }>;

/**
 * Reaction time: a meter answers within 200 to 1500 ms, and expects the same of the client (20 ms if the
 * third letter of its manufacturer is lower case).
 * Source: IEC 62056-21, 6.3.14 (reaction time).
 */
const limits = { firstByteMs: 2500, interByteMs: 1500, reactionMs: 200 };
/** NAK may be sent this often for one message. Source: IEC 62056-21, 6.3.8. */
const maxNaks = 3;
/** More blocks than any answer has. */
const maxBlocks = 512;

const step = (line: IecLine, label: StepName, send: Uint8Array, tries = 1): Step => ({
  ...limits,
  label,
  send: line.evenParity === true ? withEvenParity(send) : send,
  match: (raw) => matchMessage(raw, line.check),
  tries,
});

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

/** Speed character of our acknowledgement. A letter (mode B) or a sign (mode A) needs none. Errors: ProtocolError "unsupported" for a speed that has no character. */
export function baudFor(line: IecLine, offered: string): string {
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
function acknowledgement(line: IecLine, offered: string, to: { mode: string; protocol?: string }) {
  const baud = baudFor(line, offered);
  const speed = line.fixedBaud === undefined ? bauds[Number(baud)] : undefined;
  return {
    send: optionSelect({ ...to, baud }),
    speed: { atStartSpeed: true, ...(speed === undefined ? {} : { speedAfter: speed }) },
  } as const;
}

/**
 * Reads the whole data read-out: mode C, and A or B, whose meters send it right behind the identification. Those of mode B change speed
 * there without being asked, which no line of ours follows: they are read only where both speeds are the same.
 * Source: IEC 62056-21, 6.4.1 to 6.4.3. Returns the text of the block. Errors: ProtocolError "timeout", "checksum" after 3 repeats, "unexpected".
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
 * Signs on and switches the meter to binary mode (mode E, acknowledgement 06 32 Z 32); the meter confirms at the speed of Z, still in 7E1, and
 * HDLC goes on there in 8N1. A line of 7 data bits cannot follow: it must be opened with 8N1 and `evenParity`.
 * Source: IEC 62056-21, annex E; IEC 62056-42; that the confirmation comes at the new speed is what public clients do. Returns what the meter called itself, and the speed.
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
 * What the meter calls itself, without a password: it is let into programming mode, where nothing is asked, and broken off at once, so that it
 * does not begin its read-out. A meter without that mode answers nothing to the break.
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

/** Access to programming mode. */
export interface IecAccess {
  /** Undefined: no password is required. */
  readonly password?: string;
  /** Answer to the meter's seed where the password must be ciphered (P2); the algorithm is the maker's. */
  readonly cipher?: (seed: string, password: string) => string;
}

/**
 * Holds `work` in programming mode and leaves with a break, also when the work fails.
 * Source: IEC 62056-21, 6.4.3.2 and 6.5. Errors: those of `work`; ProtocolError "bad_password" when the meter refuses it or breaks off.
 */
export function* inProgramming<Result>(
  line: IecLine,
  access: IecAccess,
  work: () => Conversation<Result>,
): Conversation<Result> {
  const identification = yield* callMeter(line);
  const opened = yield* exchange(line, {
    label: "enter_programming",
    ...acknowledgement(line, identification.baud, { mode: "1" }),
    isSafe: true,
  });
  try {
    if (opened.kind !== "command" || opened.command !== "P0")
      throw new ProtocolError("unsupported", "the meter has no programming mode");
    if (access.password !== undefined)
      yield* signIn(line, access, { seed: opened.text, password: access.password });
    return yield* work();
  } finally {
    yield { ...step(line, "break_off", commandBlock("B0", undefined, line.check)), match: undefined };
  }
}

function* signIn(
  line: IecLine,
  access: IecAccess,
  of: { seed: string; password: string },
): Conversation<void> {
  const seed = /^\((.*)\)$/.exec(of.seed)?.[1] ?? of.seed;
  const send = access.cipher
    ? commandBlock("P2", `(${access.cipher(seed, of.password)})`, line.check)
    : commandBlock("P1", `(${of.password})`, line.check);
  const answer = yield* exchange(line, { label: "send_password", send, isSafe: false });
  if (answer.kind === "ack") return;
  const detail = answer.kind === "data" ? errorOf(answer.text, line)?.detail : undefined;
  throw new ProtocolError(
    "bad_password",
    "the meter does not take the password",
    detail === undefined ? {} : { detail },
  );
}

/**
 * Reads a value or a block in programming mode.
 * Source: IEC 62056-21, 6.3.7 (R1 to R6). `data` is `address(arguments)`. Partial blocks are acknowledged one by one and joined.
 * Errors: ProtocolError "refused" with the number of `(ERRnn)`, "timeout", "checksum", "unexpected".
 */
export function* readValue(line: IecLine, data: string, command = "R1"): Conversation<string> {
  const answer = yield* exchange(line, {
    label: { code: "read", what: dataSet(data.replace(/\(\)$/, "")) },
    send: commandBlock(command, data, line.check),
    isSafe: true,
  });
  const first = dataOf(answer);
  const text = first.text + (yield* restOf(line, first));
  const error = errorOf(text, line);
  if (error) throw error;
  return text;
}

/** The blocks after one that ended in EOT. */
function* restOf(line: IecLine, first: Data): Conversation<string> {
  let text = "";
  let isLast = first.isLast;
  for (let count = 0; !isLast; count++) {
    if (count >= maxBlocks || text.length > maxBlockBytes)
      throw new ProtocolError("unexpected", "the answer does not end");
    const next = dataOf(
      yield* exchange(line, { label: "go_on", send: Uint8Array.of(char.ack), isSafe: false }),
    );
    text += next.text;
    ({ isLast } = next);
  }
  return text;
}

/**
 * Writes a value (W1 to W5) or has a command carried out (E2). It is sent again only when the meter says that it came damaged.
 * Errors: ProtocolError "refused" with the number of `(ERRnn)`, "timeout", "unexpected".
 */
export function* writeValue(line: IecLine, data: string, command = "W1"): Conversation<void> {
  const answer = yield* exchange(line, {
    label: { code: "write", what: dataSet(data.replace(/\(.*/s, "")) },
    send: commandBlock(command, data, line.check),
    isSafe: false,
  });
  if (answer.kind === "ack") return;
  throw (
    (answer.kind === "data" ? errorOf(answer.text, line) : undefined) ??
    new ProtocolError("refused", "the meter does not take the value")
  );
}

const written = /^[^()]*\(ER(?:R(?:OR)?)?[ :]?(\d{1,4})?[^()]*\)/;
/** Neva: published captures of an MT 324 show `(01)` for an address that it does not have. */
const bare = /^\((\d{2})\)\s*$/;

/** `(ERR12)`, `(ERROR)`, `ER`: error answers of the meter; the number is in `detail`. */
export function errorOf(
  text: string,
  { hasBareErrors = false }: Pick<IecLine, "hasBareErrors"> = {},
): ProtocolError | undefined {
  const [whole, number] = written.exec(text) ?? (hasBareErrors ? bare.exec(text) : null) ?? [];
  if (whole === undefined) return undefined;
  return new ProtocolError(
    "refused",
    `the meter says ${whole.trim()}`,
    number === undefined ? {} : { detail: Number(number) },
  );
}

function dataOf(message: IecMessage): Data {
  if (message.kind === "data") return message;
  if (message.kind === "command" && message.command === "B0")
    throw new ProtocolError("refused", "the meter broke off");
  throw new ProtocolError("unexpected", `${message.kind} came in place of data`);
}

const dataSet = (address: string): TraceName => ({ code: "data_set", n: address });

interface Turn {
  readonly label: StepName;
  readonly send: Uint8Array;
  /** Read-only: may be repeated after a time-out. */
  readonly isSafe: boolean;
  readonly speed?: Pick<Step, "atStartSpeed" | "speedAfter">;
}

/**
 * One message and its answer. A damaged answer is asked for again by NAK, a NAK of the meter repeats ours; each at most 3 times.
 * Source: IEC 62056-21, 6.3.8.
 */
function* exchange(line: IecLine, turn: Turn): Conversation<IecMessage> {
  let isAgain = false;
  let failure: ProtocolError | undefined;
  for (let count = 0; count <= maxNaks; count++) {
    try {
      const message = parseMessage(
        yield isAgain
          ? step(line, turn.label, Uint8Array.of(char.nak))
          : { ...step(line, turn.label, turn.send), ...turn.speed },
        line,
      );
      if (message.kind !== "nak") return message;
      failure = new ProtocolError("refused", "the meter did not understand");
      isAgain = false;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      failure = error;
      if (error.kind !== "checksum" && !(error.kind === "timeout" && turn.isSafe)) throw error;
      isAgain = error.kind === "checksum";
    }
  }
  throw failure ?? new ProtocolError("timeout", "no answer");
}
