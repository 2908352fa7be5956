import type { Domain } from "#core";
import { serveMap } from "./calls.ts";

/** Objects on a map: counted in cells, with the state of their devices. */
export const map: Domain = { name: "map", calls: serveMap };
