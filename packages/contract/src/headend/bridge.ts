import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, IdText, listInput, Nothing, paged, Seconds } from "../core/values.ts";

/**
 * Values of `model_class_id`, where an id may belong to a device or a gateway. The specification gives no
 * numbers.
 */
export const modelClasses = { device: 1, gateway: 2 } as const;
const ModelClass = z.union([z.literal(modelClasses.device), z.literal(modelClasses.gateway)]);

/** Time limits of a transparent port in seconds: in total, and without traffic (security rule 3.7). */
export const bridgeBounds = { longest: 3600, idle: 300 } as const;

/** Why a transparent port was closed, or never opened. */
export const bridgeEnds = [
  "asked",
  "idle",
  "limit",
  "signed_out",
  "switched_off",
  "frozen",
  "line_down",
  "no_port",
  "stopped",
] as const;
export type BridgeEnd = (typeof bridgeEnds)[number];

/** A transparent port, open or closed. */
export const TransparentPort = z.object({
  id: Id,
  device_id: Id.check(z.describe("id of the metering device or, by model_class_id, of the gateway")),
  model_class_id: ModelClass,
  model_id: Id,
  name: z.string(),
  company_name: z.string(),
  user_name: z.string(),
  host: z.string().check(z.describe("host at which programs reach the port")),
  port: z.nullable(z.int()),
  is_active: z.boolean(),
  address: z.string().check(z.describe("the only IP address that may connect")),
  opened_at: z.nullable(Seconds),
  ends_at: Seconds.check(z.describe("when it closes at the latest, or was closed")),
  seconds_left: z
    .int()
    .check(z.describe("time left until ends_at by the clock of the server; 0 when closed")),
  bytes_sent: z.int().check(z.describe("bytes sent to the line")),
  bytes_received: z.int().check(z.describe("bytes received from the line")),
  end: z.nullable(z.enum(bridgeEnds)),
});
export type TransparentPort = z.infer<typeof TransparentPort>;

export const transparentSortFields = ["id", "name", "port", "opened_at", "company_name"] as const;

/** The virtual bridge: a transparent TCP port to the line of a meter or gateway. */
export const bridge = {
  switch: call({
    id: "device.transparentSwitch",
    method: "POST",
    path: "device/transparent_listener_switch",
    right: "4:update",
    reach: "branch",
    summary:
      "Opens or closes the transparent port of a metering device or gateway; only the address of the caller may connect",
    body: z.object({ device_id: Id, on: z.boolean(), model_class_id: z.optional(ModelClass) }),
    reply: z.object({ port: z.nullable(z.int()) }),
    problems: [
      "not_found",
      "bridge_off",
      "bridge_busy",
      "bridge_full",
      "line_down",
      "device_put_away",
      "control_frozen",
      "licence_expired",
      "demo_refused",
    ],
  }),
  list: call({
    id: "devices.transparentList",
    rows: "data",
    method: "POST",
    path: "devices/transparent_list",
    right: "4:read",
    reach: "branch",
    summary:
      "Transparent ports of one's own company, for provider staff those of all companies; newest first",
    body: z.object({
      ...listInput,
      last_page: z.optional(z.unknown()),
      paginate: z.optional(z.boolean()).check(z.describe("false: one page of at most 10,000 rows")),
      sort_field: z.optional(z.enum(transparentSortFields)),
      model_id: z.optional(Id),
      model_class_id: z.optional(ModelClass),
      device_id: z.optional(Id).check(z.describe("id of the device or, by model_class_id, of the gateway")),
      is_active: z.optional(z.boolean()),
    }),
    reply: paged(TransparentPort),
    problems: ["not_found"],
  }),
  close: call({
    id: "admin.transparentClose",
    isOwn: true,
    method: "POST",
    path: "admin/transparent/close/:id",
    right: "platform",
    reach: "company",
    summary: "Closes a transparent port of any company",
    params: z.object({ id: IdText }),
    reply: Nothing,
    problems: ["not_found", "demo_refused"],
  }),
};
