import { controlLimits, taskStates } from "@metrum/contract";
import { commandOf } from "@metrum/vocabulary";
import type { Db, Services } from "#core";
import { beginItem, type TaskChange } from "#headend/tasks";
import {
  endCommand,
  isStopped,
  lockActuation,
  markSending,
  sentSince,
  type OpenCommand,
} from "./commandStore.ts";
import { freezesOf } from "./guardStore.ts";

const paceSec = 60;

/**
 * Commits that a command is being sent, before its first byte: once, before its expiry, unless actuation is
 * frozen, its task has stopped, or too many were sent within a minute. False: nothing may be sent. `beside` is
 * written in the same transaction; false leaves the command queued.
 */
export async function take(
  { database, clock, bus }: Pick<Services, "database" | "clock" | "bus">,
  command: OpenCommand,
  processId: number,
  beside: (db: Db) => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  try {
    const changes = await database.system
      .transaction()
      .execute((db) => mark(db, clock.now(), command, { processId, beside }));
    if (changes) bus.publish("tasksChanged", changes);
    return changes !== undefined;
  } catch (error) {
    if (error instanceof NotBeside) return false;
    throw error;
  }
}

/** Rolls the mark back. */
class NotBeside extends Error {}

interface Marking {
  readonly processId: number;
  readonly beside: (db: Db) => Promise<boolean>;
}

async function mark(
  db: Db,
  now: number,
  command: OpenCommand,
  { processId, beside }: Marking,
): Promise<TaskChange[] | undefined> {
  const { id, companyId, taskId, deviceId } = command;
  if (!(await maySend(db, command, now))) return undefined;
  if (!(await markSending(db, { id, processId, now }))) return undefined;
  const task = await beginItem(db, taskId, deviceId);
  if (!task) {
    await endCommand(db, { ...command, state: "cancelled", result: "expired", message: "", now });
    return undefined;
  }
  if (!(await beside(db))) throw new NotBeside();
  const change = { companyId, taskId, statusId: taskStates.running.id };
  return [...(task.isFirst ? [change] : []), { ...change, deviceId }];
}

async function maySend(db: Db, command: OpenCommand, now: number): Promise<boolean> {
  if (commandOf(command.key)?.changesDevice !== false && (await freezesOf(db, command.companyId)).length > 0)
    return false;
  if (await isStopped(db, command.taskId)) return false;
  if (!command.actuates) return true;
  await lockActuation(db, command.companyId);
  const sent = await sentSince(db, command, now - paceSec);
  return sent.company < controlLimits.perCompany && sent.user < controlLimits.perUser;
}
