import type { StepName } from "@metrum/vocabulary";
import type { Conversation, Step } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import type { HdlcAddress } from "./frames.ts";

/** A message to send over a link and how to recognise its answer. */
export interface LinkRequest {
  /** Code of the request, for the exchange log. */
  readonly label: StepName;
  readonly apdu: Uint8Array;
  /** Whether a received message is the answer; others are late or foreign and ignored. Throws nothing. */
  readonly isAnswer: (apdu: Uint8Array) => boolean;
}

/** Transport of messages between client and meter. */
export interface Link {
  /** Names the transport in the log. */
  readonly name: "hdlc" | "wrapper";
  /** The link itself repeats lost frames, so that the layer above must not. */
  readonly isReliable: boolean;
  readonly open: () => Conversation<void>;
  /**
   * Sends a message and gives the whole answer. Errors: ProtocolError "timeout", "checksum", "unexpected",
   * "refused".
   */
  readonly ask: (request: LinkRequest) => Conversation<Uint8Array>;
  /** Ends the connection; silence is no error here. */
  readonly close: () => Conversation<void>;
}

/** Time limits in milliseconds; the runner adds the delay of the channel. */
export interface LinkLimits {
  readonly answerMs: number;
  readonly interByteMs: number;
  /** Attempts for repeatable requests. */
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

/** Whether a retry may help: no answer, or a damaged one. */
export const isLost = (error: unknown): boolean =>
  error instanceof ProtocolError && (error.kind === "timeout" || error.kind === "checksum");
