import { z } from "zod/mini";
import { Seconds, ShortText } from "../core/values.ts";

/** Bounds of the tree of one company. */
export const objectBounds = {
  nodes: 200_000,
  /** Nodes directly below one node, or at the top. */
  children: 5_000,
  depth: 16,
  attributes: 100,
  /** Hits of one search. */
  found: 200,
  /** Addresses of one request. */
  addresses: 1_000,
  /** Devices, gateways or stations of one request. */
  items: 10_000,
  users: 1_000,
} as const;

/** Kinds of nodes that have a title and an icon; a node may have any other text as its kind. */
export const objectTypes = [
  "country",
  "region",
  "area",
  "city",
  "settlement",
  "city_district",
  "street",
  "house",
  "block",
  "entrance",
  "flat",
  "substation",
  "boiler_house",
  "enterprise",
  "other",
] as const;
export type ObjectType = (typeof objectTypes)[number];

const Part = z.optional(ShortText);
const latitude = z.number().check(z.gte(-90), z.lte(90));
const longitude = z.number().check(z.gte(-180), z.lte(180));

/** Address of a node; every part may be absent. */
export const ObjectAddress = z.object({
  unrestricted_value: z.optional(z.string().check(z.trim(), z.maxLength(500))),
  country: Part,
  region: Part,
  area: Part,
  city: Part,
  settlement: Part,
  city_district: Part,
  street: Part,
  house: Part,
  block: Part,
  coordinates: z.optional(
    z.nullable(z.tuple([latitude, longitude])).check(z.describe("latitude and longitude, degrees")),
  ),
});
export type ObjectAddress = z.infer<typeof ObjectAddress>;

/** What stands at a node, or below it: devices, gateways and stations outside trash and archive. */
const ItemsInfo = z.object({
  devices: z.int(),
  gateways: z.int(),
  base_stations: z.int(),
  points: z.int().check(z.describe("accounting points")),
  silent: z
    .optional(z.int())
    .check(
      z.describe(
        "active devices without data for longer than their warning period, or ever; with with_stats",
      ),
    ),
});

/** A node of the objects tree. */
export const TreeObject = z.object({
  _id: z.string(),
  name: z.string(),
  parentId: z
    .nullable(z.string())
    .check(z.describe("null at the top, which for a tied user is the node they are tied to")),
  type: z.string(),
  childs_count: z.int().check(z.describe("nodes directly below")),
  nodes_below: z.int().check(z.describe("all nodes below")),
  devices_info: ItemsInfo.check(z.describe("at the node itself")),
  childs_devices_info: ItemsInfo.check(z.describe("at all nodes below")),
  all_child_ids: z
    .optional(z.array(z.string()))
    .check(z.describe("ids of all nodes below; absent with with_descendants false")),
  address: z.nullable(ObjectAddress),
  is_found: z.optional(z.boolean()).check(z.describe("in a search: a hit, not only the way to one")),
  created_at: Seconds,
});
export type TreeObject = z.infer<typeof TreeObject>;

/** What a branch holds, before it is removed. */
export const BranchCounts = z.object({
  nodes: z.int().check(z.describe("the chosen nodes and all below")),
  devices: z.int(),
  gateways: z.int(),
  base_stations: z.int(),
  points: z.int().check(z.describe("accounting points")),
  users: z.int().check(z.describe("tied to nodes of the branch")),
});
export type BranchCounts = z.infer<typeof BranchCounts>;
