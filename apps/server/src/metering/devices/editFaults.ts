import type { MeterModel } from "@metrum/catalogue";
import type { FieldFaultCode } from "@metrum/contract/core";
import type { DeviceSettings } from "@metrum/contract/metering";
import { resourceByKey } from "@metrum/vocabulary";
import { isZone } from "#core";
import { interfaceIdsOf, isAddress } from "#metering/models";
import type { DeviceFields, EditableDevice } from "./editable.ts";
import { wrongSettings } from "./settings/index.ts";
import { isVirtual } from "./virtual.ts";

interface Edited {
  readonly model: MeterModel;
  /** Fields of the request. */
  readonly given: DeviceFields;
  /** The device as it will be stored. */
  readonly wanted: EditableDevice;
  /** Changed settings, with secrets. */
  readonly settings: DeviceSettings;
  readonly hasPassword: boolean;
}

type Rule = readonly [field: string, isWrong: boolean, code: FieldFaultCode];

/** Faults of an edited device by the path of the field; empty if valid. */
export function faultsOf(edited: Edited): Record<string, FieldFaultCode[]> {
  const { model, settings } = edited;
  const broken = [...rulesOfModel(edited), ...rulesBetween(edited), ...rulesOfLogin(edited)].filter(
    ([, isWrong]) => isWrong,
  );
  return {
    ...wrongSettings(model, settings),
    ...Object.fromEntries(broken.map(([field, , code]) => [field, [code]])),
  };
}

/** Types of accounting point of a water meter: hot is 1, cold is 2, and 0 becomes cold. */
const waterTypes = [0, 1, 2];

function rulesOfModel({ model, given, wanted }: Edited): readonly Rule[] {
  const { deviceGroupId, resourceTypeIds } = resourceByKey[model.resource];
  const types: readonly number[] = model.resource === "water" ? waterTypes : [0, ...resourceTypeIds];
  const differs = (value: number | undefined, among: readonly number[]): boolean =>
    value !== undefined && !among.includes(value);
  const hasKind = given.properties?.type_water_meter !== undefined;
  const isPolled = model.driver.kind === "line";
  const { echo = false, fixed_baud = null } = given.properties ?? {};
  return [
    ["device_group_id", differs(given.device_group_id, [deviceGroupId]), "other_of_model"],
    ["device_type_id", differs(given.device_type_id, [model.deviceTypeId]), "other_of_model"],
    ["resource_type_id", differs(given.resource_type_id, types), "other_of_model"],
    ["interface_id", differs(wanted.interface_id, interfaceIdsOf(model)), "not_of_model"],
    [
      "inside_addr",
      !isVirtual(wanted.properties) && !isAddress(model, wanted.inside_addr, wanted.deviceID),
      "device_address",
    ],
    ["properties.echo", echo && !isPolled, "not_polled"],
    ["properties.fixed_baud", fixed_baud !== null && !isPolled, "not_polled"],
    ["properties.type_water_meter", hasKind && model.resource !== "water", "not_of_model"],
  ];
}

function rulesBetween({ given, wanted }: Edited): readonly Rule[] {
  const { min_value: least, max_value: most } = wanted.properties;
  const { timezone_name: zone } = given;
  return [
    ["timezone_name", typeof zone === "string" && !isZone(zone), "zone"],
    [
      "warning_report_period",
      wanted.warning_report_period < wanted.report_period_update,
      "sooner_than_reports",
    ],
    [
      "properties.min_value",
      typeof least === "number" && typeof most === "number" && least > most,
      "not_above",
    ],
  ];
}

/** A model with its own login needs login and password; another has no login. */
function rulesOfLogin({ model, wanted, hasPassword }: Edited): readonly Rule[] {
  const hasLogin = (wanted.properties["login"] ?? "") !== "";
  return model.hasLogin
    ? [
        ["login", !hasLogin, "required"],
        ["password", !hasPassword, "required"],
      ]
    : [["login", hasLogin, "not_of_model"]];
}
