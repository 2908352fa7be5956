import type { MeterModel } from "@metrum/catalogue";
import { isSameContent } from "@metrum/contract/core";
import { modelSettings, type DeviceEditInput, type DeviceSettings } from "@metrum/contract/metering";
import type { Selectable } from "kysely";
import { zoneOfOffset } from "#core";
import { interfaceIdsOf, interfaceOf, settingsOfModel } from "#metering/models";
import { modelColumns } from "./add.ts";
import type { DeviceTable } from "./tables.ts";

/** Columns that users set, with those that follow from the model. */
export type EditableDevice = Pick<
  Selectable<DeviceTable>,
  | "model_id"
  | "model_title"
  | "device_group_id"
  | "device_type_id"
  | "interface_id"
  | "gateway_id"
  | "base_station_id"
  | "name"
  | "place"
  | "deviceID"
  | "inside_addr"
  | "timezone"
  | "report_period_update"
  | "warning_report_period"
  | "starting_value"
  | "impulse_weight"
  | "transformation_ratio"
  | "properties"
  | "is_active"
>;

/** Fields of a request, with the ids of its own company resolved. */
export type DeviceFields = Omit<
  DeviceEditInput,
  "id" | "version" | "ratio_from" | "gateway_id" | "gatewayID" | "base_station_id"
> &
  Partial<Pick<EditableDevice, "gateway_id" | "base_station_id">>;

/** The columns that users set, of a whole row. */
export function editableOf(row: EditableDevice): EditableDevice {
  const { model_id, model_title, device_group_id, device_type_id, interface_id } = row;
  const { gateway_id, base_station_id, name, place, deviceID, inside_addr, timezone } = row;
  const { report_period_update, warning_report_period } = row;
  const { starting_value, impulse_weight, transformation_ratio, properties, is_active } = row;
  return {
    ...{ model_id, model_title, device_group_id, device_type_id, interface_id },
    ...{ gateway_id, base_station_id, name, place, deviceID, inside_addr, timezone },
    ...{ report_period_update, warning_report_period },
    ...{ starting_value, impulse_weight, transformation_ratio, properties, is_active },
  };
}

const plainSettings = { impulse_weight: 1, starting_value: 0, transformation_ratio: 1 } as const;

/** A device before its first fields are set. */
export function emptyDevice(model: MeterModel): EditableDevice {
  return {
    ...modelColumns(model),
    interface_id: interfaceOf(model),
    gateway_id: null,
    base_station_id: null,
    name: "",
    place: "",
    deviceID: "",
    inside_addr: "",
    timezone: null,
    report_period_update: 3600,
    warning_report_period: 86_400,
    ...plainSettings,
    properties: {},
    is_active: true,
  };
}

/**
 * The device with these fields. Another model brings its own interface, and settings that it does not have
 * return to their defaults.
 */
export function withFields(
  before: EditableDevice,
  model: MeterModel,
  given: DeviceFields,
  time: ShownTime,
): EditableDevice {
  const { report_period_update: period, warning_report_period } = { ...before, ...namedOf(given) };
  return {
    ...before,
    ...ofModel(before, model),
    ...namedOf(given),
    timezone: zoneFrom(given, before.timezone, time),
    // Unless it is given, three of its own periods at the least.
    warning_report_period:
      given.warning_report_period !== undefined || period === before.report_period_update
        ? warning_report_period
        : Math.max(warning_report_period, 3 * period),
    properties: propertiesFrom(given, before.properties),
  };
}

/** Columns that are fields of the request, those that it names. */
function namedOf(given: DeviceFields): Partial<EditableDevice> {
  return Object.fromEntries(
    namedFields.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

const namedFields = [
  ...modelSettings,
  "interface_id",
  "gateway_id",
  "base_station_id",
  "name",
  "place",
  "deviceID",
  "inside_addr",
  "report_period_update",
  "warning_report_period",
  "is_active",
] as const;

function ofModel(before: EditableDevice, model: MeterModel): Partial<EditableDevice> {
  if (model.id === before.model_id) return modelColumns(model);
  const known = settingsOfModel(model);
  const dropped = modelSettings.filter((name) => !known.includes(name));
  const isKept = interfaceIdsOf(model).includes(before.interface_id);
  return {
    ...modelColumns(model),
    ...(isKept ? {} : { interface_id: interfaceOf(model) }),
    ...Object.fromEntries(dropped.map((name) => [name, plainSettings[name]])),
  };
}

/** The zone by which a device is shown, its own or that of its company; now, in epoch seconds. */
export interface ShownTime {
  readonly zone: string;
  readonly now: number;
}

/**
 * The name of the zone takes precedence over its offset; null is the zone of the company, and the zone by
 * which the device is shown already is no change.
 */
function zoneFrom(
  { timezone_name, deviceTimezone }: DeviceFields,
  before: string | null,
  { zone, now }: ShownTime,
): string | null {
  if (timezone_name === null || (timezone_name === undefined && deviceTimezone === null)) return null;
  const given = timezone_name ?? zoneOfOffset(deviceTimezone, zone, now);
  return given === undefined || given === zone ? before : given;
}

/** Given properties replace stored ones, null removes them; the others stay. */
function propertiesFrom(
  { properties = {}, login, resource_type_id }: DeviceFields,
  before: EditableDevice["properties"],
): EditableDevice["properties"] {
  const { password: _, echo, ...given } = properties;
  const merged: Record<string, unknown> = {
    ...before,
    ...given,
    ...(echo === undefined ? {} : { echo: echo ? true : null }),
    ...(login === undefined ? {} : { login }),
    ...kindOf(resource_type_id),
  };
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** A water meter whose type of accounting point is 0 becomes 2, cold water. */
function kindOf(resourceTypeId: number | undefined): { type_water_meter?: 0 | 1 } {
  if (resourceTypeId === 1) return { type_water_meter: 1 };
  return resourceTypeId === 0 || resourceTypeId === 2 ? { type_water_meter: 0 } : {};
}

/** The columns that differ, with their new values. */
export function changedColumns(before: EditableDevice, after: EditableDevice): Partial<EditableDevice> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isSameContent(value, Reflect.get(before, name))),
  );
}

/** Changed settings, and the secrets of a request: a record that is sent back unchanged has none. */
export function changedSettings(changed: Partial<EditableDevice>, given: DeviceFields): DeviceSettings {
  const { keys, password = given.properties?.password } = given;
  const plain = modelSettings.flatMap((name) =>
    given[name] === undefined || changed[name] === undefined ? [] : [[name, changed[name]] as const],
  );
  return {
    ...Object.fromEntries(plain),
    ...(password === undefined ? {} : { password }),
    ...(keys === undefined ? {} : { keys }),
  };
}
