import type { Domain } from "#core";
import { servePollGroups } from "./calls.ts";

export { joinPollGroup } from "./join.ts";
export { insertGroup as addGroup, join as joinGroup, noteRun } from "./store.ts";

/** Groups of devices of one model with a common schedule, which polling carries out. */
export const pollGroups: Domain = { name: "poll-groups", calls: servePollGroups };
