import type { StepName } from "@metrum/vocabulary";
import type { Conversation, Step } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import {
  char,
  matchMessage,
  maxBlockBytes,
  parseMessage,
  type BlockCheck,
  type IecMessage,
} from "./message.ts";
import { withEvenParity } from "./text.ts";

/** Properties of the line to a meter. */
export interface IecLine {
  /** Address in the sign-on; empty for a meter that is alone. */
  readonly address: string;
  /**
   * Speed of a line that cannot change it (modem, converter): the meter is requested to keep it. Undefined
   * accepts the meter's offer, and a capable line follows.
   */
  readonly fixedBaud?: number;
  /** The line carries 8N1: even parity is set in software. */
  readonly evenParity?: boolean;
  /** How this meter closes its blocks and expects them closed; default "xor". */
  readonly check?: BlockCheck;
  /** The meter reports refusals as a bare number in brackets, `(01)`, without the letters ERR. */
  readonly hasBareErrors?: boolean;
}

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

/** A message of ours, and any whole message as its answer. */
export const step = (line: IecLine, label: StepName, send: Uint8Array, tries = 1): Step => ({
  ...limits,
  label,
  send: line.evenParity === true ? withEvenParity(send) : send,
  match: (raw) => matchMessage(raw, line.check),
  tries,
});

interface Turn {
  readonly label: StepName;
  readonly send: Uint8Array;
  /** Read-only: may be repeated after a time-out. */
  readonly isSafe: boolean;
  readonly speed?: Pick<Step, "atStartSpeed" | "speedAfter">;
}

/**
 * One message and its answer. A damaged answer is requested again by NAK, a NAK of the meter repeats the
 * request; each at most 3 times.
 * Source: IEC 62056-21, 6.3.8.
 */
export function* exchange(line: IecLine, turn: Turn): Conversation<IecMessage> {
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

/**
 * A block of data. Errors: ProtocolError "refused" when the meter broke off, "unexpected" for another
 * message.
 */
export function dataOf(message: IecMessage): Data {
  if (message.kind === "data") return message;
  if (message.kind === "command" && message.command === "B0")
    throw new ProtocolError("refused", "the meter broke off");
  throw new ProtocolError("unexpected", `${message.kind} came in place of data`);
}

/** The blocks after one that ended in EOT. */
export function* restOf(line: IecLine, first: Data): Conversation<string> {
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
