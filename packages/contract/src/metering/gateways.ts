import { z } from "zod/mini";
import { CarrierArchive, CarrierChange, CarrierChanged, CarrierCounts } from "./carrierChanges.ts";
import { call } from "../core/call.ts";
import { Id, IdText, listInput, Nothing, paged, Seconds, ObjectFilter } from "../core/values.ts";

/** Maximum gateways of a company, its trash included. */
export const mostGateways = 20_000;

/**
 * Whether a gateway is in contact: `online`, last contact within its warning period; `silent`, before that;
 * `never`, no contact yet; `off`, switched off or archived: devices behind it are not polled.
 */
export const gatewayStates = ["online", "silent", "never", "off"] as const;
export type GatewayState = (typeof gatewayStates)[number];

export const gatewaySortFields = [
  "id",
  "name",
  "device_id",
  "interface_id",
  "report_period_update",
  "last_session_at",
] as const;

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));
/** Spaces within an identifier are a result of copying. */
const Identity = z.string().check(
  z.overwrite((text) => text.replaceAll(/\s/g, "")),
  z.minLength(1),
  z.maxLength(100),
);
const Desc = z.string().check(z.trim(), z.maxLength(1000));
const Phone = z.string().check(z.trim(), z.maxLength(20));
/** Least seconds between the beginnings of two scheduled polls behind a gateway or base station. */
export const mostPollPause = 3600;
export const PollPause = z.int().check(z.gte(0), z.lte(mostPollPause));
const Period = z.int().check(z.gte(60), z.lte(31 * 86_400));

/** A modem or converter that carries the lines of meters. Its password is stored and never answered. */
export const Gateway = z.object({
  id: Id,
  name: z.string(),
  device_id: z.string().check(z.describe("IMEI or serial number; unique in the installation")),
  model_id: z.int(),
  model_title: z.string(),
  interface_id: z.int(),
  deviceTimezone: z.number(),
  timezone_name: z.string().check(z.describe("IANA zone")),
  desc: z.string(),
  report_period_update: z.int(),
  warning_report_period: z.int().check(z.describe("seconds without contact after which it is silent")),
  poll_pause: z.int().check(z.describe("least seconds between scheduled polls behind it; 0: none")),
  dlms_wrapper: z
    .boolean()
    .check(z.describe("DLMS meters behind it are read in the wrapper of TCP (IEC 62056-47), not over HDLC")),
  phone_number: z.string(),
  base_station_id: z.nullable(Id),
  base_station: z.nullable(z.object({ id: Id, name: z.string() })),
  login: z.optional(z.string()).check(z.describe("on interface ethernet_uspd only")),
  has_password: z.optional(z.boolean()).check(z.describe("on interface ethernet_uspd only")),
  line: z
    .nullable(z.string())
    .check(z.describe("address or serial port that the server opens; null: it dials in, or none is set")),
  invisible: z.boolean().check(z.describe("no transparent port is open")),
  port: z.nullable(z.int()).check(z.describe("of its open transparent port")),
  is_active: z.boolean(),
  is_deleted: z.boolean(),
  is_archived: z.boolean(),
  devices_count: z
    .int()
    .check(z.describe("devices behind it that the user sees, archive and trash excluded")),
  silent_count: z.int().check(z.describe("those that are switched on and do not report on time")),
  state: z.enum(gatewayStates),
  is_connected: z
    .nullable(z.boolean())
    .check(z.describe("whether a gateway that dials in is connected now; null: the server connects to it")),
  signal: z.nullable(z.int()).check(z.describe("dBm, as last reported")),
  last_contact_at: z.nullable(Seconds).check(z.describe("of itself or of a device behind it")),
  created_at: Seconds,
  control_port: z.nullable(z.int()).check(z.describe("of its control; null: that of its model")),
  status: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe("of one gateway: what it has told, with `told_at` by part")),
});
export type Gateway = z.infer<typeof Gateway>;

/** Fields of a gateway that a user sets. An empty zone is that of the company. */
const fields = {
  interface_id: z.optional(Id).check(z.describe("one of its model; absent: the first")),
  deviceTimezone: z.optional(z.nullable(z.number())),
  timezone_name: z.optional(z.string().check(z.maxLength(60))),
  desc: z.optional(Desc),
  report_period_update: z.optional(Period),
  warning_report_period: z.optional(Period),
  poll_pause: z.optional(PollPause),
  dlms_wrapper: z.optional(z.boolean()),
  phone_number: z.optional(Phone),
  base_station_id: z.optional(z.nullable(Id)),
  login: z.optional(z.string().check(z.trim(), z.maxLength(64))),
  password: z.optional(z.string().check(z.maxLength(128))).check(z.describe("write-only; absent: unchanged")),
  is_active: z.optional(z.boolean()),
  control_port: z
    .optional(z.nullable(z.int().check(z.gte(1), z.lte(65_535))))
    .check(z.describe("below 1024 only 23 and 502; null: that of its model")),
};

const GatewayChange = z.object({
  ...fields,
  id: Id,
  name: z.optional(Name),
  device_id: z.optional(Identity),
  model_id: z.optional(Id),
});
export type GatewayChange = z.infer<typeof GatewayChange>;

const NewGateway = z.object({ ...fields, name: Name, device_id: Identity, model_id: Id });
export type NewGateway = z.infer<typeof NewGateway>;

const selection = {
  search_string: listInput.search_string,
  device_state: z.optional(z.enum(["active", "inactive"])),
  model_id: z.optional(z.union([Id, z.array(Id).check(z.maxLength(1000))])),
  ids: z.optional(z.array(Id).check(z.maxLength(1000))),
  object_ids: ObjectFilter,
  is_deleted: z.optional(z.boolean()),
  is_archived: z
    .optional(z.boolean())
    .check(z.describe("true: only the archive; absent or false: without it")),
};
const GatewaySelection = z.object(selection);
export type GatewaySelection = z.infer<typeof GatewaySelection>;

export const GatewayListInput = z.object({
  ...listInput,
  ...selection,
  paginate: z.optional(z.boolean()),
  sort_field: z.optional(z.enum(gatewaySortFields)),
});
export type GatewayListInput = z.infer<typeof GatewayListInput>;

/** A device that gets another gateway; an absent address or starting value stays. */
const Replacement = z.object({
  device_id: Id,
  gateway_id: Id,
  starting_value: z.optional(z.number().check(z.gte(0), z.lte(1e12))),
  inside_addr: z.optional(z.string().check(z.trim(), z.maxLength(100))),
});
export type Replacement = z.infer<typeof Replacement>;

const reads = "4:read|4:access_all";
const updates = "4:update|4:access_all";
const deletes = "4:delete|4:access_all";
const changesMany = "4:update|4:delete|4:access_all";
const givenWrong = ["unknown_model", "identifier_taken", "tied_devices_only", "demo_refused"] as const;
const moved = [
  "not_found",
  "device_put_away",
  "gateway_in_trash",
  "gateway_archived",
  "gateway_incompatible",
  "demo_refused",
] as const;
const params = z.object({ id: IdText });

export const gateways = {
  get: call({
    id: "gateway.get",
    method: "GET",
    path: "device/gateway/:id",
    right: reads,
    reach: "branch",
    summary: "One gateway, also from the trash",
    params,
    reply: z.object({ gateway: Gateway }),
    problems: ["not_found"],
  }),
  list: call({
    id: "gateway.list",
    rows: "gateways.data",
    method: "POST",
    path: "device/gateways",
    right: reads,
    reach: "branch",
    summary: "Gateways of the company, or those in its archive or trash",
    body: GatewayListInput,
    reply: z.object({
      gateways: paged(Gateway),
      counts: CarrierCounts,
    }),
  }),
  create: call({
    id: "gateway.create",
    method: "POST",
    path: "device/gateway/create",
    right: "4:create|4:access_all",
    reach: "branch",
    summary: "Registers a gateway; a modem that is waiting under its identifier is admitted at once",
    body: NewGateway,
    reply: z.object({ gateway: Gateway }),
    isOnce: true,
    problems: ["not_found", "gateway_limit", ...givenWrong],
  }),
  edit: call({
    id: "gateway.edit",
    method: "PUT",
    path: "device/gateway/edit",
    right: updates,
    reach: "branch",
    summary: "Changes a gateway; absent fields stay",
    body: GatewayChange,
    reply: z.object({ gateway: Gateway }),
    problems: ["not_found", "gateway_in_trash", "gateway_archived", ...givenWrong],
  }),
  replace: call({
    id: "gateway.replace",
    method: "POST",
    path: "device/gateway/replace",
    right: updates,
    reach: "branch",
    summary: "Moves a device to another gateway",
    body: Replacement,
    reply: Nothing,
    problems: moved,
  }),
  massReplace: call({
    id: "gateway.massReplace",
    method: "POST",
    path: "device/gateway/mass_replace",
    right: updates,
    reach: "branch",
    summary: "Moves devices to other gateways, all or none",
    body: z.object({ items: z.array(Replacement).check(z.minLength(1), z.maxLength(1000)) }),
    reply: Nothing,
    problems: moved,
  }),
  compatible: call({
    id: "gateway.compatible",
    method: "POST",
    path: "device/gateways/compatible",
    right: reads,
    reach: "branch",
    summary:
      "Gateways that can carry all these devices, or devices of this model and interface; 1,000 at most",
    body: z.object({
      device_ids: z.optional(z.array(Id).check(z.maxLength(1000))),
      model_id: z.optional(Id),
      interface_id: z.optional(Id),
      search_string: listInput.search_string,
    }),
    reply: z.object({ gateways: z.array(Gateway) }),
    problems: ["not_found", "unknown_model"],
  }),
  toTrash: call({
    id: "gateway.toTrash",
    method: "DELETE",
    path: "device/gateway/remove_in_trash/:id",
    right: deletes,
    reach: "branch",
    summary: "Moves a gateway to the trash: it is not admitted, devices behind it are not polled",
    params,
    reply: Nothing,
    problems: ["not_found", "tied_devices_only", "demo_refused"],
  }),
  restore: call({
    id: "gateway.restore",
    method: "DELETE",
    path: "device/gateway/restore_from_trash/:id",
    right: deletes,
    reach: "branch",
    summary: "Restores a gateway from the trash",
    params,
    reply: Nothing,
    problems: ["not_found", "identifier_taken", "tied_devices_only", "demo_refused"],
  }),
  archive: call({
    id: "gateway.archive",
    isOwn: true,
    method: "PUT",
    path: "device/gateway/archive",
    right: deletes,
    reach: "branch",
    summary:
      "Archives gateways or restores them, all or none: an archived gateway is not admitted, devices behind it are not polled",
    body: CarrierArchive,
    reply: Nothing,
    problems: ["not_found", "gateway_in_trash", "tied_devices_only", "demo_refused"],
  }),
  changeMany: call({
    id: "gateway.changeMany",
    isOwn: true,
    method: "PUT",
    path: "device/gateways/change",
    right: changesMany,
    reach: "branch",
    summary:
      "Changes all gateways that a filter matches; moves to the archive or the trash need delete on module 4, switching update",
    body: z.extend(CarrierChange, { filter: GatewaySelection }),
    reply: CarrierChanged,
    problems: ["not_found", "demo_refused"],
  }),
  remove: call({
    id: "gateway.remove",
    method: "DELETE",
    path: "device/gateway/remove_from_trash/:id",
    right: deletes,
    reach: "branch",
    summary: "Removes a gateway in the trash for good; devices behind it stay, without a gateway",
    params,
    reply: Nothing,
    problems: ["not_found", "gateway_not_in_trash", "tied_devices_only", "demo_refused"],
  }),
};
