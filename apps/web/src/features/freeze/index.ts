export { askFreeze, askRelease, everyMs, type Place } from "./actions.ts";
export { FreezeNote } from "./FreezeNote.tsx";
