export { decimalsOf } from "./amounts.ts";
export {
  type Call,
  type Calls,
  type InputOf,
  type Method,
  type ParsedOf,
  type ReplyOf,
  call,
  pathOf,
} from "./call.ts";
export { contentText, isSameContent } from "./content.ts";
export { type Duty, duties } from "./duties.ts";
export { emailPattern } from "./email.ts";
export {
  type FieldFault,
  type FieldFaultCode,
  type Params,
  fieldFault,
  fieldFaults,
  isFieldFaultCode,
} from "./fieldFaults.ts";
export { innLength, isInn } from "./inn.ts";
export { type FileColumn, type FileFormat, ListFile, fileFormats, listFileBounds } from "./listFile.ts";
export {
  type ListViewRow,
  ListViewState,
  type ViewedList,
  listViews,
  viewBounds,
  viewedLists,
} from "./listViews.ts";
export { notSupportedYet, unsupported } from "./notYet.ts";
export { isPhone, phoneLength } from "./phone.ts";
export {
  Problem,
  type ProblemCode,
  type ProblemInput,
  type WrongFields,
  problem,
  problems,
} from "./problems.ts";
export { type Access, type Rule, allows, parseRule } from "./rights.ts";
export {
  type DeviceSchedule,
  type ScheduleRules,
  type SchedulerTask,
  type SpecialDays,
  type TariffSchedule,
  schedules,
} from "./schedules.ts";
export { appVersion, site } from "./site.ts";
export {
  BoundedObject,
  Id,
  IdText,
  Nothing,
  Seconds,
  ShortText,
  listInput,
  pageSize,
  pageSizes,
  paged,
} from "./values.ts";
