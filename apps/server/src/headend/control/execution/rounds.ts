import { commandOf, type DeviceId } from "@metrum/vocabulary";
import { startRounds, watchClock, type Db, type Services, type Stop } from "#core";
import { knownProcesses } from "#headend/channels";
import { addLinesJobs, requestPriority, routesOf } from "#headend/dialogue";
import { askedTargets } from "#headend/exchanges";
import { commandKind } from "./commandJob.ts";
import { dueDevices, notePlanned, pullCommandsNear, replanAll, wantedChannel } from "../commandStore.ts";
import type { OpenCommand } from "../openStore.ts";
import { lost, overdue, stopped } from "./endingStore.ts";
import { downlinkDriver, judgeOrders, orderNext, applyReports } from "./downlinks.ts";
import { write, type Outcome } from "./settle.ts";

const everyMs = 1_000;
const batch = 500;

/** Plans commands, expires those that were not sent in time, and ends those whose process has died. */
export function startCommands(services: Services): Stop {
  const { database, clock, log } = services;
  let known: ReadonlySet<number> | undefined;
  const lookAtClock = watchClock(services, "control", (bySec) =>
    pullCommandsNear(database.system, clock.now(), bySec),
  );
  const rounds = startRounds({
    everyMs,
    on: { listener: database.listener, channels: [wantedChannel] },
    round: async () => {
      await lookAtClock();
      known = await replanAfterDeath(database.system, known);
      await commandRound(services);
    },
    onError: (error) => log.warn({ err: error }, "commands were not planned, trying again"),
  });
  return rounds.stop;
}

/**
 * Commands are planned again when a process is gone that was known, and at the start of this one: jobs of lines die
 * with their process. Returns the processes of now.
 */
async function replanAfterDeath(
  system: Db,
  before: ReadonlySet<number> | undefined,
): Promise<ReadonlySet<number>> {
  const now = new Set(await knownProcesses(system));
  if (!before || [...before].some((id) => !now.has(id))) await replanAll(system);
  return now;
}

export async function commandRound(services: Services): Promise<void> {
  await endEach(services, overdue, ({ awaitsUplink }) => ({
    state: "expired",
    result: "expired",
    message: "",
    says: awaitsUplink ? "not_heard" : undefined,
  }));
  await endEach(services, stopped, () => ({
    state: "cancelled",
    result: "expired",
    message: "",
    says: "task_stopped",
  }));
  await endEach(services, lost, afterLoss);
  await judgeOrders(services, batch);
  await applyReports(services, batch);
  await plan(services);
}

/** A process has died while it sent: only what is harmless is sent again. */
function afterLoss({ key }: OpenCommand): Ended {
  const command = commandOf(key);
  const isHarmless = command !== undefined && (!command.changesDevice || command.isRepeatable);
  const mayBeDone = command?.changesDevice === true;
  const state = isHarmless ? "again" : "unknown";
  return { state, result: "internal", message: "", says: "process_ended", mayBeDone };
}

type Ended = Pick<Outcome, "state" | "result" | "message" | "says" | "mayBeDone">;

async function endEach(
  { database, clock, bus }: Services,
  find: (db: Db, now: number, limit: number) => Promise<OpenCommand[]>,
  endOf: (command: OpenCommand) => Ended,
): Promise<void> {
  const changes = await database.system.transaction().execute(async (db) => {
    const commands = await find(db, clock.now(), batch);
    return write(
      db,
      clock.now(),
      commands.map((command) => ({ command, outcome: { ...endOf(command), startedMs: null } })),
    );
  });
  if (changes.length > 0) bus.publish("tasksChanged", changes);
}

/** Turns due commands into jobs, or into downlinks; without a way to the device now they wait. */
async function plan(services: Services): Promise<void> {
  for (;;) {
    const { byDownlink, isMore } = await services.database.system
      .transaction()
      .execute((db) => planBatch(db, services.clock));
    for (const id of byDownlink) await orderNext(services, id);
    if (!isMore) return;
  }
}

interface Planned {
  readonly byDownlink: readonly DeviceId[];
  readonly isMore: boolean;
}

/** One job for the devices that any process can reach, and one for each process that holds lines of some. */
async function planBatch(db: Db, clock: Services["clock"]): Promise<Planned> {
  const now = clock.now();
  const { ids, isMore } = await dueDevices(db, { now, nowMs: clock.nowMs(), limit: batch });
  const devices = await askedTargets(db, ids);
  const byDownlink = devices.filter(({ modelId }) => downlinkDriver(modelId)).map(({ id }) => id);
  const lined = devices.filter(({ modelId }) => !downlinkDriver(modelId));
  const byTask = new Map<string, DeviceId[]>();
  for (const [{ id }, { task }] of await routesOf(db, lined))
    if (task !== undefined) byTask.set(task, [...(byTask.get(task) ?? []), id]);
  await addLinesJobs(
    db,
    [...byTask].map(([task, deviceIds]) => ({
      kind: commandKind,
      task,
      payload: { deviceIds },
      priority: requestPriority,
    })),
  );
  await notePlanned(db, [...byTask.values()].flat(), now);
  return { byDownlink, isMore };
}
