export { daysFrom, lockDays, mergeDays } from "./dayStore.ts";
export { compareDays, dayKeyOf, daysTouched, sumDays, type DayMessage, type DayRow } from "./days.ts";
export { recountDays, type Recounted } from "./recount.ts";
export { recountSample, type SampleVerdict } from "./recountSample.ts";
export { countedDays, firstCountedDay, latestSets } from "./zoneDayStore.ts";
