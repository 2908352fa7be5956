import type { Domain } from "#core";
import { serveRegistration } from "./calls.ts";
import { sweepRegistrations } from "./jobs.ts";

/** Companies that register themselves, and passwords that were forgotten: what happens by letter before a session exists. */
export const registration: Domain = {
  name: "registration",
  calls: serveRegistration,
  worker: sweepRegistrations,
};
