import { controlLimits, taskStates } from "@metrum/contract/headend";
import { commandOf } from "@metrum/vocabulary";
import { isDatabaseAway, type Db, type Services } from "#core";
import { beginItems, putBackItem, type TaskChange } from "#headend/tasks";
import { endCommands, lockActuation, lockCommands, markSending, unmarkSending } from "../commandStore.ts";
import { sentSince, type OpenCommand } from "../openStore.ts";
import { stoppedAmong } from "./endingStore.ts";
import { stoppedCompanies } from "../request/index.ts";
import { untilStored } from "./patience.ts";

const paceSec = 60;

/** A command whose line is in the hand of a process. */
export interface Taking {
  readonly command: OpenCommand;
  readonly processId: number;
}

type Marking = Pick<Services, "database" | "clock" | "bus">;

/**
 * Commits that a command is being sent, before its first byte: once, before its expiry, unless actuation is frozen or
 * its company closed, its task has stopped, or too many were sent within a minute. False: nothing may be sent.
 * Commands that other lines take meanwhile are committed with it; an actuation is taken alone, so that only its own
 * line waits for the lock of its company.
 */
export async function take(
  services: Marking & Pick<Services, "parts">,
  command: OpenCommand,
  processId: number,
): Promise<boolean> {
  const taking = { command, processId };
  try {
    const [isTaken = false] = command.actuates
      ? await takeAll(services, [taking])
      : await services.parts.commandBatches.takings.add([taking]);
    return isTaken;
  } catch (error) {
    if (isDatabaseAway(error)) await giveBack(services, taking);
    throw error;
  }
}

/**
 * The answer to a commit was lost, so the command may count as being sent, which nobody will do: it is queued as before,
 * however long the database is away. The caller has the line, so that no other attempt is made meanwhile.
 */
async function giveBack({ database, bus }: Marking, { command, processId }: Taking): Promise<void> {
  const isGiven = await untilStored(database, async (db) => {
    const isOurs = await unmarkSending(db, { ...command, processId });
    if (isOurs) await putBackItem(db, command);
    return isOurs;
  });
  const { companyId, taskId, deviceId } = command;
  if (isGiven) bus.publish("tasksChanged", [{ companyId, taskId, deviceId, statusId: taskStates.queued.id }]);
}

/** Takes commands in one transaction; whether each of them was. */
export async function takeAll(
  { database, clock, bus }: Marking,
  takings: readonly Taking[],
): Promise<boolean[]> {
  const { taken, changes } = await database.system.transaction().execute((db) => mark(db, clock, takings));
  if (changes.length > 0) bus.publish("tasksChanged", changes);
  return takings.map((taking) => taken.has(taking));
}

/** Takes one command; `beside` is written in the same transaction, false leaves the command queued. */
export async function takeWith(
  { database, clock, bus }: Marking,
  taking: Taking,
  beside: (db: Db) => Promise<boolean>,
): Promise<boolean> {
  try {
    const { taken, changes } = await database.system.transaction().execute(async (db) => {
      const marked = await mark(db, clock, [taking]);
      if (marked.taken.size > 0 && !(await beside(db))) throw new NotBeside();
      return marked;
    });
    if (changes.length > 0) bus.publish("tasksChanged", changes);
    return taken.size > 0;
  } catch (error) {
    if (error instanceof NotBeside) return false;
    throw error;
  }
}

/** Rolls the mark back. */
class NotBeside extends Error {}

interface Marked {
  /** One for each command, however many have asked for it. */
  readonly taken: ReadonlySet<Taking>;
  readonly changes: readonly TaskChange[];
}

const idsOf = (takings: readonly Taking[]): number[] => takings.map(({ command }) => command.id);

async function mark(db: Db, clock: Marking["clock"], takings: readonly Taking[]): Promise<Marked> {
  const actuations = takings.flatMap(({ command }) => (command.actuates ? [command] : []));
  // A freeze or an expiry may come while the lock is waited for: both are looked at after it.
  await lockActuation(db, companiesOf(actuations));
  const now = clock.now();
  const allowed = await sendable(db, firstOfDevice(takings), now);
  await lockCommands(db, idsOf(allowed));
  const ids = await markSending(
    db,
    allowed.map(({ command, processId }) => ({ id: command.id, processId })),
    now,
  );
  const marked = allowed.filter(({ command }) => ids.has(command.id));
  const { begun, tasks } = await beginItems(
    db,
    marked.map(({ command }) => command),
  );
  const hasItem = ({ command: { taskId, deviceId } }: Taking) => begun.get(taskId)?.has(deviceId) === true;
  const withoutItem = marked.filter((taking) => !hasItem(taking));
  await endCommands(
    db,
    withoutItem.map(({ command: { id } }) => ({ id, state: "cancelled", result: "expired", message: "" })),
    now,
  );
  const taken = marked.filter(hasItem);
  return {
    taken: new Set(taken),
    changes: taken.flatMap(({ command: { companyId, taskId, deviceId } }): TaskChange[] => {
      const change = { companyId, taskId, statusId: taskStates.running.id };
      return [...(tasks.delete(taskId) ? [change] : []), { ...change, deviceId }];
    }),
  };
}

/** One command of each device: a second one has to wait for its end. */
function firstOfDevice(takings: readonly Taking[]): Taking[] {
  const first = new Map<number, Taking>();
  for (const taking of takings.toSorted((one, other) => one.command.id - other.command.id))
    if (!first.has(taking.command.deviceId)) first.set(taking.command.deviceId, taking);
  return [...first.values()];
}

/** The commands that may be sent now. */
async function sendable(db: Db, takings: readonly Taking[], now: number): Promise<Taking[]> {
  const commands = takings.map(({ command }) => command);
  const closed = await stoppedCompanies(db, companiesOf(commands.filter(changesDevice)), now);
  const stopped = await stoppedAmong(db, [...new Set(commands.map(({ taskId }) => taskId))]);
  const free = takings.filter(
    ({ command }) =>
      !(changesDevice(command) && closed.has(command.companyId)) && !stopped.has(command.taskId),
  );
  const mayActuate = await paced(
    db,
    companiesOf(free.flatMap(({ command }) => (command.actuates ? [command] : []))),
    now,
  );
  return free.filter(({ command }) => !command.actuates || mayActuate(command));
}

/** Whether a freeze stops the command. Unknown keys count as changing. */
export const changesDevice = ({ key }: OpenCommand): boolean => commandOf(key)?.changesDevice !== false;

const companiesOf = (commands: readonly OpenCommand[]): number[] => [
  ...new Set(commands.map(({ companyId }) => Number(companyId))),
];

/** Whether one more actuation of locked companies may be sent within the minute, and counts it. */
async function paced(
  db: Db,
  companyIds: readonly number[],
  now: number,
): Promise<(command: OpenCommand) => boolean> {
  const ofCompany = new Map<number, number>();
  const ofUser = new Map<string, number>();
  const userOf = ({ companyId, userId }: Pick<OpenCommand, "userId"> & { companyId: number }): string =>
    `${String(companyId)} ${String(userId)}`;
  const count = (sent: Pick<OpenCommand, "userId"> & { companyId: number }, more: number): void => {
    ofCompany.set(sent.companyId, (ofCompany.get(sent.companyId) ?? 0) + more);
    if (sent.userId !== null) ofUser.set(userOf(sent), (ofUser.get(userOf(sent)) ?? 0) + more);
  };
  for (const sent of await sentSince(db, companyIds, now - paceSec)) count(sent, sent.count);
  return (command) => {
    const isFree =
      (ofCompany.get(command.companyId) ?? 0) < controlLimits.perCompany &&
      (ofUser.get(userOf(command)) ?? 0) < controlLimits.perUser;
    if (isFree) count(command, 1);
    return isFree;
  };
}
