export {
  type CounterFacts,
  type CounterRange,
  type Point,
  counterRange,
  noiseOf,
  withoutRollover,
} from "./counter.ts";
export {
  type CounterReading,
  type CounterReadings,
  type DeviceSpan,
  counterReadings,
  firstCounterRow,
} from "./counterStore.ts";
export { doubtedSteps } from "./decreaseStore.ts";
export { type ExactRange, exactGrowth, grown, growth, higherOf } from "./growth.ts";
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
export { type SamplesOf, knowingLoads } from "./loads.ts";
export { type LossStep, lossOver } from "./losses.ts";
export { type Fall, type Falls, fallsIn, growthBetween, isArchive } from "./resets.ts";
export { type Before, readBefore, suspected, withSuspects } from "./suspicion.ts";
