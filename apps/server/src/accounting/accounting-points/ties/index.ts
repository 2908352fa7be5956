export { amountsBefore, deleteAmountsBefore, insertAmount, type AmountBefore } from "./amountStore.ts";
export { fitting, tieDevices } from "./devices.ts";
export { confirmedBy, reasonIn, refuseDoubted, type Confirmation, type Given } from "./doubtedReadings.ts";
export {
  createPoint,
  createPoints,
  deletePoints,
  leaveBranch,
  placePoint,
  removePoints,
  updatePoint,
} from "./points.ts";
export { registersOf } from "./registerList.ts";
export {
  meterlessAmount,
  replaceDevice,
  undoReplacement,
  undoable,
  type Replacement,
} from "./replacement.ts";
export { checkReplacement } from "./replacementCheck.ts";
export { refuseDoubtedTie, tieDevice, untieDevice } from "./tying.ts";
