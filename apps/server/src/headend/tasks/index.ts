import type { Domain } from "#core";
import { serveTasks } from "./calls.ts";
import { startChanges } from "./changeJob.ts";

export { holesToAsk, pagesOf, stillMissing, type ArchiveHoles, type HoleDevice } from "./holes.ts";
export { requestReading } from "./requests.ts";
export {
  addTask,
  beginItem,
  endItem,
  expireItems,
  noteHoles,
  queuedItems,
  repeatItems,
  requestedAmong,
  wantedChannel,
  type NewTask,
  type OpenItem,
  type RunningTask,
  type TaskChange,
} from "./taskStore.ts";

/** Tasks of users for devices: what was requested of which devices or changed, and with which outcome. */
export const tasks: Domain = { name: "tasks", calls: serveTasks, worker: startChanges };
