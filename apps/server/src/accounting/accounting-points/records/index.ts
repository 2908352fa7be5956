export {
  refuseBilled,
  refuseBilledChanges,
  refuseBilledPoints,
  refuseBilledRatio,
  refuseBilledSpans,
} from "./billed.ts";
export { pointsChanged } from "./changed.ts";
export {
  type By,
  type PointDevice,
  type PointDeviceId,
  type TiedDevice,
  currentPointOf,
  deviceNumbered,
  deviceRatioAt,
  devicesOf,
  hasMeasured,
  insertTies,
  replacedTies,
  deleteTie,
  closeTie,
  registerUses,
  changeTie,
  reopenTie,
  registersInUse,
  devicesOfPoints,
  lockTied,
} from "./deviceStore.ts";
export {
  type RecognisedEvent,
  deleteEventsOf,
  insertEvent,
  insertEvents,
  insertReplaced,
  moveEventsOf,
  noteRecognised,
} from "./eventStore.ts";
export { addEvent, removeEvent } from "./events.ts";
export { findPoints, termsNow, transformerKind } from "./listStore.ts";
export { nestedPoints, pointsOfCompany, pointsOfNode, shownPoint } from "./lists.ts";
export { lockPoint, lockPoints, subjectOf } from "./lock.ts";
export { momentOf, refuseMoment } from "./moments.ts";
export { countersOf, mainRegister, readingsOf, registerOf } from "./registers.ts";
export { resourceTypes } from "./resourceTypes.ts";
export {
  type PointColumns,
  columnsOf,
  columnsOfPoints,
  countFollowing,
  insertPoints,
  pointColumns,
  changePoint,
  groupsWithPoints,
  deletePoints,
  pointsOfBranch,
  emptyBranchOfPoints,
  standOutside,
  countPoints,
} from "./store.ts";
export {
  type PointEventTable,
  type RegisterValues,
  type Standard,
  type TermKind,
  dayFlags,
} from "./tables.ts";
