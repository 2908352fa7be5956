export {
  counterRange,
  noiseOf,
  withoutRollover,
  type CounterFacts,
  type CounterRange,
  type Point,
} from "./counter.ts";
export {
  counterReadings,
  firstCounterRow,
  type CounterReading,
  type CounterReadings,
  type DeviceSpan,
} from "./counterReadings.ts";
export { exactGrowth, grown, growth, higherOf, type ExactRange } from "./growth.ts";
export { contradicted, isLate, statusOf } from "./judge.ts";
export {
  doubtedGrowth,
  doubtedLoad,
  expectedGrowth,
  loadSec,
  mostGrowth,
  physicalGrowth,
  pulseHours,
  samplesOf,
} from "./load.ts";
export { knowingLoads, readLoads, type SamplesOf } from "./loads.ts";
export { lossOver, type LossStep } from "./losses.ts";
export {
  doubtedIn,
  doubtedSteps,
  fallsOf,
  growthBetween,
  isArchive,
  type Fall,
  type Falls,
} from "./resets.ts";
export { readBefore, suspected, withSuspects, type Before } from "./suspicion.ts";
