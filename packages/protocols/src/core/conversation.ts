import type { StepName } from "@metrum/vocabulary";

/**
 * How much of the received bytes is a whole reply. `skip`: that many leading bytes do not belong to it (echo,
 * late answer, noise) and are dropped first.
 */
export type Match =
  | { readonly state: "more"; readonly skip?: number }
  | { readonly state: "frame"; readonly length: number; readonly skip?: number };

/** One request and how to recognise its complete answer. */
export interface Step {
  /** Code of this step in the vocabulary; shown in the exchange log. */
  readonly label: StepName;
  readonly send: Uint8Array;
  /**
   * Examines all bytes received since `send`. Throws ProtocolError when they can no longer become a valid
   * reply (wrong checksum, foreign address): that attempt has failed. Undefined: no answer is expected.
   */
  readonly match: ((received: Uint8Array) => Match) | undefined;
  /**
   * Time limits in milliseconds for the first byte and between bytes; the runner adds the channel's own
   * delay.
   */
  readonly firstByteMs: number;
  readonly interByteMs: number;
  /** Number of attempts; 1 for everything that changes the device. */
  readonly tries: number;
  /**
   * Ends the frame by silence: after `interByteMs` without a byte, the received bytes are the frame
   * (protocols without a length).
   */
  readonly endsBySilence?: boolean;
  /**
   * Sent at the initial baud rate of the line, whatever the present one; ignored on lines with a fixed rate.
   */
  readonly atStartSpeed?: true;
  /**
   * The line changes to this baud rate as soon as `send` is transmitted, before the answer. Lines with a
   * fixed rate (TCP, modems) ignore it. The runner restores the initial rate when the dialogue ends, however
   * it ends.
   */
  readonly speedAfter?: number;
  /**
   * Silence in milliseconds that a device on a local serial line needs between its last byte and the next
   * request.
   */
  readonly reactionMs?: number;
}

/**
 * Requests numbers from the runner that must never repeat (DLMS invocation counters). The runner persists the
 * new end of the range before it answers; nothing is sent. The answer is the first number, 4 bytes, high byte
 * first; the `count - 1` after it are reserved too.
 */
export interface Reservation {
  /** Whose counter: one row of numbers a device and key. */
  readonly counter: string;
  /** The first number must be at least this: the lower limit given by the device. */
  readonly atLeast: number;
  readonly count: number;
}

/**
 * A dialogue with a device: yields requests, receives complete replies, returns the result. Pure: no socket,
 * no clock, no timer. When every attempt of a step has failed the runner throws the last ProtocolError into
 * it.
 */
export type Conversation<Result> = Generator<Step | Reservation, Result, Uint8Array>;

export const isReservation = (turn: Step | Reservation): turn is Reservation => "counter" in turn;

/** The step of a dialogue without counters. Errors: Error if it requests numbers. */
export function stepOf(turn: IteratorResult<Step | Reservation, unknown>): Step {
  if (turn.done === true || isReservation(turn.value)) throw new Error("the dialogue sends nothing here");
  return turn.value;
}

/**
 * The device's side of a protocol, used by the simulator: bytes in, answers out. It keeps the unparsed rest.
 * Never throws; bytes it does not understand are dropped as a real meter drops them.
 */
export interface Responder {
  /** Replies to send, in order, for the received bytes. */
  receive(bytes: Uint8Array): Uint8Array[];
  /** Baud rate of these replies and of further requests, for a device that changes it; absent: unchanged. */
  readonly baud?: () => number;
}
