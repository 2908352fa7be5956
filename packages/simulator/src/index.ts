export type { OnAnswer } from "./bus.ts";
export { branchesOf, demoFeeders, type Feeder } from "./plans/demoFeeders.ts";
export { demoPlan } from "./plans/demoPlan.ts";
export { noFaults, type Faults } from "./faults.ts";
export { history, type HistoryOptions } from "./history.ts";
export { createLoad, origin, type Load, type LoadOptions } from "./load.ts";
export { createMeter, readingsOf, type Meter } from "./meter.ts";
export { mixedPlan, type MixedOptions } from "./plans/mixedPlan.ts";
export type { OrderBook, TakenOrder } from "./orderBook.ts";
export { startPark, type Park, type ParkOptions } from "./park.ts";
export type {
  Plan,
  PlannedBaseStation,
  PlannedDevice,
  PlannedGateway,
  PlannedListening,
} from "./plans/plan.ts";
export type { RadioTarget } from "./radio.ts";
export { mixes, scalePlan, type MixName, type ScaleOptions } from "./plans/scalePlan.ts";
export type { LoadKind } from "./shapes.ts";
export { dlmsPort, wrappedPlan } from "./plans/wrappedPlan.ts";
