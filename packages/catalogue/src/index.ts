export { deviceTypes, type DeviceType } from "./deviceTypes.ts";
export { defineModel, evidenceKinds } from "./model.ts";
export type {
  BaseStationModel,
  Evidence,
  GatewayControl,
  GatewayModel,
  MeterModel,
  Model,
  Sample,
  Tab,
} from "./model.ts";
export { baseStationModels, gatewayModels, meterModels, modelById, models } from "./models.ts";
