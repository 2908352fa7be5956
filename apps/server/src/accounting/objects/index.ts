import type { Domain } from "#core";
import { serveObjects } from "./calls.ts";

/** The tree of objects that devices stand at: districts, streets, houses. */
export const objects: Domain = { name: "objects", calls: serveObjects };
