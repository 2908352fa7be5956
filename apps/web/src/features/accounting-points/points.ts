import {
  accountingPoints,
  objectTies,
  objects,
  pointDevices,
  pointFiles,
  pointHistory,
  pointStates,
  type AccountingPoint,
  type PointState,
} from "@metrum/contract/accounting";
import type { Call, InputOf } from "@metrum/contract/core";
import { resourceOfType, units, type Language } from "@metrum/vocabulary";
import { pointCardHref } from "#lib/screen";
import type { GridState } from "#ui/grid";
import { pageInput } from "#ui/list";
import type { StatusKind } from "#ui/status";

export const listHref = "#/cloud/objects/points";

/** The card by the device that measures the point now; the point decides, if both are given. */
export const cardHref = ({ id, device_id }: Pick<AccountingPoint, "id" | "device_id">) =>
  pointCardHref(id, device_id);

/** The card by its device alone. */
export const cardOfDeviceHref = (deviceId: number) =>
  `#/cloud/devices/accounting-point-card/${String(deviceId)}`;

export const replaceHref = (id: number) => `#/cloud/objects/points/${String(id)}/replace`;

/** The right that opens the data page of a point. */
export const dataRight = "4:read&(6:read|6:access_all)";
export function dataHref(id: number, tab?: string): string {
  return `#/cloud/devices/data/point/${String(id)}${tab === undefined ? "" : `?tab=${tab}`}`;
}

export const stateKinds: Readonly<Record<PointState, StatusKind>> = {
  on_time: "ok",
  silent: "silent",
  never: "silent",
  off: "off",
  no_device: "off",
};

/** Name and number of a device; the number once, if the name contains it. */
export function meterText({ name, deviceID }: { readonly name: string; readonly deviceID: string }): string {
  return deviceID === "" || name.includes(deviceID) ? name : `${name} №${deviceID}`;
}

/** A meter of the history: its model, or its name without one, and its number. */
export const intervalTitle = (interval: {
  readonly name: string;
  readonly model_title: string;
  readonly deviceID: string;
}): string =>
  `${interval.model_title === "" ? interval.name : interval.model_title}${interval.deviceID === "" ? "" : ` №${interval.deviceID}`}`;

/** Answers that a change of points makes old. */
export const refreshed: readonly Call[] = [
  accountingPoints.companyList,
  accountingPoints.list,
  accountingPoints.nested,
  accountingPoints.get,
  accountingPoints.tabs,
  accountingPoints.logs,
  pointHistory.history,
  pointHistory.months,
  pointHistory.why,
  pointDevices.registers,
  pointFiles.list,
  objects.get,
  objectTies.attributes,
];

export const resourceOf = ({ resource_type_id }: Pick<AccountingPoint, "resource_type_id">) =>
  resourceOfType(resource_type_id);

/** Unit of a point or register in the language of the interface; an unknown one as received. */
export function unitTitle(unit: string, language: Language): string {
  const known = Object.entries(units).find(
    ([name, titles]) => name === unit || Object.values(titles).includes(unit),
  );
  return known?.[1][language] ?? unit;
}

/** A title of data is Russian or English; in Mongolian the English one is read. */
export const dataTitle = (
  { title, title_en }: { readonly title: string; readonly title_en: string },
  language: Language,
): string => (language === "ru" ? title : title_en);

const sortFields = ["name", "address", "resource_type_id", "device", "last_data_at"] as const;
type ListInput = NonNullable<InputOf<typeof accountingPoints.companyList>["body"]>;

const idsOf = (texts: readonly string[] | undefined): number[] =>
  (texts ?? []).map(Number).filter((each) => Number.isInteger(each) && each > 0 && each < 2 ** 31);
const isState = (text: string): text is PointState => (pointStates as readonly string[]).includes(text);
const filled = <Key extends string, Value>(key: Key, values: readonly Value[]) =>
  values.length > 0 ? { [key]: [...values] } : {};

/** The input of the list for the state in the address; invalid values are ignored. */
export function listInput(state: GridState): ListInput {
  const { filters, sort } = state;
  const [consumer] = idsOf(filters["consumer"]);
  const [supplier] = idsOf(filters["supplier"]);
  const field = sortFields.find((each) => each === sort?.field);
  return {
    ...pageInput(state),
    ...(field === undefined ? {} : { sort_field: field }),
    ...filled(
      "resource_type_id",
      idsOf(filters["resource"]).filter((each) => each <= 9),
    ),
    ...filled("state", (filters["status"] ?? []).filter(isState)),
    ...filled("object_ids", idsOf(filters["object"])),
    ...(consumer === undefined ? {} : { consumer_id: String(consumer) }),
    ...(supplier === undefined ? {} : { supplier_id: String(supplier) }),
  };
}
