export {
  hurryRefused,
  hurrySilent,
  noteHeard,
  noteResult,
  pollSoon,
  pullSlotsNear,
  recallHeard,
  setSlots,
} from "./store.ts";
