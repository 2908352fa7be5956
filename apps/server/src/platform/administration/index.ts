import { startedOnce, type Domain } from "#core";
import { serveAdministration } from "./calls.ts";
import { beat } from "./processes.ts";

/** Administration of the whole installation by platform staff. */
export const administration: Domain = {
  name: "administration",
  calls: serveAdministration,
  ...startedOnce(["worker", "broker", "api"], beat),
};
