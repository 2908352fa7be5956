export type { Attribute } from "./attribute.ts";
export { attributeBounds, attributes } from "./attributes.ts";
export {
  baseStationSortFields,
  baseStations,
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
export { codecBounds, codecs, decodeAgain, type CodecField, type PayloadCodec } from "./codecs.ts";
export {
  DeviceChange,
  deviceChangeArguments,
  deviceChangeFaults,
  deviceChanges,
  type DeviceChangeAction,
  type DeviceChangeFault,
} from "./deviceChanges.ts";
export { deviceLog } from "./deviceLog.ts";
export type { DeviceModel } from "./deviceModel.ts";
export {
  baudRates,
  deviceRecord,
  virtualBounds,
  type DeviceEditInput,
  type NewDeviceInput,
  type PollParams,
  type VirtualTerm,
} from "./deviceRecord.ts";
export { DeviceSettings } from "./deviceSettings.ts";
export { deviceTrash } from "./deviceTrash.ts";
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
  gatewaySortFields,
  gatewayStates,
  gateways,
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
  holeBounds,
  holeRefusals,
  type DeviceFilter,
  type HolePeriod,
  type HolePlan,
  type HoleRefusal,
  type HoleSelection,
} from "./holes.ts";
export { importBounds, imports } from "./imports/imports.ts";
export {
  modelEvidence,
  modelRules,
  modelSettings,
  modelSheets,
  type ModelSetting,
  type ModelSheet,
} from "./modelSheet.ts";
export { models } from "./models.ts";
export { mqttAccount, type MqttAccount, type MqttRefusalReason } from "./mqttAccount.ts";
export { PeakHoursList, RegionPeakHours, areOrdered, peakHours } from "./peakHours.ts";
export type { PointStandard } from "./pointStandard.ts";
export { push, pushResults } from "./push.ts";
export {
  quarantine,
  quarantineBounds,
  quarantineReasons,
  quarantineStates,
  type QuarantineReason,
  type QuarantineState,
  type QuarantinedReading,
} from "./quarantine.ts";
export { messageLimit, readings, type PeriodSummary } from "./readings.ts";
export {
  sheetImportBounds,
  sheetImports,
  sheetKinds,
  sheetOutcomes,
  sheetRights,
  sheetStates,
  thingKinds,
  type ImportedRow,
  type SheetField,
  type SheetImport,
  type SheetKind,
  type SheetOutcome,
  type SheetState,
  type ThingKind,
} from "./imports/sheetImports.ts";
export { companyModels, messageGroups } from "./startLists.ts";
