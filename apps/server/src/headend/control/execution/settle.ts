import {
  commandMessages,
  taskStates,
  type CommandMessage,
  type CommandState,
  type PollResult,
} from "@metrum/contract/headend";
import { commandOf, type DeviceState } from "@metrum/vocabulary";
import type { Db, Services } from "#core";
import { logExchanges, type ExchangeRow } from "#headend/exchanges";
import { endItems, putBackItem, type TaskChange } from "#headend/tasks";
import { noteStatuses } from "#metering/device-state";
import { endCommands, lockCommands, putBack } from "../commandStore.ts";
import type { OpenCommand } from "../openStore.ts";
import { untilStored } from "./patience.ts";

/** How an attempt to carry out a command has ended. */
export interface Outcome {
  readonly state: FinalState | "again";
  readonly result: PollResult;
  /** What the device or its driver has said. */
  readonly message: string;
  /** What the platform says of it. */
  readonly says?: CommandMessage | undefined;
  /** What the device has told of its state. */
  readonly read?: DeviceState | undefined;
  /** The device may have carried out an attempt that is to be repeated. */
  readonly mayBeDone?: boolean | undefined;
  readonly startedMs: number | null;
  /** The state cannot be read after an unknown outcome. */
  readonly isNotFollowed?: boolean | undefined;
  readonly exchange?: ExchangeRow | undefined;
}

/** Pauses after the first attempts; there is one attempt more than pauses. */
const pausesSec = [10, 60] as const;
/** A state is read this soon after an unknown outcome. */
const followSec = 2;

/** An attempt that has ended. */
export interface Attempted {
  readonly command: OpenCommand;
  readonly outcome: Outcome;
}

/**
 * Stores the outcome of an attempt with its exchange, however long the database is away, together with those of
 * other lines that end meanwhile.
 */
export async function settle({ parts }: Services, command: OpenCommand, outcome: Outcome): Promise<void> {
  await parts.commandBatches.outcomes.add([{ command, outcome }]);
}

/** Stores outcomes in one transaction, however long the database is away. */
export async function settleAll(
  { database, bus, clock }: Pick<Services, "database" | "bus" | "clock">,
  attempts: readonly Attempted[],
): Promise<void> {
  const changes = await untilStored(database, (db) => write(db, clock.now(), attempts));
  if (changes.length > 0) bus.publish("tasksChanged", changes);
}

/** The same in a transaction of the caller, who announces the changes. A command has one outcome at most. */
export async function write(db: Db, now: number, attempts: readonly Attempted[]): Promise<TaskChange[]> {
  await lockCommands(
    db,
    attempts.map(({ command }) => command.id),
  );
  await logExchanges(
    db,
    attempts.flatMap(({ outcome }) => outcome.exchange ?? []),
  );
  const changes: TaskChange[] = [];
  const final: Attempted[] = [];
  for (const attempt of attempts) {
    const pause = pausesSec[attempt.command.attempts - 1];
    if (attempt.outcome.state === "again" && pause !== undefined)
      changes.push(...(await repeatLater(db, now + pause, attempt)));
    else final.push(attempt);
  }
  return [...changes, ...(await end(db, now, final))];
}

async function repeatLater(db: Db, nextAt: number, { command, outcome }: Attempted): Promise<TaskChange[]> {
  const { message, says, mayBeDone, result } = outcome;
  const ambiguous = mayBeDone === true ? result : undefined;
  if (!(await putBack(db, { ...command, nextAt, message, says, ambiguous }))) return [];
  await putBackItem(db, command);
  const { companyId, taskId, deviceId } = command;
  return [{ companyId, taskId, deviceId, statusId: taskStates.queued.id }];
}

async function end(db: Db, now: number, attempts: readonly Attempted[]): Promise<TaskChange[]> {
  const ends = attempts.map(({ command, outcome }) => {
    const state = finalState(command, outcome);
    const isFollowed = state === "unknown" && !outcome.isNotFollowed && readBackOf(command) !== undefined;
    return {
      ...command,
      ...outcome,
      state,
      after: outcome.read,
      followAt: isFollowed ? now + followSec : undefined,
      as: state === "cancelled" || state === "expired" || state === "unknown" ? state : undefined,
    };
  });
  const ended = await endCommands(db, ends, now);
  await noteStatuses(
    db,
    ends.flatMap(({ deviceId, after }) => (after ? [{ id: deviceId, state: after }] : [])),
    now,
  );
  return endItems(
    db,
    ends.flatMap((each) => (ended.has(each.id) ? [{ ...each, message: loggedOf(each) }] : [])),
    now,
  );
}

/** The outcome in English, for the log of the task. */
const loggedOf = ({ says, message }: Pick<Outcome, "says" | "message">): string =>
  [says === undefined ? "" : commandMessages[says].en, message].filter((part) => part !== "").join(": ");

type FinalState = Exclude<CommandState, "queued" | "sending">;

/** A failure is certain if the device cannot have carried out any attempt, or has shown its state. */
function finalState({ mayBeDone }: OpenCommand, { state, ...outcome }: Outcome): FinalState {
  if (state === "done" || state === "unknown") return state;
  const isUncertain = outcome.read === undefined && (mayBeDone || outcome.mayBeDone === true);
  if (isUncertain) return "unknown";
  return state === "again" ? "failed" : state;
}

/** The command that reads the state which a command sets. */
export function readBackOf({ key }: Pick<OpenCommand, "key">): string | undefined {
  const command = commandOf(key);
  return command?.changesDevice ? command.readBack : undefined;
}
