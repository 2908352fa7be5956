import type { PublicCtx } from "./context.ts";

/** Ways to say every address of the machine. */
const everywhere: ReadonlySet<string> = new Set(["0.0.0.0", "::", "::0", ""]);

/** Host at which device ports of this server are reached: where they listen, and when that is everywhere, as it was asked for. */
export function deviceHostOf({ config, host }: Pick<PublicCtx, "config" | "host">): string {
  return everywhere.has(config.deviceHost) ? host : config.deviceHost;
}
