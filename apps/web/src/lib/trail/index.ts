export { leaveTrail, trail, trailLength, type Step } from "./trail.ts";
