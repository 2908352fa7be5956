import type { Domain } from "#core";
import { serveRegistration } from "./calls.ts";
import { forgetting } from "./jobs.ts";

export { registrationLetters } from "./letters.ts";

/** Self-registration of companies and password reset: both use letters before a session exists. */
export const registration: Domain = {
  name: "registration",
  calls: serveRegistration,
  scheduled: [forgetting],
};
