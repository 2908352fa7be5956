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
} from "./counterStore.ts";
export { doubtedSteps, type DoubtedStep } from "./decreaseStore.ts";
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
export { loadsFor, readLoads } from "./loadStore.ts";
export { knowingLoads, type SamplesOf } from "./loads.ts";
export { lossOver, type LossStep } from "./losses.ts";
export { doubtedIn, fallsOf, growthBetween, isArchive, type Fall, type Falls } from "./resets.ts";
export { readBefore, suspected, withSuspects, type Before } from "./suspicion.ts";
