import type { DeviceState } from "@metrum/vocabulary";
import type { CommandResult } from "./command.ts";
import type { Conversation } from "./conversation.ts";
import { ProtocolError, type ProtocolErrorKind } from "./errors.ts";

/** Kinds with which a device declines; only with its own code, in `detail`, are they its answer. */
const refusals: readonly ProtocolErrorKind[] = ["refused", "unsupported", "bad_password"];

const isRefusal = (error: ProtocolError): boolean =>
  error.detail !== undefined && refusals.includes(error.kind);

/**
 * The part of a command that changes the device: from its first byte on, an error is a result. "refused" only
 * if the device itself says so; a missing or unreadable answer is "unknown". Errors: none of the dialogue.
 */
export function* changing(change: Conversation<unknown>): Conversation<CommandResult> {
  try {
    yield* change;
    return { state: "done" };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { state: isRefusal(error) ? "refused" : "unknown", reason: error };
  }
}

/** State read from a device that is as the command wanted it, or the difference. */
export type ReadBack = DeviceState | ProtocolError;

/** The difference of a device that reads otherwise than it was set. */
export const otherThanSet = (what: string): ProtocolError =>
  new ProtocolError("unexpected", `${what} of the device is not what was set`);

/**
 * The result of a change after reading the device. Without an answer a device that reads as wanted has done
 * it; one that reads otherwise may still do it. An acknowledgement alone proves nothing where the device can
 * be read: one that reads otherwise has not done it, and one that does not answer leaves the result unknown.
 */
function* readingBack(sent: CommandResult, read: () => Conversation<ReadBack>): Conversation<CommandResult> {
  if (sent.state === "refused") return sent;
  try {
    const found = yield* read();
    if (!(found instanceof ProtocolError)) return { state: "done", read: found };
    return sent.state === "done" ? { state: "refused", reason: found } : sent;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return sent.state === "unknown" ? sent : { state: "unknown", reason: error };
  }
}

/** A change that was sent, and how the device is read back; absent: only its answer tells. */
export interface Change<Session> {
  readonly sent: CommandResult;
  readonly read?: (session: Session) => Conversation<ReadBack>;
}

/** Runs work in a session with a device. */
export type InSession<Session> = <Result>(
  work: (session: Session) => Conversation<Result>,
) => Conversation<Result>;

/**
 * A change of a device and its reading back. If the answer is lost, so is the state of the line: the device
 * is read in a new session. Errors: ProtocolError before the change is sent.
 */
export function* changeInSession<Session>(
  inSession: InSession<Session>,
  work: (session: Session) => Conversation<Change<Session>>,
): Conversation<CommandResult> {
  const { sent, read, isRead } = yield* inSession(function* (session) {
    const made = yield* work(session);
    const back = made.sent.state === "done" ? made.read : undefined;
    const result = back ? yield* readingBack(made.sent, () => back(session)) : made.sent;
    return { read: made.read, sent: result, isRead: back !== undefined };
  });
  if (sent.state !== "unknown" || read === undefined || isRead) return sent;
  try {
    return yield* inSession((session) => readingBack(sent, () => read(session)));
  } catch (error) {
    if (error instanceof ProtocolError) return sent;
    throw error;
  }
}

/** Measurements of a clock around its correction: two before it, one after. Seconds of the clock. */
export interface ClockReadings {
  readonly first: number;
  readonly second: number;
  readonly after: number;
}

/** Resolution of three readings in whole seconds, and the variation of a line. */
const clockToleranceSec = 3;

/**
 * Whether a clock has certainly not been moved by so many seconds: it went on by the duration of two
 * exchanges. Corrections within the resolution cannot be told.
 */
export function isUnmoved({ first, second, after }: ClockReadings, seconds: number): boolean {
  const moved = after - second - 2 * (second - first);
  return Math.abs(moved) <= clockToleranceSec && Math.abs(moved - seconds) > clockToleranceSec;
}

/** Longest time between the setting of a clock and its reading. */
const longestReadBackSec = 120;

/** Whether a clock shows the time that was set a moment ago. */
export const isSetTo = (now: number, set: number): boolean =>
  now >= set - clockToleranceSec && now <= set + longestReadBackSec;
