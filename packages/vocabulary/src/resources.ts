import type { Text } from "./text.ts";

/**
 * Four number spaces that the specification keeps apart (section 4 of its index): mixing them does not
 * compile. A: kind of resource, shown to people. B: device_group_id of devices and device types, stored. C:
 * resource_type_id of accounting points, stored. D: water kind of a meter (0 cold, 1 hot).
 */
export type ResourceId = number & { readonly __space: "resource" };
export type DeviceGroupId = number & { readonly __space: "deviceGroup" };
export type ResourceTypeId = number & { readonly __space: "resourceType" };
export type WaterKind = 0 | 1;

export type ResourceKey = "water" | "gas" | "heat" | "electricity" | "substance" | "sensor" | "other";

export interface Resource {
  readonly key: ResourceKey;
  readonly resourceId: ResourceId;
  readonly deviceGroupId: DeviceGroupId;
  readonly resourceTypeIds: readonly ResourceTypeId[];
  readonly title: Text;
  /** The field of the main reading of a meter of this resource. */
  readonly mainField: "tariff0" | "tariff1" | "in1" | null;
}

const resource = (
  key: ResourceKey,
  a: number,
  b: number,
  c: readonly number[],
  mainField: Resource["mainField"],
  title: Text,
): Resource => ({
  key,
  resourceId: a as ResourceId,
  deviceGroupId: b as DeviceGroupId,
  resourceTypeIds: c as readonly ResourceTypeId[],
  mainField,
  title,
});

/** The only place where the number spaces meet. */
export const resources: readonly Resource[] = [
  resource("water", 1, 1, [1, 2, 8, 9], "in1", { ru: "Вода", en: "Water", mn: "Ус" }),
  resource("gas", 5, 2, [5], "in1", { ru: "Газ", en: "Gas", mn: "Хий" }),
  resource("heat", 4, 3, [4, 7], "tariff1", { ru: "Тепло", en: "Heat", mn: "Дулаан" }),
  resource("electricity", 3, 4, [3], "tariff0", { ru: "Электроэнергия", en: "Electricity", mn: "Цахилгаан" }),
  resource("substance", 6, 5, [6], "in1", { ru: "Вещество", en: "Substance", mn: "Бодис" }),
  resource("sensor", 2, 6, [], null, { ru: "Датчик", en: "Sensor", mn: "Мэдрэгч" }),
  resource("other", 7, 7, [], null, { ru: "Другое", en: "Other", mn: "Бусад" }),
];

export const resourceByKey = Object.fromEntries(resources.map((each) => [each.key, each])) as Readonly<
  Record<ResourceKey, Resource>
>;

/** A type of accounting point (C) with its name. */
export interface PointType {
  readonly id: ResourceTypeId;
  readonly title: Text;
  readonly unit: "m3" | "kWh" | "Gcal";
  /** Of water alone, hot or cold (AP-015). */
  readonly waterKind: "hot" | "cold" | null;
}

const pointType = (
  id: number,
  unit: PointType["unit"],
  waterKind: PointType["waterKind"],
  title: Text,
): PointType => ({ id: id as ResourceTypeId, unit, waterKind, title });

/** All types of accounting points, by id. */
export const pointTypes: readonly PointType[] = [
  pointType(1, "m3", "hot", { ru: "Горячая вода", en: "Hot water", mn: "Халуун ус" }),
  pointType(2, "m3", "cold", { ru: "Холодная вода", en: "Cold water", mn: "Хүйтэн ус" }),
  pointType(3, "kWh", null, { ru: "Электроэнергия", en: "Electricity", mn: "Цахилгаан" }),
  pointType(4, "Gcal", null, { ru: "Тепло", en: "Heat", mn: "Дулаан" }),
  pointType(5, "m3", null, { ru: "Газ", en: "Gas", mn: "Хий" }),
  pointType(6, "m3", null, { ru: "Вещество", en: "Substance", mn: "Бодис" }),
  pointType(7, "Gcal", null, { ru: "Другое (тепло)", en: "Other (heat)", mn: "Бусад (дулаан)" }),
  pointType(8, "m3", "cold", { ru: "Водоотведение", en: "Drainage", mn: "Бохир ус" }),
  pointType(9, "m3", "cold", { ru: "Питьевая вода", en: "Drinking water", mn: "Ундны ус" }),
];

/** The type of accounting point with this id; undefined for an unknown number. */
export function pointTypeOf(id: number): PointType | undefined {
  return pointTypes.find((each) => each.id === id);
}

/** Names of meter kinds (AP-016): the water kinds 0 and 1, and the other numbers of the types of points. */
export const meterKinds: readonly { readonly id: number; readonly title: Text }[] = [
  { id: 0, title: { ru: "Холодная вода", en: "Cold water", mn: "Хүйтэн ус" } },
  { id: 1, title: { ru: "Горячая вода", en: "Hot water", mn: "Халуун ус" } },
  { id: 3, title: { ru: "Электроэнергия", en: "Electricity", mn: "Цахилгаан" } },
  { id: 4, title: { ru: "Тепло", en: "Heat", mn: "Дулаан" } },
  { id: 5, title: { ru: "Газ", en: "Gas", mn: "Хий" } },
  { id: 6, title: { ru: "Вещество", en: "Substance", mn: "Бодис" } },
  { id: 7, title: { ru: "Другое", en: "Other", mn: "Бусад" } },
  { id: 8, title: { ru: "Водоотведение", en: "Drainage", mn: "Бохир ус" } },
  { id: 9, title: { ru: "Питьевая вода", en: "Drinking water", mn: "Ундны ус" } },
];

/** Resource of a device group; "other" for an unknown number. */
export function resourceOfGroup(deviceGroupId: number): Resource {
  return resources.find((each) => each.deviceGroupId === deviceGroupId) ?? resourceByKey.other;
}

/** Resource of an accounting point type; "other" for an unknown number. */
export function resourceOfType(resourceTypeId: number): Resource {
  return (
    resources.find((each) => (each.resourceTypeIds as readonly number[]).includes(resourceTypeId)) ??
    resourceByKey.other
  );
}

/**
 * Type of accounting point (C) that a device fits: a hot water meter 1, any other water meter 2 (cold), else
 * the first of the resource; undefined for a resource without accounting points.
 */
export function resourceTypeOf(
  { key, resourceTypeIds }: Resource,
  kind: unknown,
): ResourceTypeId | undefined {
  const [first, second] = resourceTypeIds;
  return key === "water" && kind !== 1 ? second : first;
}
