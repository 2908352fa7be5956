import { taskStates, type CommandState, type PollResult } from "@metrum/contract";
import { commandOf, type DeviceState } from "@metrum/vocabulary";
import { isDatabaseAway, type Db, type Services } from "#core";
import { logExchanges, type ExchangeRow } from "#headend/exchanges";
import { endItem, putBackItem, type TaskChange } from "#headend/tasks";
import { noteStatus } from "#metering/device-state";
import { endCommand, putBack, type OpenCommand } from "./commandStore.ts";

/** How an attempt to carry out a command has ended. */
export interface Outcome {
  readonly state: FinalState | "again";
  readonly result: PollResult;
  readonly message: string;
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
const awayMs = 1_000;

/** Stores the outcome of an attempt with its exchange, however long the database is away. */
export async function settle(services: Services, command: OpenCommand, outcome: Outcome): Promise<void> {
  const { database, bus } = services;
  for (;;) {
    try {
      const changes = await database.system
        .transaction()
        .execute((db) => write(db, services.clock.now(), command, outcome));
      if (changes.length > 0) bus.publish("tasksChanged", changes);
      return;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await database.pause(awayMs);
    }
  }
}

/** The same in a transaction of the caller, who announces the changes. */
export async function write(
  db: Db,
  now: number,
  command: OpenCommand,
  outcome: Outcome,
): Promise<TaskChange[]> {
  if (outcome.exchange) await logExchanges(db, [outcome.exchange]);
  const pause = pausesSec[command.attempts - 1];
  if (outcome.state === "again" && pause !== undefined) {
    const { message, mayBeDone, result } = outcome;
    const ambiguous = mayBeDone === true ? result : undefined;
    if (!(await putBack(db, { ...command, nextAt: now + pause, message, ambiguous }))) return [];
    await putBackItem(db, command);
    const { companyId, taskId, deviceId } = command;
    return [{ companyId, taskId, deviceId, statusId: taskStates.queued.id }];
  }
  const state = finalState(command, outcome);
  const isEnded = await endCommand(db, {
    ...command,
    ...outcome,
    state,
    after: outcome.read,
    now,
    followAt:
      state === "unknown" && !outcome.isNotFollowed && readBackOf(command) !== undefined
        ? now + followSec
        : undefined,
  });
  if (outcome.read) await noteStatus(db, command.deviceId, outcome.read, now);
  if (!isEnded) return [];
  return endItem(db, {
    ...command,
    startedMs: outcome.startedMs,
    now,
    result: outcome.result,
    message: outcome.message,
    as: state === "cancelled" || state === "expired" || state === "unknown" ? state : undefined,
  });
}

type FinalState = Exclude<CommandState, "queued" | "sending">;

/** A failure is certain if the device cannot have carried out any attempt, or has shown its state. */
function finalState({ mayBeDone }: OpenCommand, { state, ...outcome }: Outcome): FinalState {
  if (state !== "again" && state !== "failed" && state !== "expired") return state;
  const isUncertain = outcome.read === undefined && (mayBeDone || outcome.mayBeDone === true);
  if (isUncertain) return "unknown";
  return state === "again" ? "failed" : state;
}

/** The command that reads the state which a command sets. */
export function readBackOf({ key }: Pick<OpenCommand, "key">): string | undefined {
  const command = commandOf(key);
  return command?.changesDevice ? command.readBack : undefined;
}
