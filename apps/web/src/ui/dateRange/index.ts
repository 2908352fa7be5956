export { DateRange, rangeText } from "./DateRange.tsx";
export {
  allowedRange,
  daysOf,
  defaultRange,
  fitRange,
  maxSpanOf,
  presetOf,
  presetRange,
  presets,
  presetsWithin,
  profileSpan,
  stepRange,
  wholeDays,
  type Fitted,
  type Preset,
  type Range,
  type RangeLimits,
} from "./range.ts";
export {
  addDays,
  endOfDay,
  fromLocal,
  parseDateTime,
  startOfDay,
  startOfMonth,
  startOfWeek,
  startOfYear,
} from "./zone.ts";
