export { type AmountBefore, amountsBefore, deleteAmountsBefore, insertAmount } from "./amountStore.ts";
export { fitting, tieDevices } from "./devices.ts";
export { type Confirmation, type Given, confirmedBy, reasonIn, refuseDoubted } from "./doubtedReadings.ts";
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
  type Replacement,
  meterlessAmount,
  replaceDevice,
  undoReplacement,
  undoable,
} from "./replacement.ts";
export { checkReplacement } from "./replacementCheck.ts";
export { refuseDoubtedTie, tieDevice, untieDevice } from "./tying.ts";
