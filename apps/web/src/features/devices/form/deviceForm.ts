import { isSameContent, type ReplyOf } from "@metrum/contract/core";
import {
  baudRates,
  type devices,
  type DeviceModel,
  type ModelSheet,
  type NewDeviceInput,
} from "@metrum/contract/metering";
import type { Picked } from "#ui/picker";
import { mapsOf, pickedOf, sumsOf, type SumValues } from "./virtualForm.ts";

export type OpenedDevice = ReplyOf<typeof devices.get>["metering_device"];

/** Periods of the specification in seconds: a minute to thirty days. */
export const periods = [
  60, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800, 259_200, 604_800,
  1_209_600, 2_592_000,
] as const;

/** Values of the form. */
export interface DeviceValues {
  readonly model_id: number | null;
  readonly name: string;
  readonly deviceID: string;
  readonly place: string;
  readonly interface_id: number | null;
  readonly inside_addr: string;
  readonly gateway: Picked | null;
  readonly base_station_id: number | null;
  readonly echo: boolean;
  readonly fixed_baud: (typeof baudRates)[number] | null;
  readonly timezone_name: string;
  readonly report_period_update: number;
  readonly warning_report_period: number;
  readonly impulse_weight: number | null;
  readonly starting_value: number | null;
  readonly transformation_ratio: number | null;
  readonly type_water_meter: 0 | 1;
  readonly min_value: number | null;
  readonly max_value: number | null;
  readonly note: string;
  /** Fields computed of other devices. */
  readonly sums: readonly SumValues[];
  /** The device whose readings stand beside the own ones. */
  readonly beside: Picked | null;
  readonly login: string;
  readonly password: string;
  readonly encryption: string;
  readonly authentication: string;
  /** Stored secrets that are to be removed. */
  readonly dropped: readonly string[];
}

/** Fields of the form by the path of the server, where they differ. */
export const fieldNames = {
  gateway_id: "gateway",
  "properties.echo": "echo",
  "properties.fixed_baud": "fixed_baud",
  "keys.encryption": "encryption",
  "keys.authentication": "authentication",
  "properties.type_water_meter": "type_water_meter",
  "properties.min_value": "min_value",
  "properties.max_value": "max_value",
  "properties.service_params": "note",
  "properties.virtual_fields_map": "sums",
  "properties.virtual_fields_map_multiple": "sums",
  "properties.concat_device": "beside",
} as const;

const numberIn = (properties: object, name: string): number | null => {
  const value: unknown = Reflect.get(properties, name);
  return typeof value === "number" ? value : null;
};
const textIn = (value: unknown, name: string): string => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === "string" ? found : "";
};

const blank = {
  model_id: null,
  interface_id: null,
  name: "",
  deviceID: "",
  place: "",
  inside_addr: "",
  gatewayID: null,
  gateway: null,
  base_station: null,
  report_period_update: 3600,
  warning_report_period: 86_400,
  impulse_weight: 1,
  starting_value: 0,
  transformation_ratio: 1,
  properties: {},
};

/** The form of a device, or of a new one in the zone of the company. */
export function valuesOf(device: OpenedDevice | null, zone: string): DeviceValues {
  const { properties, ...shown } = device ?? { ...blank, timezone_name: zone };
  const { name, deviceID, place, inside_addr, timezone_name } = shown;
  const { impulse_weight, starting_value, transformation_ratio } = shown;
  return {
    ...{ model_id: shown.model_id, interface_id: shown.interface_id },
    ...{ name, deviceID, place, inside_addr, timezone_name },
    gateway: gatewayOf(shown),
    base_station_id: shown.base_station?.id ?? null,
    echo: Reflect.get(properties, "echo") === true,
    fixed_baud: baudRates.find((each) => each === numberIn(properties, "fixed_baud")) ?? null,
    report_period_update: shown.report_period_update,
    warning_report_period: shown.warning_report_period,
    ...{ impulse_weight, starting_value, transformation_ratio },
    type_water_meter: numberIn(properties, "type_water_meter") === 1 ? 1 : 0,
    min_value: numberIn(properties, "min_value"),
    max_value: numberIn(properties, "max_value"),
    note: textIn(Reflect.get(properties, "service_params"), "note"),
    sums: sumsOf(properties),
    beside: pickedOf(Reflect.get(properties, "concat_device")),
    login: textIn(properties, "login"),
    password: "",
    encryption: "",
    authentication: "",
    dropped: [],
  };
}

const gatewayOf = ({ gateway, gatewayID }: Pick<OpenedDevice, "gateway" | "gatewayID">): Picked | null =>
  gateway && { id: String(gateway.id), title: gateway.name, note: gatewayID ?? "" };

/** What the form shows of a model. */
export interface ShownParts {
  readonly hasAddress: boolean;
  readonly hasLogin: boolean;
  readonly hasKind: boolean;
  readonly hasBounds: boolean;
  readonly settings: ModelSheet["settings"];
  readonly secrets: ModelSheet["secrets"];
}

const water = 1;

export function partsOf(model: DeviceModel | undefined, sheet: ModelSheet | undefined): ShownParts {
  return {
    hasAddress: model?.options.virtual_bridge.active ?? false,
    hasLogin: model?.has_login ?? false,
    hasKind: model?.device_group_id === water,
    hasBounds: model !== undefined && "power_profiles" in model.tabs,
    settings: sheet?.settings ?? [],
    secrets: sheet?.secrets ?? [],
  };
}

/** The fields that a device of this model has, as the server takes them. Empty secrets stay as they are. */
export function bodyOf(values: DeviceValues, parts: ShownParts, device: OpenedDevice | null): NewDeviceInput {
  const { name, deviceID, place, timezone_name, login } = values;
  const secret = (kind: "password" | "encryption" | "authentication"): string | undefined => {
    if (values.dropped.includes(kind)) return "";
    return values[kind] === "" ? undefined : values[kind];
  };
  const [password, encryption, authentication] = [
    secret("password"),
    secret("encryption"),
    secret("authentication"),
  ];
  return {
    name,
    deviceID,
    model_id: values.model_id ?? 0,
    place,
    gateway_id: values.gateway === null ? null : Number(values.gateway.id),
    base_station_id: values.base_station_id,
    ...(values.interface_id === null ? {} : { interface_id: values.interface_id }),
    ...(parts.hasAddress ? { inside_addr: values.inside_addr } : {}),
    timezone_name,
    report_period_update: values.report_period_update,
    warning_report_period: values.warning_report_period,
    ...Object.fromEntries(
      parts.settings.flatMap((each) => (values[each] === null ? [] : [[each, values[each]]])),
    ),
    ...(parts.hasLogin ? { login } : {}),
    ...(password === undefined ? {} : { password }),
    ...(encryption === undefined && authentication === undefined
      ? {}
      : {
          keys: {
            ...(encryption === undefined ? {} : { encryption }),
            ...(authentication === undefined ? {} : { authentication }),
          },
        }),
    properties: propertiesOf(values, parts, device),
  };
}

function propertiesOf(
  values: DeviceValues,
  parts: ShownParts,
  device: OpenedDevice | null,
): NonNullable<NewDeviceInput["properties"]> {
  const before = device?.properties["service_params"];
  const { note } = values;
  return {
    ...(parts.hasAddress ? { echo: values.echo, fixed_baud: values.fixed_baud } : {}),
    ...(note === textIn(before, "note")
      ? {}
      : { service_params: { ...(typeof before === "object" ? before : {}), note } }),
    ...(parts.hasKind ? { type_water_meter: values.type_water_meter } : {}),
    ...(parts.hasBounds ? { min_value: values.min_value, max_value: values.max_value } : {}),
    ...othersOf(values, device?.properties ?? {}),
  };
}

/** What the device takes from others, if that has changed. */
function othersOf(
  { sums, beside }: DeviceValues,
  before: Readonly<Record<string, unknown>>,
): NonNullable<NewDeviceInput["properties"]> {
  const isSame = isSameContent(sums, sumsOf(before));
  return {
    ...(isSame ? {} : mapsOf(sums)),
    ...(beside?.id === pickedOf(before["concat_device"])?.id
      ? {}
      : { concat_device: beside === null ? null : Number(beside.id) }),
  };
}
