export { deviceRecount } from "./deviceRecount.ts";
export {
  differing,
  isWaiting,
  timeText,
  type Difference,
  type Examined,
  type Recount,
  type TimeSpan,
} from "./difference.ts";
export { freshServices } from "./freshServices.ts";
export { virtualRecount } from "./virtualRecount.ts";
export { startZoneRecounts } from "./zoneJob.ts";
