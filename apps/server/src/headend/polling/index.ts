import type { Domain } from "#core";
import { prepareJobs } from "#headend/dialogue";
import { servePolling } from "./calls.ts";
import { startPlanner } from "./planner.ts";

export { pollJob } from "./pollJob.ts";

/** Schedules polls, accepts poll requests of users, and shows the exchange log. */
export const polling: Domain = {
  name: "polling",
  calls: servePolling,
  async worker(services) {
    await prepareJobs(services);
    return startPlanner(services);
  },
};
