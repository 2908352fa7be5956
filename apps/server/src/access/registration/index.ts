import type { Domain } from "#core";
import { serveRegistration } from "./calls.ts";
import { sweepRegistrations } from "./jobs.ts";

/** Self-registration of companies and password reset: both use letters before a session exists. */
export const registration: Domain = {
  name: "registration",
  calls: serveRegistration,
  worker: sweepRegistrations,
};
