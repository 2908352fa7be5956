export {
  hurryRefused,
  hurrySilent,
  noteReceipts,
  noteResult,
  planAnew,
  pollSoon,
  pullSlotsNear,
  recountReceipts,
  renewSilence,
  setSlots,
} from "./store.ts";
