export { ageOf, formatAge, type Age } from "./age.ts";
export { decimalMark, formatNumber, parseNumber, withSign } from "./numbers.ts";
export {
  formatClock,
  formatDate,
  formatDateTime,
  formatOffset,
  formatShort,
  formatTime,
  formatTimeDate,
} from "./times.ts";
export { useFormat } from "./useFormat.ts";
export { useNow } from "./useNow.ts";
export { day, offsetAt, toLocal } from "./zone.ts";
