import { z } from "zod/mini";
import { Attribute } from "../metering/attribute.ts";
import { attributeBounds } from "../metering/attributes.ts";
import { call } from "../core/call.ts";
import { Id, IdText, Nothing, NodeId } from "../core/values.ts";
import { objectBounds } from "./objectFields.ts";
import { User } from "../access/users.ts";

const updates = "6:update|6:access_all";
/** Of devices, gateways and stations; and of users. */
const tiesItems = "6:update&(4:read|4:access_all)";
const tiesUsers = "(6:update|6:access_all)&(1:read|6:read)";

const Items = z.array(Id).check(z.minLength(1), z.maxLength(objectBounds.items));
const Users = z.array(Id).check(z.minLength(1), z.maxLength(objectBounds.users));
const params = z.object({ id: IdText });
const refused = ["not_found", "demo_refused"] as const;
const refusedUsers = [...refused, "right_not_held", "token_refused"] as const;

/** What stands at the nodes of the objects tree, who sees them, and their attributes. */
export const objectTies = {
  tieDevices: call({
    id: "object.tieDevices",
    method: "POST",
    path: "objects/tie_devices",
    right: tiesItems,
    reach: "branch",
    summary: "Places devices at a node; a device stands at one node, so it leaves another",
    body: z.object({ object_id: NodeId, device_ids: Items }),
    reply: Nothing,
    problems: refused,
  }),
  tieGateways: call({
    id: "object.tieGateways",
    method: "POST",
    path: "objects/tie_gateways",
    right: tiesItems,
    reach: "branch",
    summary: "Places gateways at a node; a gateway stands at one node",
    body: z.object({ object_id: NodeId, gateway_ids: Items }),
    reply: Nothing,
    problems: refused,
  }),
  tieBaseStations: call({
    id: "object.tieBaseStations",
    method: "POST",
    path: "objects/tie_base_stations",
    right: tiesItems,
    reach: "branch",
    summary: "Places base stations at a node; a station stands at one node",
    body: z.object({ object_id: NodeId, base_station_ids: Items }),
    reply: Nothing,
    problems: refused,
  }),
  massTieDevices: call({
    id: "object.massTieDevices",
    method: "POST",
    path: "objects/mass_tie_devices",
    right: tiesItems,
    reach: "branch",
    summary:
      "Places many devices: all at one node, or each at the node in its place of a list of equal length; without nodes they stand nowhere",
    body: z.object({
      object_ids: z.optional(z.array(NodeId).check(z.maxLength(objectBounds.items))),
      device_ids: Items,
    }),
    reply: Nothing,
    problems: refused,
  }),
  untie: call({
    id: "object.untie",
    isOwn: true,
    method: "POST",
    path: "objects/untie",
    right: tiesItems,
    reach: "branch",
    summary: "Takes devices, gateways and base stations from their nodes",
    body: z.object({
      device_ids: z.optional(Items),
      gateway_ids: z.optional(Items),
      base_station_ids: z.optional(Items),
    }),
    reply: z.object({
      stood: z
        .array(
          z.object({
            object_id: Id,
            device_ids: z.array(Id),
            gateway_ids: z.array(Id),
            base_station_ids: z.array(Id),
          }),
        )
        .check(z.describe("where they stood: places them again when the change is undone")),
    }),
    problems: refused,
  }),
  users: call({
    id: "object.users",
    isOwn: true,
    method: "POST",
    path: "objects/users",
    right: "1:read&6:read",
    reach: "branch",
    summary: "Users tied to a node itself",
    body: z.object({ object_id: NodeId }),
    reply: z.object({ users: z.array(User) }),
    problems: ["not_found"],
  }),
  tieUsers: call({
    id: "object.tieUsers",
    method: "POST",
    path: "objects/tie_users",
    right: tiesUsers,
    reach: "branch",
    summary:
      "Ties users to a node: without access_all on 4 they see its branch, what stands there and the devices tied to them, and nothing else",
    body: z.object({ object_id: NodeId, user_ids: Users }),
    reply: Nothing,
    problems: refusedUsers,
  }),
  tieUser: call({
    id: "object.tieUser",
    method: "POST",
    path: "objects/tie_user/:id",
    right: tiesUsers,
    reach: "branch",
    summary: "Ties one user to a node, which the path names",
    params,
    body: z.object({ user_id: Id }),
    reply: Nothing,
    problems: refusedUsers,
  }),
  untieUser: call({
    id: "object.untieUser",
    method: "POST",
    path: "objects/untie_user/:id",
    right: tiesUsers,
    reach: "branch",
    summary: "Unties one user from a node, which the path names",
    params,
    body: z.object({ user_id: Id }),
    reply: Nothing,
    problems: refusedUsers,
  }),
  attributes: call({
    id: "object.attributes",
    method: "POST",
    path: "objects/attributes",
    right: "6:read|6:access_all",
    reach: "branch",
    summary: "Attributes of a node, by name",
    body: z.object({ object_id: NodeId }),
    reply: z.object({ attributes: z.array(Attribute) }),
    problems: ["not_found"],
  }),
  setAttribute: call({
    id: "object.attributeSet",
    method: "POST",
    path: "objects/attribute/set",
    right: updates,
    reach: "branch",
    summary: "Sets an attribute of a node; without a value it is removed",
    body: z.object({
      object_id: NodeId,
      name: z.string().check(z.trim(), z.minLength(1), z.maxLength(attributeBounds.name)),
      value: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(attributeBounds.value)))),
    }),
    reply: Nothing,
    problems: [...refused, "attribute_limit"],
  }),
};
