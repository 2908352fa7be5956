import type { Services } from "#core";

/** Put in by the build (`scripts/build.mjs`): public keys of the publisher, separated by commas; empty without any. */
declare const METRUM_BUILT_IN_LICENCE_KEYS: string | undefined;

/**
 * Public keys whose licences hold. Those that were built in leave no choice; only a build without any, or one that runs from
 * source, takes them from METRUM_LICENCE_PUBLIC_KEY.
 */
export function publicKeys(config: Pick<Services["config"], "licencePublicKeys">): readonly string[] {
  const builtIn = typeof METRUM_BUILT_IN_LICENCE_KEYS === "string" ? METRUM_BUILT_IN_LICENCE_KEYS : "";
  return builtIn === "" ? config.licencePublicKeys : builtIn.split(",");
}
