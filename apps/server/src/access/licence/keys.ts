import type { Services } from "#core";

/**
 * Set by the build (`scripts/build.mjs`): public keys of the publisher, separated by commas; empty without
 * any.
 */
declare const METRUM_BUILT_IN_LICENCE_KEYS: string | undefined;

/**
 * Public keys that licences are verified with. Built-in keys cannot be overridden; only a build without keys,
 * or one running from source, reads them from METRUM_LICENCE_PUBLIC_KEY.
 */
export function publicKeys(config: Pick<Services["config"], "licencePublicKeys">): readonly string[] {
  const builtIn = typeof METRUM_BUILT_IN_LICENCE_KEYS === "string" ? METRUM_BUILT_IN_LICENCE_KEYS : "";
  return builtIn === "" ? config.licencePublicKeys : builtIn.split(",");
}
