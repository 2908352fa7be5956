export { decimalsOf } from "./amounts.ts";
export {
  call,
  pathOf,
  type Call,
  type Calls,
  type InputOf,
  type Method,
  type OwnColumn,
  type ParsedOf,
  type ReplyOf,
} from "./call.ts";
export { contentText, isSameContent } from "./content.ts";
export { duties, type Duty } from "./duties.ts";
export { emailPattern } from "./email.ts";
export {
  fieldFault,
  fieldFaults,
  isFieldFaultCode,
  type FieldFault,
  type FieldFaultCode,
  type Params,
} from "./fieldFaults.ts";
export { innLength, isInn } from "./inn.ts";
export { ListFile, fileFormats, listFileBounds, type FileColumn, type FileFormat } from "./listFile.ts";
export {
  ListViewState,
  listViews,
  viewBounds,
  viewedLists,
  type ListViewRow,
  type ViewedList,
} from "./listViews.ts";
export { notSupportedYet, unsupported } from "./notYet.ts";
export { isPhone, phoneLength } from "./phone.ts";
export {
  Problem,
  problem,
  problems,
  type ProblemCode,
  type ProblemInput,
  type WrongFields,
} from "./problems.ts";
export { allows, parseRule, type Access, type Rule } from "./rights.ts";
export {
  schedules,
  type DeviceSchedule,
  type ScheduleRules,
  type SchedulerTask,
  type SpecialDays,
  type TariffSchedule,
} from "./schedules.ts";
export { appVersion, site } from "./site.ts";
export {
  BoundedObject,
  Id,
  IdText,
  Nothing,
  Seconds,
  ShortText,
  isInstant,
  listInput,
  pageSize,
  pageSizes,
  paged,
} from "./values.ts";
