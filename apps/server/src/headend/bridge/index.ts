import type { Domain } from "#core";
import { serveBridges } from "./calls.ts";

export { startBridges } from "./holder.ts";

/** Transparent TCP ports to the lines of meters and gateways. */
export const bridge: Domain = { name: "bridge", calls: serveBridges };
