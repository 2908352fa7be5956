export { defineModel } from "./model.ts";
export type { BaseStationModel, GatewayModel, MeterModel, Model, Sample, Tab, TabKey } from "./model.ts";
