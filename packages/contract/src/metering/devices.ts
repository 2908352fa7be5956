import { PointStandard } from "./pointStandard.ts";
import { secretKinds } from "@metrum/vocabulary";
import { z } from "zod/mini";
import { Attribute } from "./attribute.ts";
import { call } from "../core/call.ts";
import { notYet, notYetAmong } from "../core/notYet.ts";
import { Id, IdText, listInput, Nothing, paged, Seconds, ShortText, ObjectFilter } from "../core/values.ts";
import { DeviceModel } from "./deviceModel.ts";

/** Whether a device reports on time: `never` has not sent anything yet, `off` is deliberately not polled. */
export const deviceStates = ["on_time", "silent", "never", "off"] as const;
export type DeviceState = (typeof deviceStates)[number];

/** Columns that the server sorts by; nulls last ascending, first descending. */
export const deviceSortFields = [
  "id",
  "name",
  "place",
  "deviceID",
  "model",
  "interface_id",
  "device_group_id",
  "last_data_at",
  "inside_addr",
  "created_at",
] as const;

const LastReading = z.object({
  field: z.string(),
  value: z.nullable(z.number()),
  unit: z.string(),
  at: Seconds,
});

/** A metering device. Times are epoch seconds UTC; `deviceTimezone` is the present hour offset. */
export const MeteringDevice = z.object({
  id: Id,
  name: z.string(),
  place: z.string(),
  deviceID: z.string(),
  gatewayID: z.nullable(z.string()),
  gateway: z.nullable(z.object({ id: Id, name: z.string() })),
  base_station: z.nullable(z.object({ id: Id, name: z.string() })),
  inside_addr: z.string(),
  resource_type_id: z
    .nullable(z.int())
    .check(z.describe("type of accounting point that the device fits; null: none")),
  interface_id: z.int(),
  model_id: z.int(),
  model_title: z.string(),
  device_type_id: z.int(),
  device_group_id: z.int(),
  deviceTimezone: z.number(),
  timezone_name: z.string().check(z.describe("IANA zone of the days and hours of the device")),
  report_period_update: z.int().check(z.describe("seconds between polls or reports")),
  warning_report_period: z
    .int()
    .check(z.describe("seconds without data after which the device is considered silent")),
  starting_value: z.number(),
  impulse_weight: z.number(),
  transformation_ratio: z.number(),
  properties: z.record(z.string(), z.unknown()),
  status: z.record(z.string(), z.unknown()),
  is_active: z.boolean(),
  is_archived: z.boolean(),
  is_deleted: z.boolean(),
  state: z.enum(deviceStates),
  last_data_at: z.nullable(Seconds),
  last_reading: z.nullable(LastReading),
  completeness: z
    .array(z.nullable(z.number()))
    .check(
      z.describe(
        "share of expected rows that were received, 0 to 1, for each of the last seven calendar days of the device, oldest first; null: none was due yet",
      ),
    ),
  created_at: Seconds,
  version: z
    .int()
    .check(z.describe("changes with every edit; sent with one, it detects a change made meanwhile")),
});
export type MeteringDevice = z.infer<typeof MeteringDevice>;

const Title = z.object({
  name: z.string(),
  title: z.string(),
  title_en: z.string(),
  unit: z.object({ title: z.string() }),
  device_group_id: z.int(),
  protocol_id: z.int().check(z.describe("0: titles do not depend on the protocol")),
  device_type_id: z.int(),
  device_id: Id,
});

/** The accounting point that a device measures now. */
const TiedPoint = z.object({
  id: Id,
  title: z.string(),
  resource_type_id: z.int(),
  parent_id: z.nullable(z.string()),
  standard: z.nullable(PointStandard),
});

/** One device with its model and the titles of its fields. */
export const OpenedDevice = z.extend(MeteringDevice, {
  tied_point: z.nullable(TiedPoint),
  model: DeviceModel,
  device_fields_titles: z.array(Title),
  secrets: z.array(z.enum(secretKinds)).check(z.describe("names of the stored secrets, never their values")),
});

const one = <Value extends z.ZodMiniType>(value: Value) =>
  z.union([value, z.array(value).check(z.maxLength(1000))]);

/** Fields that a list adds to its rows on request. */
export const appendedFields = [
  "model",
  "device_fields_titles",
  "attributes",
  "secrets",
  "tied_point",
] as const;
/** Those of the specification that no domain fills yet. */
const futureFields = ["poll_group_id", "object_ids"];

/** A part of the text of a column, ignoring case. */
const TextFilter = z.optional(ShortText.check(z.minLength(1)));
const ColumnFilters = z.object({
  state: z.optional(z.array(z.enum(deviceStates))),
  name: TextFilter,
  place: TextFilter,
  deviceID: TextFilter,
  inside_addr: TextFilter,
  attributes: z
    .optional(z.record(z.string().check(z.maxLength(100)), z.array(z.string().check(z.maxLength(500)))))
    .check(z.describe("values by the name of the attribute; a device has one of each")),
});

const ListedDevice = z.extend(z.partial(MeteringDevice), {
  model: z.optional(DeviceModel),
  device_fields_titles: z.optional(z.array(Title)),
  attributes: z.optional(z.array(Attribute)),
  secrets: z.optional(z.array(z.enum(secretKinds))),
  tied_point: z.optional(z.nullable(TiedPoint)),
});

/** Conditions of the list; devices meet all of them. */
const selection = {
  search_string: listInput.search_string,
  device_state: z.optional(z.enum(["active", "inactive"])),
  is_archived: z.optional(z.boolean()),
  is_deleted: z.optional(z.boolean()),
  model_id: z.optional(one(Id)),
  model_options: z.optional(z.array(z.string()).check(z.maxLength(50))),
  interface_id: z.optional(one(Id)),
  device_group_id: z.optional(one(Id)),
  gateway_ids: z.optional(z.array(Id).check(z.maxLength(1000))),
  ids: z.optional(z.array(Id).check(z.maxLength(10_000))),
  object_ids: ObjectFilter,
  fields_filter: z.optional(z.catchall(ColumnFilters, notYet(z.unknown(), { refused: "x" }))),
};
export const DeviceSelection = z.object(selection);
export type DeviceSelection = z.infer<typeof DeviceSelection>;

export const DeviceListInput = z.object({
  ...listInput,
  ...selection,
  paginate: z.optional(z.boolean()),
  last_page: z.optional(z.int().check(z.describe("paging state sent back by clients; ignored"))),
  sort_field: z.optional(
    z.enum(deviceSortFields, { error: notYetAmong(Object.keys(z.keyof(MeteringDevice).def.entries)) }),
  ),
  append_fields: z.optional(z.array(z.enum(appendedFields, { error: notYetAmong(futureFields) }))),
  available_accounting_points: z
    .optional(z.boolean())
    .check(z.describe("only devices that measure no accounting point and could")),
  only: z.optional(z.array(z.keyof(MeteringDevice))),
});
export type DeviceListInput = z.infer<typeof DeviceListInput>;

export const devices = {
  list: call({
    id: "device.list",
    rows: "metering_devices.data",
    method: "POST",
    path: "device/metering_devices",
    right: "4:read",
    reach: "branch",
    summary: "Metering devices of the company, filtered, sorted and paged on the server",
    body: DeviceListInput,
    reply: z.object({ metering_devices: paged(ListedDevice) }),
  }),
  get: call({
    id: "device.get",
    isReading: true,
    method: "GET",
    path: "device/metering_device/:id",
    right: "4:read",
    reach: "branch",
    summary: "One metering device with its model and the titles of its fields",
    params: z.object({ id: IdText }),
    reply: z.object({ metering_device: OpenedDevice }),
    problems: ["not_found"],
  }),
  switch: call({
    id: "device.switch",
    method: "PUT",
    path: "device/metering_device/switch/:id",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Activates or deactivates a device; without is_active the state is toggled",
    params: z.object({ id: IdText }),
    body: z.object({ is_active: z.optional(z.boolean()) }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
  switchBulk: call({
    id: "device.switchBulk",
    method: "PUT",
    path: "device/metering_device/switch",
    right: "4:update|4:access_all",
    reach: "branch",
    summary: "Activates or deactivates several devices; an id of another company refuses the whole list",
    body: z.object({
      device_ids: z.array(Id).check(z.minLength(1), z.maxLength(10_000)),
      is_active: z.boolean(),
    }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};
