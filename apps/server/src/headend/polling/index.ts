import type { Domain } from "#core";
import { prepareJobs } from "#headend/dialogue";
import { servePolling } from "./calls.ts";
import { startPlanner } from "./planner.ts";

export { pollJob } from "./pollJob.ts";

/** Plans when devices are asked, takes the requests of people, and shows what was said. */
export const polling: Domain = {
  name: "polling",
  calls: servePolling,
  async worker(services) {
    await prepareJobs(services);
    return startPlanner(services);
  },
};
