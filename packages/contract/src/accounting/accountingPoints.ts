import { PointStandard } from "../metering/pointStandard.ts";
import { z } from "zod/mini";
import { LogRow } from "../access/auditLog.ts";
import { call } from "../core/call.ts";
import { Id, IdText, listInput, Nothing, paged, Seconds, NodeId, ObjectFilter } from "../core/values.ts";
import { TabDefinition } from "../metering/deviceModel.ts";
import {
  AccountingPoint,
  Moment,
  Note,
  pointBounds,
  pointInput,
  pointSortFields,
  pointStates,
  ResourceTypeOfPoint,
} from "./pointFields.ts";

const reads = "6:read|6:access_all";
const creates = "6:create|6:access_all";
const updates = "6:update|6:access_all";
const deletes = "6:delete|6:access_all";

const pointId = { accounting_point_id: Id };
const pointReply = z.object({ accounting_point: AccountingPoint });
const pointsReply = z.object({ accounting_points: paged(AccountingPoint) });

const oneOrMore = <Value extends z.ZodMiniType>(value: Value) =>
  z.union([value, z.array(value).check(z.maxLength(1000))]);

/** Conditions of the lists; points meet all of them. */
const filters = {
  ids: z.optional(z.array(Id).check(z.maxLength(10_000))),
  resource_type_id: z.optional(oneOrMore(ResourceTypeOfPoint)),
  state: z.optional(z.array(z.enum(pointStates)).check(z.maxLength(10))),
  consumer_id: z.optional(z.nullable(NodeId)).check(z.describe("null: points without a consumer")),
  supplier_id: z.optional(z.nullable(NodeId)).check(z.describe("null: points without a supplier")),
  measured_by: z
    .optional(z.array(Id).check(z.maxLength(1000)))
    .check(z.describe("points that one of these devices measures now")),
};

const listed = {
  page: listInput.page,
  per_page: listInput.per_page,
  sort: listInput.sort,
  sort_field: z.optional(z.enum(pointSortFields)),
  search_string: listInput.search_string,
  paginate: z.optional(z.boolean()),
  ...filters,
};

/** A point is tied to a node by the body, or by an id behind the path. */
const tied = { accounting_point_id: z.optional(Id), object_id: z.optional(NodeId) };

const Tab = z.extend(TabDefinition, { name: z.string(), title: z.string(), title_en: z.string() });

const ResourceType = z.object({
  id: z.int(),
  title: z.string(),
  title_en: z.string(),
  device_group_id: z.int(),
  unit: z.string(),
  resource_id: z.int(),
  resource_title: z.string(),
  water_kind: z.nullable(z.enum(["hot", "cold"])),
});

const changing = ["not_found", "demo_refused", "tied_devices_only"] as const;

/** Accounting points: what is measured at a place, whichever device measures it. */
export const accountingPoints = {
  list: call({
    id: "point.list",
    rows: "accounting_points.data",
    method: "POST",
    path: "objects/accounting_point/list",
    right: reads,
    reach: "branch",
    summary: "Accounting points of a node of the objects tree, of all below it, or of the company",
    body: z.object({
      ...listed,
      object_id: z.optional(NodeId),
      with_nested: z.optional(z.boolean()).check(z.describe("with the points of all nodes below")),
    }),
    reply: pointsReply,
    problems: ["not_found"],
  }),
  companyList: call({
    id: "point.companyList",
    rows: "accounting_points.data",
    method: "POST",
    path: "objects/accounting_point/company/list",
    right: reads,
    reach: "branch",
    summary: "Accounting points of the company, filtered, sorted and paged",
    body: z.object({ ...listed, object_ids: ObjectFilter }),
    reply: pointsReply,
  }),
  nested: call({
    id: "point.nested",
    method: "POST",
    path: "objects/accounting_point/nested",
    right: reads,
    reach: "branch",
    summary: "Accounting points of a node and of everything below it, at most 10,000 by name",
    body: z.object({ object_id: NodeId }),
    reply: z.object({ accounting_points: z.array(AccountingPoint), total: z.int() }),
    problems: ["not_found"],
  }),
  progress: call({
    id: "point.progress",
    method: "GET",
    path: "objects/accounting_point/progress",
    right: reads,
    reach: "branch",
    isOwn: true,
    summary:
      "What waits to be computed again because readings, devices or ratios have changed, and the days left of a point, of a branch or of all",
    query: z.object({ accounting_point_id: z.optional(IdText), object_id: z.optional(IdText) }),
    reply: z.object({
      points_left: z.int(),
      days_left: z
        .int()
        .check(
          z.describe("days that are over, of all these points, whose totals are about to be computed again"),
        ),
      progress: z.array(
        z.object({
          work: z.enum(["derived", "points", "virtualDevices", "validation", "pointChanges"]),
          due: z.int(),
          later: z
            .int()
            .check(z.describe("not due yet: more readings are awaited, or to be looked at once more")),
          parked: z.int().check(z.describe("failed three times: skipped until the next change")),
          oldest_sec: z.nullable(z.int()).check(z.describe("age of the oldest that is due")),
        }),
      ),
    }),
    problems: ["not_found"],
  }),
  get: call({
    id: "point.get",
    method: "GET",
    path: "objects/accounting_point/:id",
    right: reads,
    reach: "branch",
    summary: "One accounting point as it stands now",
    params: z.object({ id: IdText }),
    reply: pointReply,
    problems: ["not_found"],
  }),
  create: call({
    id: "point.create",
    method: "POST",
    path: "objects/accounting_point/create",
    right: creates,
    reach: "branch",
    summary: "Makes an accounting point; its terms, and a device if one is named, hold from valid_from",
    body: z.object({
      ...pointInput,
      resource_type_id: ResourceTypeOfPoint,
      device_id: z.optional(z.nullable(Id)),
      valid_from: Moment,
    }),
    reply: pointReply,
    isOnce: true,
    problems: [
      ...changing,
      "point_limit",
      "point_moment",
      "point_resource",
      "point_register_unknown",
      "point_register_taken",
      "point_device_trashed",
      "period_closed",
    ],
  }),
  update: call({
    id: "point.update",
    method: "PUT",
    path: "objects/accounting_point/update",
    right: updates,
    reach: "branch",
    summary:
      "Changes an accounting point; changed terms hold from valid_from on, and numbers before it stay as they are",
    body: z.object({
      id: Id,
      ...pointInput,
      resource_type_id: z.optional(ResourceTypeOfPoint),
      valid_from: Moment,
      note: Note,
    }),
    reply: pointReply,
    problems: [...changing, "point_moment", "point_resource_fixed", "point_limit", "period_closed"],
  }),
  updateStandard: call({
    id: "point.updateStandard",
    method: "POST",
    path: "objects/accounting_point/update_standard/:id",
    right: updates,
    reach: "branch",
    summary: "Sets the standard of a point by hour, day and month, from valid_from on",
    params: z.object({ id: IdText }),
    body: z.object({ standard: PointStandard, valid_from: Moment }),
    reply: Nothing,
    problems: [...changing, "point_moment", "point_limit", "period_closed"],
  }),
  delete: call({
    id: "point.delete",
    method: "DELETE",
    path: "objects/accounting_point/delete",
    right: deletes,
    reach: "branch",
    summary:
      "Deletes accounting points with their history; one foreign id refuses the whole list, and so does one point of a balance group",
    body: z.object({
      ids: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(pointBounds.ids))),
      id: z.optional(Id),
    }),
    reply: Nothing,
    problems: [...changing, "period_closed", "point_in_balance"],
  }),
  tieObject: call({
    id: "point.tieObject",
    method: "POST",
    path: "objects/accounting_point/tie_object",
    aliases: ["POST objects/accounting_point/tie_object/:id"],
    right: updates,
    reach: "branch",
    summary: "Places an accounting point at a node; it leaves another one",
    params: z.object({ id: z.optional(IdText) }),
    body: z.object(tied),
    reply: Nothing,
    problems: [...changing],
  }),
  untieObject: call({
    id: "point.untieObject",
    method: "POST",
    path: "objects/accounting_point/untie_object",
    aliases: ["POST objects/accounting_point/untie_object/:id"],
    right: updates,
    reach: "branch",
    summary: "Takes an accounting point from its node",
    params: z.object({ id: z.optional(IdText) }),
    body: z.object(tied),
    reply: Nothing,
    problems: [...changing, "point_object_absent"],
  }),
  tabs: call({
    id: "point.tabs",
    method: "POST",
    path: "objects/accounting_point/tabs",
    right: reads,
    reach: "branch",
    summary: "Tabs of a point: those of the model of the device that measures it now",
    body: z.object(pointId),
    reply: z.object({ tabs: z.array(Tab) }),
    problems: ["not_found"],
  }),
  logs: call({
    id: "point.logs",
    method: "POST",
    path: "objects/accounting_point/logs",
    aliases: ["POST objects/accounting_point/logs/:id"],
    right: reads,
    reach: "branch",
    summary: "Actions of users on a point, newest first; addresses are shown to administrators only",
    params: z.object({ id: z.optional(IdText) }),
    body: z.object({
      accounting_point_id: z.optional(Id),
      start_date: z.optional(Seconds),
      stop_date: z.optional(Seconds),
      page: listInput.page,
      per_page: listInput.per_page,
    }),
    reply: z.object({ logs: paged(LogRow) }),
    problems: ["not_found"],
  }),
  following: call({
    id: "point.following",
    isOwn: true,
    method: "GET",
    path: "objects/accounting_point/following",
    right: reads,
    reach: "company",
    summary: "How many points have the zone of the company, and change with it",
    reply: z.object({ points: z.int() }),
  }),
  resourceTypes: call({
    id: "point.resourceTypes",
    method: "GET",
    path: "objects/accounting_point/resource/types",
    aliases: ["GET objects/resource/types", "GET resource/types"],
    right: reads,
    reach: "common",
    isReference: true,
    summary: "Types of accounting points with their resource, device group and unit",
    reply: z.object({
      resource_types: z.array(ResourceType),
      meter_kinds: z.array(z.object({ id: z.int(), title: z.string(), title_en: z.string() })),
      voltage_levels: z.array(z.object({ id: z.int(), title: z.string(), title_en: z.string() })),
    }),
  }),
};
