import type { Domain } from "#core";
import { serveObjects } from "./calls.ts";

export { updateNode } from "./change.ts";
export { dropNodes, extendPaths, pathsOf, type ExtendedPath, type NewPath, type Path } from "./paths.ts";
export { placeMany } from "./ties.ts";
export { addBranches, type NewBranch } from "./branches.ts";

/** The tree of objects that devices stand at: districts, streets, houses. */
export const objects: Domain = { name: "objects", calls: serveObjects };
