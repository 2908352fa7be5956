import { issueLicence, makeKeys } from "#access/licence";

/** A publisher of licences for tests alone. */
export const testKeys = makeKeys();

/** Environment of a server installation that takes the licences of that publisher. */
export const serverBuild = {
  METRUM_BUILD_TYPE: "server",
  METRUM_LICENCE_PUBLIC_KEY: testKeys.publicKey,
} as const;

/** A licence file; it holds until the year 2100 unless told otherwise. */
export function aLicence({
  devices = 500,
  expires_at = 4_102_444_800,
  privateKey = testKeys.privateKey,
} = {}): string {
  return issueLicence(privateKey, {
    company: "Darkhan Utility Networks",
    devices,
    issued_at: 1_700_000_000,
    expires_at,
  });
}
