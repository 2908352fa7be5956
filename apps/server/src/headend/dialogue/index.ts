export { dialogue, openDialogue, type Dialogue } from "./broker.ts";
export { converse } from "./converse.ts";
export { runInSession, type DeviceJob, type WorkEnd } from "./deviceJob.ts";
export {
  addLineJobs,
  addLinesJobs,
  pullJobsNear,
  queuedJobs,
  requestPriority,
  type LineJob,
  type QueuedJob,
} from "./lineJobStore.ts";
export { lineJob, type LineJobKind, type LineProcess, type LineWork, type OpenLines } from "./lineWork.ts";
export { readPatiently } from "./patience.ts";
export { failureOf, openSession, type Failure, type Session } from "./session.ts";
export { prepareJobs } from "./prepareJobs.ts";
export { routesOf, taskOf, type Route } from "./routes.ts";
