export { type Derived, nearSec } from "./derive.ts";
export { derivedWithin, startDeriving } from "./deriveJob.ts";
export { type Calculated, readCalculated, removeStale } from "./stale.ts";
