export { type HoleReason, completeness, completenessBounds, holeReasons } from "./completeness.ts";
