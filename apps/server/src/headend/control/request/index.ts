export { setFreeze } from "./freeze.ts";
export { activeFreezes, asksSecondFactor, freezesOf, putPolicy, stoppedCompanies } from "./guardStore.ts";
export { commandsOf, planCommand } from "./plan.ts";
export { requestCommand } from "./request.ts";
