export { commandMessages, type CommandMessage } from "./commandMessages.ts";
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
export { decimalsOf } from "./core/amounts.ts";
export { fileFormats, ListFile, listFileBounds, type FileColumn, type FileFormat } from "./core/listFile.ts";
export { duties, type Duty } from "./core/duties.ts";
export { contentText, isSameContent } from "./core/content.ts";
export { emailPattern } from "./core/email.ts";
export { innLength, isInn } from "./core/inn.ts";
export { isPhone, phoneLength } from "./core/phone.ts";
export { notSupportedYet, unsupported } from "./core/notYet.ts";
export { allows, parseRule, type Access, type Rule } from "./core/rights.ts";
export {
  BoundedObject,
  Id,
  IdText,
  listInput,
  Nothing,
  paged,
  pageSize,
  pageSizes,
  Seconds,
  ShortText,
} from "./core/values.ts";
export { balances, type BalanceReportRow } from "./balances.ts";
export {
  balanceDayStates,
  balanceLimits,
  balanceRoles,
  balanceStates,
  causeActions,
  causeKinds,
  halfHourBounds,
  lossRules,
  type Balance,
  type BalanceCause,
  type BalanceGroup,
  type BalancePoint,
  type BalanceRole,
  type BalanceState,
  type CauseKind,
  type HalfHour,
  type ListedBalanceGroup,
  type LossRule,
  type PeriodSums,
} from "./balanceFields.ts";
export {
  baseStations,
  baseStationSortFields,
  mostBaseStations,
  type BaseStation,
  type BaseStationChange,
  type BaseStationListInput,
  type BaseStationSelection,
  type NewBaseStation,
} from "./baseStations.ts";
export {
  carrierChanges,
  type CarrierAction,
  type CarrierChanged,
  type CarrierFault,
} from "./carrierChanges.ts";
export {
  ListViewState,
  listViews,
  viewBounds,
  viewedLists,
  type ListViewRow,
  type ViewedList,
} from "./listViews.ts";
export {
  bridge,
  bridgeBounds,
  bridgeEnds,
  modelClasses,
  transparentSortFields,
  type BridgeEnd,
  type TransparentPort,
} from "./bridge.ts";
export {
  holeBounds,
  holeRefusals,
  type DeviceFilter,
  type HolePeriod,
  type HolePlan,
  type HoleRefusal,
  type HoleSelection,
} from "./holes.ts";
export { importBounds, imports } from "./imports.ts";
export {
  quarantine,
  quarantineBounds,
  quarantineReasons,
  quarantineStates,
  type QuarantinedReading,
  type QuarantineReason,
  type QuarantineState,
} from "./quarantine.ts";
export {
  MappingDefinition,
  mappingFaults,
  mappings,
  mostMappings,
  timeFormats,
  type MqttMapping,
} from "./mappings.ts";
export { mqttAccount, type MqttAccount, type MqttRefusalReason } from "./mqttAccount.ts";
export {
  mostNetworkServers,
  networkServerKinds,
  networkServerReasons,
  networkServers,
  networkServerStates,
  type NetworkServer,
} from "./networkServers.ts";
export {
  sheetImportBounds,
  sheetImports,
  sheetKinds,
  sheetRights,
  sheetOutcomes,
  sheetStates,
  type ImportedRow,
  type SheetField,
  type SheetImport,
  thingKinds,
  type SheetKind,
  type ThingKind,
  type SheetOutcome,
  type SheetState,
} from "./sheetImports.ts";
export { auditLog, type LogRow } from "./auditLog.ts";
export { auditActions, auditTitle, type AuditAction } from "./auditActions.ts";
export {
  accessGroups,
  groupSortFields,
  holdsAll,
  type GrantedRules,
  type ListedGroup,
} from "./accessGroups.ts";
export {
  administration,
  leastFreeBytes,
  Health,
  Letter,
  letterStates,
  PlatformUser,
  platformUserSortFields,
} from "./administration.ts";
export { auth, personalDataVersion } from "./auth.ts";
export { captcha, workPrefix, type Challenge } from "./captcha.ts";
export { codecBounds, codecs, decodeAgain, type CodecField, type PayloadCodec } from "./codecs.ts";
export { currentCompany, dividedGapDays, type Company, type PeakHours, type PeakRange } from "./company.ts";
export {
  companies,
  companySortFields,
  companyStates,
  endingDays,
  type BranchFields,
  type CompanyFields,
  type CompanyInTree,
  type CompanyState,
} from "./companies.ts";
export { contract } from "./contract.ts";
export {
  DeviceChange,
  deviceChangeFaults,
  deviceChangeArguments,
  deviceChanges,
  type DeviceChangeAction,
  type DeviceChangeFault,
} from "./deviceChanges.ts";
export { DeviceSettings } from "./deviceSettings.ts";
export {
  appendedFields,
  deviceSortFields,
  deviceStates,
  devices,
  type DeviceListInput,
  type DeviceSelection,
  type DeviceState,
  type MeteringDevice,
} from "./devices.ts";
export {
  gateways,
  gatewaySortFields,
  gatewayStates,
  mostGateways,
  mostPollPause,
  type Gateway,
  type GatewayChange,
  type GatewayListInput,
  type GatewaySelection,
  type GatewayState,
  type NewGateway,
  type Replacement,
} from "./gateways.ts";
export {
  baudRates,
  deviceRecord,
  type DeviceEditInput,
  type NewDeviceInput,
  type PollParams,
  type VirtualTerm,
  virtualBounds,
} from "./deviceRecord.ts";
export { deviceLog } from "./deviceLog.ts";
export type { Attribute } from "./attribute.ts";
export { attributeBounds, attributes } from "./attributes.ts";
export {
  schedules,
  type DeviceSchedule,
  type ScheduleRules,
  type SchedulerTask,
  type SpecialDays,
  type TariffSchedule,
} from "./schedules.ts";
export { deviceTrash } from "./deviceTrash.ts";
export { Email, members, userSessions, type MemberChange, type NewMember } from "./members.ts";
export { licence, licenceStates, type LicenceInfo, type LicenceState } from "./licence.ts";
export {
  lineFaults,
  lines,
  lineSpeeds,
  lineSortFields,
  lineWays,
  linkStates,
  mostLines,
  mostLineTests,
  mostReceivers,
  parities,
  receivers,
  type Line,
  type LineFault,
  type LineInput,
  type LineListInput,
  type LineSerial,
  type LineTest,
  type LineWay,
  type LinkState,
  type Receiver,
} from "./lines.ts";
export { messages, type MessageCode } from "./messages.ts";
export type { DeviceModel } from "./deviceModel.ts";
export { models } from "./models.ts";
export {
  modelEvidence,
  modelRules,
  modelSettings,
  modelSheets,
  type ModelSetting,
  type ModelSheet,
} from "./modelSheet.ts";
export { addresses, addressBounds, addressSources, type AddressSuggestion } from "./addresses.ts";
export {
  mapBounds,
  mapStates,
  objectMap,
  type MapCluster,
  type MapCounts,
  type MapObject,
  type MapRectangle,
  type MapState,
  type MapStation,
} from "./objectMap.ts";
export { smartImport, type ImportFile } from "./smartImport.ts";
export {
  consumptionBounds,
  consumptionPeriods,
  objectConsumption,
  type ConsumptionPart,
  type ConsumptionPeriod,
  type TypeConsumption,
} from "./objectConsumption.ts";
export { heatBounds, objectHeat, type HeatOfPoint } from "./objectHeat.ts";
export { objects } from "./objects.ts";
export { consumers, subjects, consumerSortFields, type Consumer, type ConsumerExport } from "./consumers.ts";
export { suppliers, supplierSortFields, type Supplier } from "./suppliers.ts";
export { transformerKinds, transformers, transformerSortFields, type Transformer } from "./transformers.ts";
export {
  partyBounds,
  subjectOrganisation,
  subjectPerson,
  subjectTypes,
  type PartyPoint,
} from "./partyFields.ts";
export { objectTies } from "./objectTies.ts";
export { accountingPoints } from "./accountingPoints.ts";
export { pointImport, pointImportBounds } from "./pointImport.ts";
export { pointData, validatedProfileBounds } from "./pointData.ts";
export { meterlessMethods, pointDevices, pointTransformers } from "./pointDevices.ts";
export {
  enteredEventKinds,
  pointBounds,
  pointEventKinds,
  pointSortFields,
  pointStates,
  pointTermKinds,
  voltageLevels,
  type AccountingPoint,
  type PointState,
} from "./pointFields.ts";
export {
  pointEventTitles,
  pointFiles,
  pointHistory,
  totalStates,
  type PointFile,
  type PointMonth,
  type PointWhy,
} from "./pointHistory.ts";
export {
  periodBounds,
  periods,
  periodStates,
  totalChanges,
  type PeriodPreview,
  type PeriodState,
  type PeriodTotal,
  type PeriodVersion,
  type SettlementPeriod,
  type TotalChange,
  type TotalsSummary,
} from "./periods.ts";
export {
  objectBounds,
  objectTypes,
  type BranchCounts,
  type ObjectAddress,
  type ObjectType,
  type TreeObject,
} from "./objectFields.ts";
export { polling, type DevicePolling } from "./polling.ts";
export {
  pollGroupLimits,
  pollGroups,
  pollIntervals,
  timeShifts,
  type PollGroup,
  type SelectedData,
} from "./pollGroups.ts";
export { lineStates, planLimits, planReasons, pollPlan, type PlanLine, type PollPlan } from "./pollPlan.ts";
export {
  ExchangeStep,
  exchangeKinds,
  exchangeOutcomes,
  pollResults,
  type TaskLog,
  type ExchangeKind,
  type ExchangeOutcome,
  type PollResult,
} from "./exchanges.ts";
export {
  commandStates,
  control,
  controlLimits,
  type CommandState,
  type ControlFreeze,
  type ControlPlan,
  type DeviceCommand,
  type UnableReason,
} from "./control.ts";
export {
  namedTaskDevices,
  taskLimits,
  taskOutcomes,
  tasks,
  taskSortFields,
  taskStates,
  type DeviceTask,
  type RequestPlan,
  type TaskResult,
  type TaskState,
  type TaskStatistics,
  type TaskStatus,
} from "./tasks.ts";
export { areOrdered, peakHours, PeakHoursList, RegionPeakHours } from "./peakHours.ts";
export {
  longestPassword,
  passwordNeeds,
  passwordSigns,
  shortestPassword,
  unmetPasswordNeeds,
  type PasswordNeed,
} from "./passwords.ts";
export {
  longestTokenDays,
  memberTwoFactor,
  mostTokens,
  ownSessions,
  profile,
  ProfileChange,
  twoFactor,
  type ApiToken,
  type OwnSession,
} from "./profile.ts";
export {
  adminBroker,
  inbox,
  inboxKinds,
  polledFactors,
  polledFields,
  type AdminDeviceRow,
  type AdminPoll,
  type InboxCreate,
  type InboxEntry,
  type InboxPreview,
} from "./modems.ts";
export {
  fieldFault,
  fieldFaults,
  isFieldFaultCode,
  type FieldFault,
  type FieldFaultCode,
  type Params,
} from "./fieldFaults.ts";
export {
  Problem,
  problem,
  problems,
  type ProblemCode,
  type ProblemInput,
  type WrongFields,
} from "./problems.ts";
export { push, pushResults } from "./push.ts";
export { completeness, completenessBounds, holeReasons, type HoleReason } from "./completeness.ts";
export { messageLimit, readings, type PeriodSummary } from "./readings.ts";
export { PasswordReset, registration, Signup } from "./registration.ts";
export {
  serviceMessages,
  services,
  type CompanyService,
  type Service,
  type ServiceLogRow,
} from "./services.ts";
export {
  contrast,
  fitAccent,
  isColour,
  leastContrast,
  type AccentTones,
  type BrandAccent,
} from "./brandAccent.ts";
export {
  designBounds,
  designCode,
  designFiles,
  designPictures,
  shell,
  type DesignFile,
  type DesignPicture,
  type OwnDesign,
} from "./shell.ts";
export { mostSimulated, simulation, SimulatedPark } from "./simulation.ts";
export { appVersion, site } from "./site.ts";
export { companyModels, messageGroups } from "./startLists.ts";
export { ties } from "./ties.ts";
export {
  AccessGroup,
  AccessRecord,
  AccessRules,
  Module,
  users,
  userSortFields,
  type Member,
  type User,
} from "./users.ts";
export { singleSignOn } from "./singleSignOn.ts";
export {
  chosenKinds,
  retention,
  retentionKinds,
  retentionMonths,
  type Retention,
  type RetentionKind,
} from "./retention.ts";
export { validation } from "./validation.ts";
export type { HoldingRule, OpenedException, ValidationException } from "./validation.ts";
export type { ValidationRule, ValidationRuleKind } from "./validation.ts";
export {
  estimationMethods,
  validationBounds,
  validationKinds,
  validationOutcomes,
} from "./validationKinds.ts";
export type { EstimationMethod, ValidationKind } from "./validationKinds.ts";
export type { ValidationOutcome, ValidationUnit } from "./validationKinds.ts";
export type { PointStandard } from "./pointStandard.ts";
