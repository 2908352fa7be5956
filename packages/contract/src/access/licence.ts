import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Seconds } from "../core/values.ts";

/** evaluation: no licence at all; invalid: modified, signed by an unknown key or unreadable. */
export const licenceStates = ["evaluation", "valid", "expired", "invalid"] as const;
export type LicenceState = (typeof licenceStates)[number];

const LicenceInfo = z.object({
  license_expiry: z
    .nullable(Seconds)
    .check(z.describe("the first moment after expiry; null for an evaluation")),
  server_devices_count: z
    .int()
    .check(z.describe("devices counted by the licence: without deleted and simulated ones")),
  max_allowable_devices_count: z.int(),
  state: z.enum(licenceStates),
  company: z.nullable(z.string()).check(z.describe("licensee")),
});
export type LicenceInfo = z.infer<typeof LicenceInfo>;

/** The licence of a server installation. Only administrators of its first company see and change it. */
export const licence = {
  info: call({
    id: "license.info",
    method: "GET",
    path: "admin/license/info",
    right: "admin",
    reach: "company",
    summary: "The licence of this server installation",
    reply: LicenceInfo,
    problems: ["licence_not_here"],
  }),
  upload: call({
    id: "license.upload",
    isOwn: true,
    method: "PUT",
    path: "admin/license",
    right: "admin",
    reach: "company",
    summary: "Installs a new licence file; an invalid one is refused and changes nothing",
    body: z.object({ file: z.string().check(z.minLength(1), z.maxLength(10_000)) }),
    reply: LicenceInfo,
    problems: ["licence_not_here", "licence_invalid", "demo_refused", "entered_refused", "token_refused"],
  }),
};
