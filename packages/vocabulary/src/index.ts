export { factorOf, otherUnits, pulses } from "./conversions.ts";
export {
  argumentsSchema,
  type ArgumentsOf,
  type Command,
  type CommandField,
  type Narrowings,
} from "./commandArguments.ts";
export {
  changesDevice,
  commandOf,
  commands,
  isReadingCommand,
  pollManagement,
  type CommandByKey,
  type CommandKey,
  type ReadingCommandKey,
} from "./commands.ts";
export {
  fieldNames,
  fieldOf,
  fields,
  isFieldName,
  type Field,
  type FieldKind,
  type FieldName,
} from "./fields.ts";
export type {
  AccountingPointId,
  BaseStationId,
  Branded,
  CompanyId,
  DeviceId,
  GatewayId,
  UserId,
} from "./ids.ts";
export { interfaces, signInInterface, type ConnectionInterface } from "./interfaces.ts";
export {
  isMessageType,
  messageTypeIds,
  messageTypes,
  sources,
  statuses,
  type MessageTypeId,
  type Source,
  type Status,
} from "./messageTypes.ts";
export { accessActions, hiddenModuleIds, modules, type AccessAction } from "./modules.ts";
export {
  resourceByKey,
  resourceOfGroup,
  resourceOfType,
  resourceTypeOf,
  resources,
  type DeviceGroupId,
  type Resource,
  type ResourceId,
  type ResourceKey,
  type ResourceTypeId,
  type WaterKind,
} from "./resources.ts";
export { protocols, type ProtocolKey } from "./protocols.ts";
export { secretKinds, type SecretKind } from "./secrets.ts";
export { tabs, type TabKey } from "./tabs.ts";
export { languages, type Language, type Text } from "./text.ts";
export { traceCodes, type TraceCode } from "./trace/codes.ts";
export { stepAt, stepCodes, type StepName } from "./trace/steps.ts";
export { stepWords, type ReadStep } from "./trace/stepWords.ts";
export type { TraceLook } from "./trace/table.ts";
export type { TraceName, TraceTerm, TraceValue } from "./trace/types.ts";
export { traceValue } from "./trace/values.ts";
export { termOf, traceLook, traceWords, type TraceReader } from "./trace/words.ts";
export { units, type UnitKey } from "./units.ts";
