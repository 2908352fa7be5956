export {
  endPause,
  hurryRefused,
  hurrySilent,
  neverPolled,
  noteReceipts,
  noteResult,
  planAnew,
  pollSoon,
  pullSlotsNear,
  putReceipt,
  receivedAhead,
  recountReceipts,
  renewSilence,
  repeatInInterval,
  setSlots,
  strayedSlots,
} from "./store.ts";
export {
  lastSerials,
  noteSerials,
  takeSerialTurn,
  type LastSerial,
  type NamedNumber,
} from "./serialStore.ts";
export { isSilent, silentDevices, switchedOff } from "./silenceStore.ts";
export { clearSettings, noteStatus, noteStatuses, statusOf, type ToldStatus } from "./statusStore.ts";
