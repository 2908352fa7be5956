import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id } from "../core/values.ts";
import { Control, DeviceModel, TabDefinition } from "./deviceModel.ts";

const GatewayModel = z.object({
  id: Id,
  title: z.string(),
  brand_id: z.int(),
  interface_ids: z.array(z.int()),
  connection: z.enum(["dial_in", "tcp_client"]),
  options: z.object({ control: z.record(z.string(), Control) }),
  tabs: z.record(z.string(), TabDefinition),
  has_raw_payload: z.boolean().check(z.describe("raw bytes can be sent to it")),
  is_always_controlled: z.boolean().check(z.describe("its controls are offered regardless of its settings")),
});
const BaseStationModel = z.object({
  id: Id,
  title: z.string(),
  brand_id: z.int(),
  interface_ids: z.array(z.int()),
  options: z.object({}),
});

const Choice = z.object({
  search_string: z.optional(z.string().check(z.maxLength(255))),
  ids: z.optional(z.array(Id).check(z.maxLength(1000))),
});

const Titled = z.object({ id: z.int(), title: z.string(), title_en: z.string() });

/** A connection parameter of a device, as data for its form. */
const PollField = z.object({
  name: z.string(),
  title: z.string(),
  title_en: z.string(),
  type: z.enum(["text", "bool", "choice"]),
  required: z.boolean(),
  default: z.union([z.string(), z.boolean(), z.null()]),
  options: z.array(z.object({ id: z.nullable(z.int()), title: z.string() })),
});

/** Reference lists that every session loads at start: they need no right. */
export const models = {
  devices: call({
    id: "model.devices",
    method: "POST",
    path: "device/model/metering_devices",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Models of metering devices",
    body: Choice,
    reply: z.object({ metering_devices: z.array(DeviceModel) }),
  }),
  groups: call({
    id: "model.groups",
    method: "POST",
    path: "device/model/metering_device/groups",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Device groups",
    body: Choice,
    reply: z.object({ groups: z.array(Titled) }),
  }),
  types: call({
    id: "model.types",
    method: "POST",
    path: "device/model/metering_device/types",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Device types",
    body: Choice,
    reply: z.object({ types: z.array(z.extend(Titled, { device_group_id: z.int() })) }),
  }),
  gateways: call({
    id: "model.gateways",
    method: "POST",
    path: "device/model/gateways",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Models of gateways",
    body: Choice,
    reply: z.object({ gateways: z.array(GatewayModel) }),
  }),
  baseStations: call({
    id: "model.baseStations",
    method: "POST",
    path: "device/model/base_stations",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Models of base stations",
    body: Choice,
    reply: z.object({ base_stations: z.array(BaseStationModel) }),
  }),
  brands: call({
    id: "model.brands",
    method: "POST",
    path: "device/model/brands",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Brands of devices, gateways and base stations",
    body: Choice,
    reply: z.object({ brands: z.array(z.object({ id: z.int(), title: z.string() })) }),
  }),
  interfaces: call({
    id: "model.interfaces",
    method: "POST",
    path: "device/model/interfaces",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Connection interfaces, of all or of one connection type",
    body: z.object({ connection_type: z.optional(z.string().check(z.maxLength(50))) }),
    reply: z.object({
      interfaces: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          title: z.string(),
          title_en: z.string(),
          connection_type: z.string(),
        }),
      ),
    }),
  }),
  pollFields: call({
    id: "model.pollFields",
    method: "POST",
    path: "device/model/poll/fields",
    right: null,
    reach: "common",
    isReference: true,
    summary:
      "Connection parameters (poll_params) of a model, of an interface, or of both; none for devices that are not polled",
    body: z.object({ model_id: z.optional(Id), interface_id: z.optional(z.int()) }),
    reply: z.object({ fields: z.array(PollField) }),
    problems: ["unknown_model"],
  }),
  tabs: call({
    id: "model.tabs",
    method: "POST",
    path: "device/model/tabs",
    right: null,
    reach: "common",
    isReference: true,
    summary: "Tabs that models of a device group have",
    body: z.object({ device_group_id: Id }),
    reply: z.object({
      tabs: z.array(
        z.object({
          name: z.string(),
          title: z.string(),
          title_en: z.string(),
          msgTypes: z.array(z.int()),
          chart_fields: z.array(z.string()),
        }),
      ),
    }),
  }),
};
