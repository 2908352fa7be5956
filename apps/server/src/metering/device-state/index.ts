export {
  hurryRefused,
  hurrySilent,
  neverPolled,
  noteReceipts,
  noteResult,
  planAnew,
  pollSoon,
  pullSlotsNear,
  recountReceipts,
  renewSilence,
  setSlots,
} from "./store.ts";
export { isSilent, silentDevices, switchedOff } from "./silenceStore.ts";
export { clearSettings, noteStatus, noteStatuses, statusOf, type ToldStatus } from "./statusStore.ts";
