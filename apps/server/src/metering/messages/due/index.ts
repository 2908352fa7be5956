export { type ChangedSpan, type Dependants, runDependants, startDependants } from "./dependants.ts";
export {
  type DueProgress,
  type Mark,
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
} from "./dueStore.ts";
export { type DependantKind, type DueKind, dependantKinds, dueKinds, forever } from "./kinds.ts";
export { marksOf } from "./marks.ts";
export { type Due, type DueQueue, type Leasing, mostAttempts } from "./queue.ts";
export { type DueWork, startWork, workOnce } from "./runner.ts";
export {
  type ZoneDue,
  forgetGone,
  forgetZoneDue,
  markWhole,
  noteCounted,
  pullZonesNear,
  putZoneOff,
  takeZoneDue,
} from "./zoneDueStore.ts";
