export type { Attribute } from "./attribute.ts";
export { attributeBounds, attributes } from "./attributes.ts";
export {
  type BaseStation,
  type BaseStationChange,
  type BaseStationListInput,
  type BaseStationSelection,
  type NewBaseStation,
  baseStationSortFields,
  baseStations,
  mostBaseStations,
} from "./baseStations.ts";
export {
  type CarrierAction,
  type CarrierChanged,
  type CarrierFault,
  carrierChanges,
} from "./carrierChanges.ts";
export { type CodecField, type PayloadCodec, codecBounds, codecs, decodeAgain } from "./codecs.ts";
export {
  DeviceChange,
  type DeviceChangeAction,
  type DeviceChangeFault,
  deviceChangeArguments,
  deviceChangeFaults,
  deviceChanges,
} from "./deviceChanges.ts";
export { deviceLog } from "./deviceLog.ts";
export type { DeviceModel } from "./deviceModel.ts";
export {
  type DeviceEditInput,
  type NewDeviceInput,
  type PollParams,
  type VirtualTerm,
  baudRates,
  deviceRecord,
  virtualBounds,
} from "./deviceRecord.ts";
export { DeviceSettings } from "./deviceSettings.ts";
export { deviceTrash } from "./deviceTrash.ts";
export {
  type DeviceListInput,
  type DeviceSelection,
  type DeviceState,
  type MeteringDevice,
  appendedFields,
  deviceSortFields,
  deviceStates,
  devices,
} from "./devices.ts";
export {
  type Gateway,
  type GatewayChange,
  type GatewayListInput,
  type GatewaySelection,
  type GatewayState,
  type NewGateway,
  type Replacement,
  gatewaySortFields,
  gatewayStates,
  gateways,
  mostGateways,
  mostPollPause,
} from "./gateways.ts";
export {
  type DeviceFilter,
  type HolePeriod,
  type HolePlan,
  type HoleRefusal,
  type HoleSelection,
  holeBounds,
  holeRefusals,
} from "./holes.ts";
export { importBounds, imports } from "./imports.ts";
export {
  type ModelSetting,
  type ModelSheet,
  modelEvidence,
  modelRules,
  modelSettings,
  modelSheets,
} from "./modelSheet.ts";
export { models } from "./models.ts";
export { type MqttAccount, type MqttRefusalReason, mqttAccount } from "./mqttAccount.ts";
export { PeakHoursList, RegionPeakHours, areOrdered, peakHours } from "./peakHours.ts";
export type { PointStandard } from "./pointStandard.ts";
export { push, pushResults } from "./push.ts";
export {
  type QuarantineReason,
  type QuarantineState,
  type QuarantinedReading,
  quarantine,
  quarantineBounds,
  quarantineReasons,
  quarantineStates,
} from "./quarantine.ts";
export { type PeriodSummary, messageLimit, readings } from "./readings.ts";
export {
  type ImportedRow,
  type SheetField,
  type SheetImport,
  type SheetKind,
  type SheetOutcome,
  type SheetState,
  type ThingKind,
  sheetImportBounds,
  sheetImports,
  sheetKinds,
  sheetOutcomes,
  sheetRights,
  sheetStates,
  thingKinds,
} from "./sheetImports.ts";
export { companyModels, messageGroups } from "./startLists.ts";
