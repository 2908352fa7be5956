export {
  refuseBilled,
  refuseBilledChanges,
  refuseBilledPoints,
  refuseBilledRatio,
  refuseBilledSpans,
} from "./billed.ts";
export { pointsChanged } from "./changed.ts";
export {
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
  type By,
  type PointDevice,
  type PointDeviceId,
  type TiedDevice,
} from "./deviceStore.ts";
export {
  deleteEventsOf,
  insertEvent,
  insertEvents,
  insertReplaced,
  moveEventsOf,
  noteRecognised,
  type RecognisedEvent,
} from "./eventStore.ts";
export { addEvent, removeEvent } from "./events.ts";
export { findPoints, termsNow, transformerKind } from "./listStore.ts";
export { nestedPoints, pointsOfCompany, pointsOfNode, shownPoint } from "./lists.ts";
export { lockPoint, lockPoints, subjectOf } from "./lock.ts";
export { momentOf, refuseMoment } from "./moments.ts";
export { countersOf, mainRegister, readingsOf, registerOf } from "./registers.ts";
export { resourceTypes } from "./resourceTypes.ts";
export {
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
  type PointColumns,
} from "./store.ts";
export {
  dayFlags,
  type PointEventTable,
  type RegisterValues,
  type Standard,
  type TermKind,
} from "./tables.ts";
