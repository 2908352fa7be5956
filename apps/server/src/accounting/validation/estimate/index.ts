export { estimateBy, preferred, propose, type Proposal, type Sources } from "./estimate.ts";
export { frameOf, registerBetween, standingValues } from "./slots.ts";
export { changedDays, stepsWith, totalsWith } from "./totals.ts";
