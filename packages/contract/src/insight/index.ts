export { completeness, completenessBounds, holeReasons, type HoleReason } from "./completeness.ts";
