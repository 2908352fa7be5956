import type { GatewayModel, MeterModel, Model } from "@metrum/catalogue";
import type { ModelSheet } from "@metrum/contract/metering";
import { resourceByKey } from "@metrum/vocabulary";
import { hasVectors, shownCommon, shownTabs } from "./models.ts";
import { secretsOfModel, settingsOfModel } from "./settings.ts";

const daySec = 86_400;

const nothing = {
  device_group_id: null,
  device_type_id: null,
  protocol: null,
  connection: null,
  fields: [],
  tabs: {},
  controls: [],
  secrets: [],
  settings: [],
  archives: [],
  profile_from: null,
  counter_capacity: null,
  rules: [],
  evidence: [],
  comparisons: [],
  sources: [],
} satisfies Partial<ModelSheet>;

/** The data sheet of a model as sent to clients. */
export function sheetOf(model: Model): ModelSheet {
  const { id, title, interface_ids } = shownCommon(model);
  const common = { ...nothing, id, title, brand: model.brand, interface_ids, kind: model.kind };
  switch (model.kind) {
    case "meter":
      return { ...common, ...meterPart(model) };
    case "gateway":
      return { ...common, ...gatewayPart(model) };
    case "base_station":
      return common;
  }
}

function meterPart(model: MeterModel): Partial<ModelSheet> {
  const { driver } = model;
  const kept = driver.kind === "line" ? driver.archives : [];
  return {
    device_group_id: Number(resourceByKey[model.resource].deviceGroupId),
    device_type_id: model.deviceTypeId,
    protocol: driver.protocol,
    fields: [...model.fields],
    tabs: shownTabs(model.tabs),
    controls: Object.keys(model.controls),
    secrets: secretsOfModel(model),
    settings: settingsOfModel(model),
    archives: kept.map(({ msgType, period, depthSec }) => ({
      msg_type: msgType,
      period,
      depth_days: Math.floor(depthSec / daySec),
    })),
    profile_from: model.profileFrom ?? null,
    counter_capacity: model.counterCapacity ?? model.pulses?.capacity ?? null,
    rules: [
      ...(model.hasOwnStartingValue ? (["own_starting_value"] as const) : []),
      ...(model.hasLogin ? (["login"] as const) : []),
      ...(hasVectors(model) ? (["vectors"] as const) : []),
    ],
    // The walking test of the catalogue reads every model from its own simulator.
    evidence: ["simulator", ...new Set((model.evidence ?? []).map(({ kind }) => kind))],
    comparisons: [...(model.evidence ?? [])],
    sources: [...new Set(model.samples.map(({ source }) => source))],
  };
}

function gatewayPart(model: GatewayModel): Partial<ModelSheet> {
  return {
    connection: model.connection,
    protocol: model.control?.driver.protocol ?? null,
    controls: Object.keys(model.control?.controls ?? {}),
    sources: model.control ? [model.control.source] : [],
    rules: [
      ...(model.hasRawPayload ? (["raw_payload"] as const) : []),
      ...(model.isAlwaysControlled ? (["always_controlled"] as const) : []),
    ],
  };
}
