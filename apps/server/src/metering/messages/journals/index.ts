export { journalType, withRecords } from "./events.ts";
export { createJournal } from "./journal.ts";
export { readEvents, readNewestEvent } from "./store.ts";
