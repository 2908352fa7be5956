import {
  objects,
  objectTies,
  objectTypes,
  type ObjectAddress,
  type ObjectType,
  type TreeObject,
} from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { baseStations, devices, gateways } from "@metrum/contract/metering";
import type { TreeNode } from "#ui/tree";

/** A node of the objects tree in the shape that the kit draws. */
export type ObjectNode = TreeNode & { readonly object: TreeObject };

export const nodeOf = (object: TreeObject): ObjectNode => ({
  id: object._id,
  parent: object.parentId,
  title: object.name,
  childCount: object.childs_count,
  object,
});

/** Answers that show the tree or what stands in it. */
export const refreshed: readonly Call[] = [
  objects.buildTree,
  objects.get,
  objects.branch,
  objectTies.users,
  objectTies.attributes,
  devices.list,
  gateways.list,
  baseStations.list,
];

/** Devices of a node and of everything below it, as the server has counted them. */
export const devicesOf = ({ devices_info, childs_devices_info }: TreeObject): number =>
  devices_info.devices + childs_devices_info.devices;

/** The silent ones among them. */
export const silentOf = ({ devices_info, childs_devices_info }: TreeObject): number =>
  (devices_info.silent ?? 0) + (childs_devices_info.silent ?? 0);

/** A node with its counters; every part of its page asks the same. */
export const askedNode = (object_id: string) => ({ body: { object_id, with_stats: true } });

export const isKnownType = (type: string): type is ObjectType =>
  (objectTypes as readonly string[]).includes(type);

export const addressParts = [
  "country",
  "region",
  "area",
  "city",
  "settlement",
  "city_district",
  "street",
  "house",
  "block",
] as const satisfies (keyof ObjectAddress)[];

/** The address in one line: as entered, else its parts. */
export function addressText(address: ObjectAddress | null): string {
  if (!address) return "";
  return (
    address.unrestricted_value ||
    addressParts.flatMap((part) => (address[part] ? [address[part]] : [])).join(", ")
  );
}
