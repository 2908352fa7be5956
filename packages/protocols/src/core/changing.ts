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

/**
 * The same for a change in several parts, one after the other: each may be refused when those before it are already
 * carried out.
 */
export function* changingInTurn(parts: readonly Conversation<unknown>[]): Conversation<CommandResult> {
  for (const [at, part] of parts.entries()) {
    const sent = yield* changing(part);
    if (sent.state !== "done") return at === 0 ? sent : { ...sent, partly: {} };
  }
  return { state: "done" };
}

/** State read from a device that is as the command wanted it, or the difference. */
export type ReadBack = DeviceState | ProtocolError;

/** The difference of a device that reads otherwise than it was set. */
export const otherThanSet = (what: string): ProtocolError =>
  new ProtocolError("unexpected", `${what} of the device is not what was set`);

/**
 * The result of a change after reading the device. Without an answer a device that reads as wanted has done
 * it; one that reads otherwise may still do it. An acknowledgement alone proves nothing where the device can
 * be read: one that reads otherwise has not done it, and one that does not answer leaves the result unknown. A refusal of
 * a later part is no refusal of the whole: what the device has then is read.
 */
function* readingBack<Session>(
  sent: CommandResult,
  { read, found }: ReadBacks<Session>,
  session: Session,
): Conversation<CommandResult> {
  if (!read || isWhollyRefused(sent)) return sent;
  try {
    const back = yield* read(session);
    if (!(back instanceof ProtocolError)) return { state: "done", read: back };
    if (sent.state === "done") return { state: "refused", reason: back };
    return sent.partly && found ? { ...sent, partly: yield* found(session) } : sent;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    if (sent.state === "done") return { state: "unknown", reason: error };
    return { ...sent, state: "unknown" };
  }
}

const isWhollyRefused = (sent: CommandResult): boolean =>
  sent.state === "refused" && sent.partly === undefined;

interface ReadBacks<Session> {
  /** Absent: only the answer of the device tells. */
  readonly read?: (session: Session) => Conversation<ReadBack>;
  /** For a change in several parts: what the device has now. */
  readonly found?: (session: Session) => Conversation<DeviceState>;
}

/** A change that was sent, and how the device is read back. */
export interface Change<Session> extends ReadBacks<Session> {
  readonly sent: CommandResult;
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
  const made = yield* inSession(function* (session) {
    const change = yield* work(session);
    if (change.sent.state === "unknown") return change;
    return { ...change, sent: yield* readingBack(change.sent, change, session), isRead: true };
  });
  const { sent } = made;
  if (sent.state !== "unknown" || made.read === undefined || "isRead" in made) return sent;
  try {
    return yield* inSession((session) => readingBack(sent, made, session));
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
 * Whether a clock has not been moved by so many seconds: it went on by the duration of two exchanges. Within the
 * resolution the acknowledgement of the device counts. Errors: ProtocolError "unexpected" for a clock that seems not
 * to have been moved by so few seconds that the resolution and the line may hide it: the result is unknown.
 */
export function isUnmoved({ first, second, after }: ClockReadings, seconds: number): boolean {
  const moved = after - second - 2 * (second - first);
  const seems = Math.abs(moved) <= clockToleranceSec && Math.abs(moved - seconds) > clockToleranceSec;
  if (seems && Math.abs(seconds) <= 2 * clockToleranceSec) throw otherThanSet("the clock");
  return seems;
}

/** Longest time between the setting of a clock and its reading. */
const longestReadBackSec = 120;

/** Whether a clock shows the time that was set a moment ago. */
export const isSetTo = (now: number, set: number): boolean =>
  now >= set - clockToleranceSec && now <= set + longestReadBackSec;
