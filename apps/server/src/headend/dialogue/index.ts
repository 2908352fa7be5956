export { converse } from "./converse.ts";
export { lineModel } from "./lineModel.ts";
export { prepareJobs } from "./prepareJobs.ts";
export {
  addTask,
  askableDevices,
  beginItem,
  endedChannel,
  endItem,
  expireItems,
  progressOf,
  queuedItems,
  sameTask,
  wantedChannel,
  type OpenItem,
  type Progress,
} from "./taskStore.ts";
