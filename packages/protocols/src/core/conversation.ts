import type { StepName } from "@metrum/vocabulary";

/**
 * How much of what has arrived is a whole reply.
 * `skip`: that many bytes in front are not ours (echo, late answer, noise) and are dropped first.
 */
export type Match =
  | { readonly state: "more"; readonly skip?: number }
  | { readonly state: "frame"; readonly length: number; readonly skip?: number };

/** One exchange on the line: what to send and how to know that the answer is whole. */
export interface Step {
  /** What this step does, by a code of the vocabulary; shown in the exchange log. */
  readonly label: StepName;
  readonly send: Uint8Array;
  /**
   * Looks at all bytes received since `send`. Throws ProtocolError when they can no longer become a valid reply
   * (wrong checksum, foreign address): that try has failed. Undefined: no answer is expected.
   */
  readonly match: ((received: Uint8Array) => Match) | undefined;
  /** Limits in milliseconds of the first byte and of silence between bytes; the runner adds the channel's own delay. */
  readonly firstByteMs: number;
  readonly interByteMs: number;
  /** Tries in all; 1 for everything that changes the device. */
  readonly tries: number;
  /** Ends the frame by silence: after `interByteMs` without a byte, what has come is the frame (protocols without a length). */
  readonly endsBySilence?: boolean;
  /** Goes out at the speed with which the line was opened, whatever it changed to meanwhile; means nothing on lines that keep their speed. */
  readonly atStartSpeed?: true;
  /**
   * The line goes to this speed (baud) as soon as `send` has left, before the answer. Lines that keep their speed (TCP, modems) stay
   * where they are. The runner takes the line back to the speed of its start when the dialogue ends, however it ends.
   */
  readonly speedAfter?: number;
  /** Silence in milliseconds that a device on our own serial line needs between its last byte and our first. */
  readonly reactionMs?: number;
}

/**
 * Asks the runner for numbers that must never repeat (DLMS invocation counters). The runner persists the new end of the row before it
 * answers; nothing is sent. The answer is the first number, 4 bytes with the high byte first; the `count - 1` after it are ours too.
 */
export interface Reservation {
  /** Whose counter: one row of numbers a device and key. */
  readonly counter: string;
  /** The first number must be at least this: what the device itself counts from. */
  readonly atLeast: number;
  readonly count: number;
}

/**
 * A dialogue with a device: yields what to send, receives the whole reply, returns the result.
 * Pure: no socket, no clock, no timer. When every try of a step has failed the runner throws the last ProtocolError into it.
 */
export type Conversation<Result> = Generator<Step | Reservation, Result, Uint8Array>;

export const isReservation = (turn: Step | Reservation): turn is Reservation => "counter" in turn;

/** The step of a dialogue that keeps no counters. Errors: Error when it asks for numbers all the same. */
export function stepOf(turn: IteratorResult<Step | Reservation, unknown>): Step {
  if (turn.done === true || isReservation(turn.value)) throw new Error("the dialogue sends nothing here");
  return turn.value;
}

/**
 * The device's side of a protocol, used by the simulator: bytes in, bytes to answer out. Keeps the unparsed rest itself.
 * Never throws; bytes it does not understand are dropped as a real meter drops them.
 */
export interface Responder {
  /** Replies to send, in order, for the bytes that just arrived. */
  receive(bytes: Uint8Array): Uint8Array[];
  /** Baud of the replies just given, and of what it hears next, where a device changes its speed; left out: it keeps it. */
  readonly baud?: () => number;
}
