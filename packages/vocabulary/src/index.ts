export {
  archiveOfWireType,
  archiveTypeIds,
  archiveTypes,
  archiveWireType,
  hasTimeOfDay,
  isArchiveType,
  usualArchiveTypes,
  type ArchiveType,
  type ArchiveTypeId,
} from "./archiveTypes.ts";
export { factorOf, otherUnits, pulses } from "./conversions.ts";
export {
  argumentsSchema,
  type ChangingCommand,
  type Command,
  type ReadingCommand,
} from "./commands/commandArguments.ts";
export {
  narrowedFields,
  type ArgumentsOf,
  type Choice,
  type CommandField,
  type Narrowings,
} from "./commands/commandFields.ts";
export {
  changesDevice,
  commandOf,
  commands,
  isChangingCommand,
  isReadingCommand,
  isStateCommand,
  pollManagement,
  type ArchiveCommandKey,
  type ChangingCommandKey,
  type CommandByKey,
  type CommandKey,
  type ReadingCommandKey,
  type StateCommandKey,
} from "./commands.ts";
export { compareState, wantedState, type DeviceState } from "./deviceState.ts";
export { csvText } from "./csvText.ts";
export { amountDecimals, storedDecimals, withoutNoise } from "./digits.ts";
export { columnOf, type ColumnName } from "./columns.ts";
export {
  fieldNames,
  fieldOf,
  fields,
  isFieldName,
  tariffsOf,
  type Field,
  type FieldKind,
  type FieldName,
  type Transformers,
} from "./fields.ts";
export type {
  AccountingPointId,
  BaseStationId,
  BalanceGroupId,
  ConsumerId,
  ObjectId,
  SupplierId,
  TransformerId,
  Branded,
  CompanyId,
  DeviceId,
  GatewayId,
  UserId,
} from "./ids.ts";
export { interfaces, signInInterface, type ConnectionInterface } from "./interfaces.ts";
export { journals, type JournalName } from "./journals.ts";
export {
  changesAnything,
  managementOf,
  readManagement,
  switchesOff,
  type Management,
  type ReadManagement,
  type RequestedCommand,
} from "./management.ts";
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
  meterKinds,
  pointTypeOf,
  pointTypes,
  resourceTypeOf,
  resources,
  type DeviceGroupId,
  type Resource,
  type ResourceId,
  type ResourceKey,
  type ResourceTypeId,
  type PointType,
  type WaterKind,
} from "./resources.ts";
export { protocols, type ProtocolKey } from "./protocols.ts";
export { secretKinds, type SecretKind } from "./secrets.ts";
export { daysInMonth, dayOfYear, isDayOfYear } from "./specialDays.ts";
export { tabs, type TabKey } from "./tabs.ts";
export {
  endMinute,
  isClockTime,
  mostTariffTimes,
  tariffDifferences,
  tariffIntervals,
  tariffKeys,
  tariffTimeFaults,
  type TariffDifference,
  type TariffInterval,
  type TariffKey,
  type TariffSchedule,
  type TariffTimeFault,
} from "./tariffSchedule.ts";
export { languages, type Language, type Text } from "./text.ts";
export { traceCodes, type TraceCode } from "./trace/codes.ts";
export { stepAt, stepCodes, type StepName } from "./trace/steps.ts";
export { stepWords, type ReadStep } from "./trace/stepWords.ts";
export type { TraceLook } from "./trace/table.ts";
export type { TraceName, TraceTerm, TraceValue } from "./trace/types.ts";
export { traceValue } from "./trace/values.ts";
export { termOf, traceLook, traceWords, type TraceReader } from "./trace/words.ts";
export { powerUnits, units, type UnitKey } from "./units.ts";
