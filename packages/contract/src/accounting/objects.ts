import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, listInput, Nothing, paged, ShortText, NodeId } from "../core/values.ts";
import { BranchCounts, ObjectAddress, objectBounds, TreeObject } from "./objectFields.ts";
import { fileFormats } from "../core/listFile.ts";

const reads = "6:read|6:access_all";
const creates = "6:create|6:access_all";
const updates = "6:update|6:access_all";
const deletes = "6:delete|6:access_all";

const Name = ShortText.check(z.minLength(1));
const Type = z.string().check(z.trim(), z.maxLength(100));
const WithStats = z.optional(z.boolean()).check(z.describe("adds the number of silent devices"));
const Ids = z.array(NodeId).check(z.maxLength(1000));
const treeReply = z.object({ tree: z.array(TreeObject) });
const objectReply = z.object({ object: TreeObject });
const wrongPlace = ["object_limit", "object_depth", "tied_devices_only", "demo_refused"] as const;

const Step = z.object({ _id: z.string(), name: z.string() });

/** A row of the export: a node with the way to it. */
const ExportedObject = z.object({
  _id: z.string(),
  path: z.string().check(z.describe("names from the top, separated by /")),
  level: z.int(),
  name: z.string(),
  type: z.string(),
  address: z.string(),
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  nodes: z.int().check(z.describe("below")),
  devices: z.int().check(z.describe("here and below")),
  gateways: z.int(),
  base_stations: z.int(),
  points: z.int(),
});

const exportedColumns = [
  [{ ru: "Путь", en: "Path", mn: "Зам" }, "path"],
  [{ ru: "Уровень", en: "Level", mn: "Түвшин" }, "level"],
  [{ ru: "Название", en: "Name", mn: "Нэр" }, "name"],
  [{ ru: "Вид", en: "Kind", mn: "Төрөл" }, "type"],
  [{ ru: "Адрес", en: "Address", mn: "Хаяг" }, "address"],
  [{ ru: "Широта", en: "Latitude", mn: "Өргөрөг" }, "latitude"],
  [{ ru: "Долгота", en: "Longitude", mn: "Уртраг" }, "longitude"],
  [{ ru: "Объектов ниже", en: "Objects below", mn: "Доорх объект" }, "nodes"],
  [{ ru: "Приборов", en: "Devices", mn: "Төхөөрөмж" }, "devices"],
  [{ ru: "Шлюзов", en: "Gateways", mn: "Гарц" }, "gateways"],
  [{ ru: "Базовых станций", en: "Base stations", mn: "Суурь станц" }, "base_stations"],
  [{ ru: "Точек учёта", en: "Accounting points", mn: "Хэмжих цэг" }, "points"],
] as const;

/** The objects tree of a company: its nodes, their place and address. */
export const objects = {
  tree: call({
    id: "object.tree",
    method: "GET",
    path: "objects/tree",
    right: reads,
    reach: "branch",
    summary: "The whole tree, parents before their children",
    reply: treeReply,
    perMinute: 60,
  }),
  buildTree: call({
    id: "object.buildTree",
    method: "POST",
    path: "objects/build_tree",
    right: reads,
    reach: "branch",
    summary:
      "A part of the tree: the nodes below one or several, the top without either, or the hits of a search with all nodes above them",
    body: z.object({
      with_stats: WithStats,
      parent_id: z.optional(z.nullable(NodeId)),
      parent_ids: z.optional(Ids.check(z.describe("several levels at once"))),
      search_string: listInput.search_string,
      sort: z.optional(z.enum(["asc", "desc"])).check(z.describe("by name; absent: the order set by hand")),
      with_descendants: z.optional(z.boolean()).check(z.describe("false: without all_child_ids")),
    }),
    reply: treeReply,
    problems: ["not_found"],
  }),
  get: call({
    id: "object.objectGet",
    method: "POST",
    path: "objects/object/get",
    aliases: ["POST object/get"],
    right: reads,
    reach: "branch",
    summary: "One node with the way to it",
    body: z.object({ object_id: NodeId, with_stats: WithStats }),
    reply: z.extend(objectReply, { parents: z.array(Step).check(z.describe("from the top")) }),
    problems: ["not_found"],
  }),
  getMany: call({
    id: "object.objectsGet",
    method: "POST",
    path: "objects/get",
    aliases: ["POST objects/objects/get"],
    right: reads,
    reach: "branch",
    summary: "Several nodes in the order of their ids",
    body: z.object({ ids: Ids }),
    reply: z.object({ objects: z.array(TreeObject) }),
    problems: ["not_found"],
  }),
  branch: call({
    id: "object.branch",
    isOwn: true,
    method: "POST",
    path: "objects/branch",
    right: reads,
    reach: "branch",
    summary:
      "What these nodes and everything below them hold, each thing once: before a removal, or for a selection",
    body: z.object({ object_ids: Ids.check(z.minLength(1)) }),
    reply: z.object({ branch: BranchCounts }),
    problems: ["not_found"],
  }),
  export: call({
    id: "object.export",
    rows: "objects.data",
    ownFile: {
      title: { ru: "Объекты", en: "Objects", mn: "Объектууд" },
      columns: exportedColumns.map(([title, of]) => ({ title, of })),
    },
    method: "POST",
    path: "objects/all/export",
    right: reads,
    reach: "branch",
    summary: "The whole tree by rows, in its order; with a format or a file description as a spreadsheet",
    body: z.object({
      page: listInput.page,
      per_page: listInput.per_page,
      format: z.optional(z.enum(fileFormats)),
    }),
    reply: z.object({ objects: paged(ExportedObject) }),
  }),
  add: call({
    id: "object.add",
    method: "POST",
    path: "objects/add",
    right: creates,
    reach: "branch",
    summary: "Adds a node behind its neighbours",
    body: z.object({
      name: Name,
      parent_id: z.optional(z.nullable(NodeId)),
      type: z.optional(Type),
      address: z.optional(z.nullable(ObjectAddress)),
    }),
    reply: objectReply,
    isOnce: true,
    problems: ["not_found", ...wrongPlace],
  }),
  update: call({
    id: "object.update",
    method: "POST",
    path: "objects/update",
    right: updates,
    reach: "branch",
    summary: "Changes a node; with parent_id it is moved with everything below, null moves it to the top",
    body: z.object({
      _id: NodeId,
      name: z.optional(Name),
      parent_id: z.optional(z.nullable(NodeId)),
      type: z.optional(Type),
      address: z.optional(z.nullable(ObjectAddress)),
    }),
    reply: objectReply,
    problems: ["not_found", "object_cycle", ...wrongPlace],
  }),
  updateSort: call({
    id: "object.updateSort",
    method: "POST",
    path: "objects/update_sort",
    right: updates,
    reach: "branch",
    summary:
      "Sets the order of the nodes below one, or at the top; nodes that are not named follow as they were",
    body: z.object({
      parent_id: z.optional(z.nullable(NodeId)),
      ids: z.array(NodeId).check(z.minLength(1), z.maxLength(objectBounds.children)),
    }),
    reply: Nothing,
    problems: ["not_found", "tied_devices_only", "demo_refused"],
  }),
  link: call({
    id: "object.linkParentsChilds",
    method: "POST",
    path: "objects/link_with_parents_childs",
    right: updates,
    reach: "branch",
    summary:
      "Counts a branch and the nodes above it anew, and answers the node with its parents and children",
    body: z.object({ object_id: NodeId }),
    reply: z.object({
      object: TreeObject,
      parents: z.array(TreeObject),
      children: z.array(TreeObject),
      corrected: z.int().check(z.describe("nodes whose stored counters were wrong")),
    }),
    problems: ["not_found", "demo_refused"],
  }),
  deviceAddress: call({
    id: "device.address",
    method: "POST",
    path: "device/address/get",
    right: "4:read",
    reach: "branch",
    summary:
      "The address of a device: of its node or the nearest above, else of its accounting point, else its place; empty without any",
    body: z.object({ device_id: Id }),
    reply: z.object({ address: ObjectAddress }),
    problems: ["not_found"],
  }),
  addAutomatically: call({
    id: "object.addAutomatically",
    method: "POST",
    path: "objects/add_automatically",
    right: creates,
    reach: "company",
    summary: "Makes the branches of addresses, from the country to the house; nodes that exist are used",
    body: z.object({
      addresses: z.array(ObjectAddress).check(z.minLength(1), z.maxLength(objectBounds.addresses)),
    }),
    reply: treeReply,
    problems: ["object_address_empty", ...wrongPlace],
  }),
  remove: call({
    id: "object.remove",
    method: "DELETE",
    path: "objects/remove",
    right: deletes,
    reach: "branch",
    summary:
      "Removes a node with everything below; devices, gateways and stations stay, at no node, and so do accounting points unless they are to be removed too",
    body: z.object({
      object_id: NodeId,
      remove_tied_points: z.optional(z.boolean()),
      deleteMeteringPoints: z.optional(z.boolean()).check(z.describe("the same (X-32): either one removes")),
    }),
    reply: Nothing,
    problems: [
      "not_found",
      "object_users_tied",
      "tied_devices_only",
      "demo_refused",
      "period_closed",
      "point_in_balance",
    ],
  }),
};
