export { startSchedules, type Moment, type ScheduledWork } from "./runner.ts";
export { nextMoment, type Schedule } from "./schedule.ts";
export { scheduleReports } from "./store.ts";
