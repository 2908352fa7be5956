import { startedOnce, type Domain } from "#core";
import { serveAdministration } from "./calls.ts";
import { beat } from "./processes.ts";

/** What platform staff do for the whole installation. */
export const administration: Domain = {
  name: "administration",
  calls: serveAdministration,
  ...startedOnce(["worker", "broker", "api"], beat),
};
