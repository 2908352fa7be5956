export {
  hurryRefused,
  hurrySilent,
  noteReceipts,
  noteResult,
  pollSoon,
  pullSlotsNear,
  recountReceipts,
  setSlots,
} from "./store.ts";
