export {
  call,
  pathOf,
  type Call,
  type Calls,
  type InputOf,
  type Method,
  type ParsedOf,
  type ReplyOf,
} from "./core/call.ts";
export { allows, parseRule, type Access, type Rule } from "./core/rights.ts";
export {
  BoundedObject,
  Id,
  IdText,
  listInput,
  Nothing,
  paged,
  pageSizes,
  Seconds,
  ShortText,
} from "./core/values.ts";
export { auditActions, auditTitle, type AuditAction } from "./auditActions.ts";
export { auth } from "./auth.ts";
export {
  companies,
  companySortFields,
  type BranchFields,
  type Company,
  type CompanyFields,
} from "./companies.ts";
export { contract } from "./contract.ts";
export {
  deviceSortFields,
  deviceStates,
  devices,
  type DeviceListInput,
  type DeviceState,
  type MeteringDevice,
} from "./devices.ts";
export { messages, type MessageCode } from "./messages.ts";
export { models, type DeviceModel } from "./models.ts";
export {
  control,
  ExchangeStep,
  exchangeKinds,
  polling,
  pollResults,
  tasks,
  taskStatuses,
  type DevicePolling,
  type DeviceTask,
  type ExchangeKind,
  type PollResult,
  type TaskLog,
} from "./polling.ts";
export { Problem, problem, problems, type ProblemCode, type ProblemInput } from "./problems.ts";
export { messageLimit, readings } from "./readings.ts";
export { shell } from "./shell.ts";
export { AccessGroup, AccessRecord, AccessRules, Module, users, userSortFields, type User } from "./users.ts";
