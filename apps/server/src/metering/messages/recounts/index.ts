export { deviceRecount } from "./deviceRecount.ts";
export {
  type Difference,
  type Examined,
  type Recount,
  type TimeSpan,
  differing,
  isWaiting,
  timeText,
} from "./difference.ts";
export { freshServices } from "./freshServices.ts";
export { virtualRecount } from "./virtualRecount.ts";
export { startZoneRecounts } from "./zoneJob.ts";
