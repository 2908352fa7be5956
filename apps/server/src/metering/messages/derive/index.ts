export { nearSec, type Derived } from "./derive.ts";
export { derivedWithin, startDeriving } from "./deriveJob.ts";
export { derivedTypes, readCalculated, removeStale, type Calculated } from "./stale.ts";
