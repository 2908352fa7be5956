import type { Domain } from "#core";
import { prepareJobs } from "#headend/dialogue";
import { serveDialogue } from "./calls.ts";
import { startDialogue } from "./broker.ts";
import { startPlanner } from "./planner.ts";

export { askModem } from "./askModem.ts";
export type { ModemAnswer } from "./modemPollStore.ts";
export { trialAddress } from "./trials.ts";

/** Asks devices when it is time, takes what they say by themselves, and shows what was said. */
export const polling: Domain = {
  name: "polling",
  calls: serveDialogue,
  async worker(services) {
    await prepareJobs(services);
    return startPlanner(services);
  },
  broker: startDialogue,
};
