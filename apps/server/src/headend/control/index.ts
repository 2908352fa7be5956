import { readManagement, type DeviceId } from "@metrum/vocabulary";
import type { DeviceTask } from "@metrum/contract/headend";
import type { Ctx, Domain } from "#core";
import { prepareJobs } from "#headend/dialogue";
import { endItems, type CommandTasks } from "#headend/tasks";
import { serveControl } from "./calls.ts";
import { cancelQueued } from "./commandStore.ts";
import { repeatable } from "./openStore.ts";
import { laterLocal, startCommands } from "./execution/index.ts";
import { requestCommand } from "./request/index.ts";

export { commandJob, openCommandBatches } from "./execution/index.ts";
export { stuckCommands } from "./openStore.ts";
export { requestCommand } from "./request/index.ts";

/** Commands to devices: each is sent once at most, expires, and ends as the device says. */
export const control: Domain = {
  name: "control",
  calls: serveControl,
  async worker(services) {
    await prepareJobs(services);
    return startCommands(services);
  },
};

/** The part of tasks that are commands. */
export const commandTasks: CommandTasks = {
  request: requestCommand,
  async cancel(db, scope, what, now) {
    const uncertain = await cancelQueued(db, scope, what, now);
    const ends = uncertain.map(
      (item) => ({ ...item, startedMs: null, result: "timeout", message: "", as: "unknown" }) as const,
    );
    return endItems(db, ends, now);
  },
  repeatable: repeatableDevices,
  sentNow,
};

function sentNow({ management, created_at }: DeviceTask, now: number) {
  const local = management?.["time_set"];
  if (typeof local !== "string") return management;
  return { ...management, time_set: laterLocal(local, Math.max(0, now - created_at)) };
}

/** A harmless command is sent again to every device that failed, others only where nothing was carried out. */
function repeatableDevices({ db, scope }: Ctx, task: DeviceTask): Promise<DeviceId[]> {
  const [requested] = readManagement(task.management ?? {}).commands;
  const isHarmless =
    requested !== undefined && (!requested.command.changesDevice || requested.command.isRepeatable);
  return repeatable(db, scope, task.id, isHarmless);
}
