export {
  comparableDevices,
  judgedDevices,
  neighboursWith,
  newDevices,
  pointAt,
  rulesOfCompany,
  siblingDays,
  termsOfPoints,
  type JudgedDevice,
} from "./deviceStore.ts";
export { contradictionsOf, disputeKind, disputesOf, type Dispute } from "./disputes.ts";
export {
  daysBefore,
  exceeds,
  isConfirmed,
  isEstimated,
  isTrusted,
  judgedDays,
  judgedSteps,
  median,
  quantile,
  runsOf,
  tenth,
  termAt,
  usualMaximum,
  type DayUse,
  type Evidence,
  type Finding,
  type Judged,
  type NamedSerial,
  type Numbers,
  type Span,
  type Step,
  type Terms,
  type Value,
} from "./judged.ts";
export { ratioOf, type RatioOver } from "./ratios.ts";
export { readRivals } from "./rivalStore.ts";
export {
  intervalLengths,
  isState,
  judgedProfile,
  judgedRegister,
  judgedState,
  profileField,
  profileSteps,
  stepsOf,
  type Given,
} from "./series.ts";
export {
  isAnythingJudged,
  readValues,
  readValuesAround,
  type Values,
  type ValuesAround,
} from "./valueStore.ts";
