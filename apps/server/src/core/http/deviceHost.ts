import type { PublicCtx } from "./context.ts";

/** Wildcard addresses. */
const everywhere: ReadonlySet<string> = new Set(["0.0.0.0", "::", "::0", ""]);

/**
 * Host at which device ports of this server are reached: the listen address, or the requested host for a
 * wildcard address.
 */
export function deviceHostOf({ config, host }: Pick<PublicCtx, "config" | "host">): string {
  return everywhere.has(config.deviceHost) ? host : config.deviceHost;
}
