import type { Domain } from "#core";
import { prepareJobs } from "#headend/dialogue";
import { servePolling } from "./calls.ts";
import { startPlanner } from "./planner.ts";

export { pollJob } from "./pollJob.ts";

/** Schedules the polls of devices, and hands the tasks of users to the lines. */
export const polling: Domain = {
  name: "polling",
  calls: servePolling,
  async worker(services) {
    await prepareJobs(services);
    return startPlanner(services);
  },
};
