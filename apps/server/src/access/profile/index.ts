import type { Domain } from "#core";
import { serveMemberTwoFactor, serveOwnSessions, serveProfile, serveTwoFactor } from "./calls.ts";

export { secondFactorLetters } from "./letters.ts";
export { accountOf, createProofs, requireCode, requirePassword } from "./proof.ts";

/** The profile: settings that users change for themselves. */
export const profile: Domain = {
  name: "profile",
  calls: (api) => {
    serveProfile(api);
    serveTwoFactor(api);
    serveMemberTwoFactor(api);
    serveOwnSessions(api);
  },
};
