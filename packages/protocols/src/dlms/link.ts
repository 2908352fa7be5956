import type { StepName } from "@metrum/vocabulary";
import type { Conversation, Step } from "../core/conversation.ts";
import { ProtocolError } from "../core/errors.ts";
import type { HdlcAddress } from "./types.ts";

/** A message to send over a link and how to know its answer. */
export interface LinkRequest {
  /** What is asked, for the exchange log. */
  readonly label: StepName;
  readonly apdu: Uint8Array;
  /** Whether a message that came is the answer; others are late or foreign and passed over. Throws nothing. */
  readonly isAnswer: (apdu: Uint8Array) => boolean;
}

/** What carries messages between client and meter. */
export interface Link {
  /** Names the transport in the log. */
  readonly name: "hdlc" | "wrapper";
  /** The link sees by itself to lost frames, so that a message is not sent again from above. */
  readonly isReliable: boolean;
  readonly open: () => Conversation<void>;
  /** Sends a message and gives the whole answer. Errors: ProtocolError "timeout", "checksum", "unexpected", "refused". */
  readonly ask: (request: LinkRequest) => Conversation<Uint8Array>;
  /** Lets the meter go; silence is no error here. */
  readonly close: () => Conversation<void>;
}

/** Time limits in milliseconds; the runner adds what the channel itself needs. */
export interface LinkLimits {
  readonly answerMs: number;
  readonly interByteMs: number;
  /** Tries of what may be repeated. */
  readonly tries: number;
}

export const defaultLimits: LinkLimits = { answerMs: 3000, interByteMs: 500, tries: 3 };

export interface LinkAddress {
  readonly client: number;
  readonly server: HdlcAddress;
}

export const stepLimits = ({
  answerMs,
  interByteMs,
}: LinkLimits): Pick<Step, "firstByteMs" | "interByteMs"> => ({
  firstByteMs: answerMs,
  interByteMs,
});

/** Whether asking again may help: nothing came, or it came damaged. */
export const isLost = (error: unknown): boolean =>
  error instanceof ProtocolError && (error.kind === "timeout" || error.kind === "checksum");
