import type { Domain } from "#core";
import { serveTasks } from "./calls.ts";
import { startChanges } from "./changeJob.ts";
import type { CommandTasks } from "./commandTasks.ts";

export { holesToAsk, pagesOf, stillMissing, type ArchiveHoles, type HoleDevice } from "./holes.ts";
export { askSlots } from "./askSlots.ts";
export { askedDevices } from "./calls.ts";
export { holdsCommand, type CommandRequest, type CommandTasks } from "./commandTasks.ts";
export { taskOf } from "./listStore.ts";
export { namedIds, outcomeOf, refuseTooMany, requestReading, type Outcome } from "./requests.ts";
export { storedReadOf, storedRequestOf, type StoredRead, type StoredRequest } from "./storedRequest.ts";
export {
  addTask,
  beginItem,
  beginItems,
  endItem,
  endItems,
  expireItems,
  noteHoles,
  noteStored,
  postponeItem,
  pullItemsNear,
  putBackItem,
  queuedItems,
  repeatItems,
  wantedChannel,
  type Cancelled,
  type NewTask,
  type OpenItem,
  type RunningTask,
  type TaskChange,
} from "./taskStore.ts";
export { askableDevices, requestedAmong } from "./requestStore.ts";

/** Tasks of users for devices: what was requested of which devices or changed, and with which outcome. */
export const tasks = (commands: CommandTasks): Domain => ({
  name: "tasks",
  calls: (api) => serveTasks(api, commands),
  worker: startChanges,
});
