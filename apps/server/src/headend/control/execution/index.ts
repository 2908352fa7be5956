export { openCommandBatches } from "./batches.ts";
export { commandJob } from "./commandJob.ts";
export { laterLocal } from "./localTime.ts";
export { startCommands } from "./rounds.ts";
