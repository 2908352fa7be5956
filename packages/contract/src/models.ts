import { z } from "zod/mini";
import { call } from "./core/call.ts";
import { Id, IdText } from "./core/values.ts";

const Control = z.object({ active: z.boolean(), settings: z.optional(z.record(z.string(), z.unknown())) });
const TabDefinition = z.object({ msgTypes: z.array(z.int()), chart_fields: z.array(z.string()) });

/** A device model as data: the web app draws tabs, columns and buttons from it. */
export const DeviceModel = z.object({
  id: Id,
  title: z.string(),
  brand_id: z.int(),
  brand: z.string(),
  device_group_id: z.int(),
  device_type_id: z.int(),
  interface_ids: z.array(z.int()),
  protocol: z.string(),
  options: z.object({ control: z.record(z.string(), Control) }),
  tabs: z.record(z.string(), TabDefinition),
  fields: z.array(z.string()),
  has_own_starting_value: z
    .boolean()
    .check(z.describe("counts on from its dial: starting_value is neither asked for nor shown")),
  has_login: z.boolean().check(z.describe("login and password are sent with the device")),
  has_vectors: z.boolean().check(z.describe("voltages and currents are drawn as vectors of three phases")),
});
export type DeviceModel = z.infer<typeof DeviceModel>;

const GatewayModel = z.object({
  id: Id,
  title: z.string(),
  brand_id: z.int(),
  interface_ids: z.array(z.int()),
  connection: z.enum(["dial_in", "tcp_client"]),
  options: z.object({ control: z.record(z.string(), Control) }),
  tabs: z.record(z.string(), TabDefinition),
  has_raw_payload: z.boolean().check(z.describe("bytes may be sent to it as they are typed")),
  is_always_controlled: z.boolean().check(z.describe("its controls are offered whatever its settings say")),
});
const BaseStationModel = z.object({
  id: Id,
  title: z.string(),
  brand_id: z.int(),
  interface_ids: z.array(z.int()),
  options: z.object({}),
});

/** What a model has that most have not. */
export const modelRules = [
  "raw_payload",
  "always_controlled",
  "own_starting_value",
  "login",
  "vectors",
] as const;
/** What the reading of a model was checked with; the simulator is ours. */
export const modelEvidence = ["simulator", "document", "telegram", "meter"] as const;

const KeptArchive = z.object({
  msg_type: z.int(),
  period: z.union([z.int(), z.enum(["month", "events"])]).check(z.describe("seconds between its rows")),
  depth_days: z.int(),
});

/** The data sheet of a model of any kind; what a kind has not is null or empty. */
const ModelSheet = z.object({
  id: Id,
  kind: z.enum(["meter", "gateway", "base_station"]),
  title: z.string(),
  brand: z.string(),
  interface_ids: z.array(z.int()),
  device_group_id: z.nullable(z.int()),
  device_type_id: z.nullable(z.int()),
  protocol: z.nullable(z.string()),
  connection: z.nullable(z.enum(["dial_in", "tcp_client"])),
  fields: z.array(z.string()),
  tabs: z.record(z.string(), TabDefinition),
  controls: z.array(z.string()),
  archives: z.array(KeptArchive),
  profile_from: z.nullable(z.string()).check(z.describe("counter that half-hour power is calculated from")),
  counter_capacity: z.nullable(z.number()),
  rules: z.array(z.enum(modelRules)),
  evidence: z.array(z.enum(modelEvidence)),
  sources: z.array(z.string()).check(z.describe("where its recorded exchanges are from, in English")),
});
export type ModelSheet = z.infer<typeof ModelSheet>;

const Choice = z.object({
  search_string: z.optional(z.string().check(z.maxLength(255))),
  ids: z.optional(z.array(Id).check(z.maxLength(1000))),
});

const Titled = z.object({ id: z.int(), title: z.string(), title_en: z.string() });

/** Reference lists that every session loads at start: they need no right of their own. */
export const models = {
  devices: call({
    id: "model.devices",
    method: "POST",
    path: "device/model/metering_devices",
    right: null,
    isReference: true,
    summary: "Models of metering devices",
    body: Choice,
    reply: z.object({ metering_devices: z.array(DeviceModel) }),
  }),
  get: call({
    id: "model.get",
    method: "GET",
    path: "device/model/sheet/:model_id",
    right: null,
    isOwn: true,
    summary: "What a model of any kind measures, keeps and can do, and what its reading was checked with",
    params: z.object({ model_id: IdText }),
    reply: z.object({ model: ModelSheet }),
    problems: ["not_found"],
  }),
  groups: call({
    id: "model.groups",
    method: "POST",
    path: "device/model/metering_device/groups",
    right: null,
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
  tabs: call({
    id: "model.tabs",
    method: "POST",
    path: "device/model/tabs",
    right: null,
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
