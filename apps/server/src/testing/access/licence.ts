import { issueLicence, makeKeys } from "#access/licence";

/** A publisher of licences for tests only. */
export const testKeys = makeKeys();

/** Environment of a server installation that trusts this publisher. */
export const serverBuild = {
  METRUM_BUILD_TYPE: "server",
  METRUM_LICENCE_PUBLIC_KEY: testKeys.publicKey,
} as const;

/** A licence file, by default valid until the year 2100. */
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
