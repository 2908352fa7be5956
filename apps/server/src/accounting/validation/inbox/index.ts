export { askAgain, type AskSlots, type SlotsToAsk } from "./ask.ts";
export { comment, decide, undo } from "./decide.ts";
export { openInMonth } from "./listStore.ts";
export { openException } from "./opened.ts";
export { exceptionList, exceptionSummary } from "./shown.ts";
