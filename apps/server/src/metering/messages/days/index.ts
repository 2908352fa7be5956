export { daysFrom, lockDays, mergeDays } from "./dayStore.ts";
export { type DayMessage, type DayRow, compareDays, dayKeyOf, daysTouched, sumDays } from "./days.ts";
export { type Recounted, recountDays } from "./recount.ts";
export { type SampleVerdict, recountSample } from "./recountSample.ts";
export { countedDays, firstOf, latestSets, messageTimes, spanOfReadings } from "./zoneDayStore.ts";
