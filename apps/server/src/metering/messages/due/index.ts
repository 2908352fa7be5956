export { runDependants, startDependants, type ChangedSpan, type Dependants } from "./dependants.ts";
export {
  currentDependants,
  dependOn,
  dependantsOf,
  dueColumns,
  isDue,
  markDependants,
  markDue,
  pullDueNear,
  readingProgress,
  stopDepending,
  type DueProgress,
  type Mark,
} from "./dueStore.ts";
export { dependantKinds, dueKinds, forever, type DependantKind, type DueKind } from "./kinds.ts";
export { marksOf } from "./marks.ts";
export { mostAttempts, type Due, type DueQueue, type Leasing } from "./queue.ts";
export { startWork, workOnce, type DueWork } from "./runner.ts";
export {
  forgetGone,
  forgetZoneDue,
  markWhole,
  noteCounted,
  pullZonesNear,
  putZoneOff,
  takeZoneDue,
  type ZoneDue,
} from "./zoneDueStore.ts";
