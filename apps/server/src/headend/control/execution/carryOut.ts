import {
  ProtocolError,
  type CommandResult,
  type Conversation,
  type DeviceAddress,
} from "@metrum/protocols/core";
import {
  commandOf,
  compareState,
  isChangingCommand,
  wantedState,
  type Command,
  type DeviceState,
} from "@metrum/vocabulary";
import { pause, standardOffsetSec, type Services } from "#core";
import { LineElsewhere, LineLent, LineLost, LinesClosing } from "#headend/channels";
import { failureOf, readPatiently, type Session } from "#headend/dialogue";
import type { OpenCommand } from "../openStore.ts";
import { isClockSet, laterLocal, secondsOfLocal } from "./localTime.ts";
import { readBackOf, type Outcome } from "./settle.ts";

/** The attempt was left before a byte was sent: the command stays queued. */
export interface Left {
  readonly state: "left";
  /** Another process holds the line. */
  readonly isElsewhere: boolean;
}

/** Nothing may be sent: see `take`. */
class NotTaken extends Error {}

type Given = Readonly<Record<string, unknown>>;
type Run = (device: DeviceAddress, given?: unknown) => Conversation<CommandResult | DeviceState>;

/**
 * Carries out a command in a session. `take` commits that it is being sent, with the line in hand and before
 * the first byte. A lost answer or line leaves the outcome unknown; only reading and harmless commands are
 * attempted again after their first byte, whatever their driver says. What the device confirms is read back where it
 * can tell.
 */
export async function carryOut(
  services: Services,
  session: Session,
  command: OpenCommand,
  take: () => Promise<boolean>,
): Promise<Outcome | Left> {
  const definition = commandOf(command.key);
  const run = functionOf(session, command.key);
  const startedMs = services.clock.nowMs();
  const writesBefore = session.writes();
  if (!definition || !run)
    return { state: "failed", result: "unsupported", message: "", says: "no_function", startedMs };
  const attempt = { isTaken: false };
  const before = async (): Promise<void> => {
    attempt.isTaken = await take();
    if (!attempt.isTaken) throw new NotTaken();
  };
  try {
    const given = givenNow(command, services.clock.now());
    const answer = await session.talk((_, address) => run(address, given), before);
    return { startedMs, ...(await judge(services, session, { command, definition, answer, startedMs })) };
  } catch (error) {
    if (!attempt.isTaken) return leave(error);
    const isSent = session.writes() > writesBefore;
    return { startedMs, ...broken(services, session, { definition, error, isSent }) };
  }
}

/** The driver's function of a command; its arguments were accepted by the schema of this command. */
function functionOf({ driver }: Session, key: string): Run | undefined {
  const own: Readonly<Record<string, unknown>> = driver.commands;
  return Object.hasOwn(own, key) ? (own[key] as Run) : undefined;
}

/** Errors before a byte was sent; others than of the line are rethrown. */
function leave(error: unknown): Left {
  if (error instanceof LinesClosing) throw error;
  const isLeft = [NotTaken, LineElsewhere, LineLent, LineLost].some((kind) => error instanceof kind);
  if (!isLeft) throw error;
  return { state: "left", isElsewhere: error instanceof LineElsewhere };
}

type Judged = Omit<Outcome, "startedMs">;

interface Break {
  readonly definition: Command;
  readonly error: unknown;
  /** A byte of the dialogue may have been written. */
  readonly isSent: boolean;
}

/**
 * Errors of the dialogue. A driver throws only as long as it has not sent the command itself; that it was not is
 * believed only of what may be sent twice.
 */
function broken(services: Services, session: Session, { definition, error, isSent }: Break): Judged {
  const isOfLine = error instanceof LineElsewhere || error instanceof LinesClosing;
  const failure = isOfLine
    ? ({ result: "no_line", message: "", says: "line_lost" } as const)
    : failureOf(services, session.device, error);
  const isHarmless = !definition.changesDevice || definition.isRepeatable;
  const isFinal =
    error instanceof ProtocolError && finalKinds.has(error.kind) && !(error.isBusy && isHarmless);
  if (isFinal) return { ...failure, state: "failed" };
  if (error instanceof ProtocolError && isHarmless) return { ...failure, state: "again" };
  if (!isSent) return { ...failure, state: "again" };
  return { ...failure, state: isHarmless ? "again" : "unknown", mayBeDone: definition.changesDevice };
}

/** The device, or its driver, has said why it does not do it. */
const finalKinds: ReadonlySet<string> = new Set(["refused", "unsupported", "bad_password"]);

interface Answered {
  readonly command: OpenCommand;
  readonly definition: Command;
  readonly answer: CommandResult | DeviceState;
  readonly startedMs: number;
}

async function judge(
  services: Services,
  session: Session,
  { command, definition, answer, startedMs }: Answered,
): Promise<Judged> {
  if (!isResult(command.key, answer)) return { state: "done", result: "ok", message: "", read: answer };
  if (answer.state === "done") return confirm(services, session, { command, startedMs }, answer.read);
  const { kind: result, message } = answer.reason;
  const told = { result, message, ...partOf(answer.partly) };
  if (answer.state === "refused") return { state: "failed", ...told };
  const isHarmless = definition.changesDevice && definition.isRepeatable;
  return { state: isHarmless ? "again" : "unknown", ...told, mayBeDone: true };
}

/** What the device has told after it has carried out only a part of a command. */
function partOf(partly: DeviceState | undefined): Pick<Judged, "says" | "read"> {
  if (!partly) return {};
  return { says: "partly_set", ...(Object.keys(partly).length > 0 ? { read: partly } : {}) };
}

const isResult = (key: string, answer: CommandResult | DeviceState): answer is CommandResult =>
  isChangingCommand(key) && "state" in answer;

/** Pauses before the attempts to read a state back: an actuator needs time to move. */
const readPausesMs = [0, 1_000, 3_000] as const;

/**
 * Reads back what the device has confirmed. Without a function for it the confirmation counts; if the state
 * cannot be read the outcome is unknown.
 */
async function confirm(
  services: Services,
  session: Session,
  sent: Pick<Answered, "command" | "startedMs">,
  told: DeviceState = {},
): Promise<Judged> {
  const { command } = sent;
  const readBack = readBackOf(command);
  const read = readBack === undefined ? undefined : functionOf(session, readBack);
  const done = { state: "done", result: "ok", message: "" } as const;
  if (!read) return { ...done, read: { ...wantedOf(command), ...told } };
  let judged: Judged = { state: "unknown", result: "timeout", message: "", says: "not_read_back" };
  for (const pauseMs of readPausesMs) {
    if (pauseMs > 0) await pause(services.clock, pauseMs);
    try {
      const answer = await readPatiently(services.clock, session, (_, address) => read(address));
      const state = isResult(readBack ?? "", answer) ? {} : answer;
      const found = compare(services, session, sent, state);
      if (found === "agrees") return { ...done, read: state };
      if (found === "silent") return { ...done, read: { ...wantedOf(command), ...state } };
      judged = {
        state: "failed",
        result: "refused",
        message: "",
        says: "other_state",
        read: state,
      };
    } catch (error) {
      if (error instanceof LineElsewhere || error instanceof LinesClosing) return judged;
      const { result, message } = failureOf(services, session.device, error);
      if (judged.state === "unknown") judged = { ...judged, result, message };
    }
  }
  return judged;
}

function wantedOf({ key, arguments: given }: OpenCommand): DeviceState {
  return isGiven(given) ? wantedState(key, given) : {};
}

const isGiven = (given: unknown): given is Given => typeof given === "object" && given !== null;

function compare(
  services: Services,
  { device, driver }: Session,
  { command, startedMs }: Pick<Answered, "command" | "startedMs">,
  state: DeviceState,
) {
  const wanted = isGiven(command.arguments) ? command.arguments["time_set"] : undefined;
  if (command.key !== "time_set" || typeof wanted !== "string" || state.device_time === undefined)
    return compareState(wantedOf(command), state);
  const now = services.clock.now();
  const shouldBe = secondsOfLocal(wanted) + (now - command.createdAt) - standardOffsetSec(device.zone, now);
  const tookSec = (services.clock.nowMs() - startedMs) / 1000;
  const isSet = isClockSet(state.device_time - shouldBe, { tookSec, stepSec: driver.clockStepSec ?? 1 });
  return isSet ? "agrees" : "differs";
}

/** A time that was to be set when the command was requested is set as what it is now. */
function givenNow({ key, arguments: given, createdAt }: OpenCommand, now: number): unknown {
  if (key !== "time_set" || !isGiven(given) || typeof given["time_set"] !== "string") return given;
  return { ...given, time_set: laterLocal(given["time_set"], Math.max(0, now - createdAt)) };
}

/** Reads the state which a command with an unknown outcome should have set; undefined: it could not be read. */
export async function readAfter(
  services: Services,
  session: Session,
  command: OpenCommand,
): Promise<{ readonly read?: DeviceState; readonly failure?: ReturnType<typeof failureOf> }> {
  const key = readBackOf(command);
  const run = key === undefined ? undefined : functionOf(session, key);
  if (!run) return {};
  try {
    const answer = await readPatiently(services.clock, session, (_, address) => run(address));
    return isResult(key ?? "", answer) ? {} : { read: answer };
  } catch (error) {
    return { failure: failureOf(services, session.device, error) };
  }
}
