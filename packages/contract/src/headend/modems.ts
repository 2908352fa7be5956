import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, Seconds, ShortText } from "../core/values.ts";
import { deviceSettings } from "../metering/deviceSettings.ts";

/** Number of a TCP port on which modems dial in; also its id. */
const Port = z.int().check(z.gte(1), z.lte(65_535));
/** Identity of a modem or of a device of a network. */
const Identity = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

/** A modem as the platform sees it: connected now, or at its last connection. */
export const AdminDeviceRow = z.object({
  device_id: z.string().check(z.describe("identifier reported by the modem: its IMEI")),
  broker_port: z.int(),
  ip_address: z.string(),
  last_date: Seconds.check(z.describe("when it was last heard, to the nearest half minute")),
  connect_status: z.boolean(),
  modem_type: z.nullable(z.string()),
  end_device_type: z.nullable(z.string()),
  end_device_version: z.nullable(z.string()),
  rssi: z.nullable(z.int()).check(z.describe("dBm, as reported by the modem")),
  is_known: z
    .boolean()
    .check(z.describe("registered as a gateway of a company; otherwise it is in the inbox")),
});
export type AdminDeviceRow = z.infer<typeof AdminDeviceRow>;

/** Answer of a poll by platform staff, in the order of its result list. */
export const polledFields = [
  "tariff1",
  "voltage1",
  "voltage2",
  "voltage3",
  "current1",
  "current2",
  "current3",
] as const;
/** Power factors turn the currents of the vector diagram. */
export const polledFactors = ["cos1", "cos2", "cos3"] as const;

const optionalNumber = z.optional(z.nullable(z.number()));
/** Values of the meter; unsupported ones are absent, unknown ones null. */
export const AdminPoll = z.object({
  model: z.optional(z.string()),
  serial_number: z.optional(z.string()),
  datetime: z.optional(Seconds),
  tariff1: optionalNumber,
  voltage1: optionalNumber,
  voltage2: optionalNumber,
  voltage3: optionalNumber,
  current1: optionalNumber,
  current2: optionalNumber,
  current3: optionalNumber,
  cos1: optionalNumber,
  cos2: optionalNumber,
  cos3: optionalNumber,
});
export type AdminPoll = z.infer<typeof AdminPoll>;

/** The broker as seen by platform staff: ports, modems, and the devices behind them. */
export const adminBroker = {
  ports: call({
    id: "admin.ports",
    method: "GET",
    path: "admin/broker/list/ports",
    aliases: ["POST admin/broker/list/ports"],
    right: "platform",
    reach: "company",
    summary: "Ports on which modems dial in: ids by title",
    reply: z.record(z.string(), Port),
  }),
  connectedGateways: call({
    id: "admin.connectedGateways",
    method: "POST",
    path: "admin/broker/list/connected_gateways",
    right: "platform",
    reach: "company",
    summary: "All modems that are or were connected, in all processes",
    body: z.object({ ports: z.optional(z.array(Port).check(z.maxLength(1000))) }),
    reply: z.array(AdminDeviceRow),
  }),
  requestData: call({
    id: "admin.requestData",
    method: "POST",
    path: "admin/broker/request_data",
    right: "platform",
    reach: "company",
    summary:
      "Polls the first meter behind a modem and stores nothing; behind an unknown modem several models are tried in turn",
    body: z.object({ port: Port, imei: Identity }),
    reply: z.object({ answer: AdminPoll, result: z.boolean(), error: z.string() }),
    problems: ["demo_refused", "entered_refused", "token_refused"],
    perMinute: 120,
  }),
};

export const inboxKinds = ["modem", "device"] as const;

/** An unregistered caller: a modem on a port, or a device in the quarantine of a company. */
export const InboxEntry = z.object({
  kind: z.enum(inboxKinds),
  identity: z.string(),
  port: z.nullable(z.int()).check(z.describe("IMEI of a modem; null for a network device")),
  way: z.string().check(z.describe("profile of the port, or the network transport")),
  is_online: z.boolean(),
  ip_address: z.string(),
  first_at: z
    .nullable(Seconds)
    .check(z.describe("of the quarantined messages of a device; null for a modem")),
  last_at: Seconds,
  count: z.nullable(z.int()).check(z.describe("quarantined messages of a device; null for a modem")),
  company_id: z.nullable(Id).check(z.describe("company of the credentials it came with; null: none")),
  company_name: z.nullable(z.string()),
  model_id: z.nullable(Id).check(z.describe("model that has answered a trial poll behind it")),
  inside_addr: z.nullable(z.string()).check(z.describe("address at which it answered")),
});
export type InboxEntry = z.infer<typeof InboxEntry>;

/** What an unknown device has sent, newest first, and the models that read its last payload. */
export const InboxPreview = z.object({
  messages: z.array(
    z.object({
      at: Seconds,
      topic: z.string(),
      reason: z.string(),
      bytes: z.int(),
      hex: z.string().check(z.describe("the first 256 bytes")),
    }),
  ),
  models: z.array(
    z.object({
      model_id: Id,
      values: z.record(z.string(), z.number()).check(z.describe("by field, as this model reads them")),
    }),
  ),
});
export type InboxPreview = z.infer<typeof InboxPreview>;

const Meter = z.object({
  model_id: Id,
  name: ShortText.check(z.minLength(1)),
  deviceID: Identity,
  inside_addr: z.optional(ShortText),
  ...deviceSettings,
});

export const InboxCreate = z.object({
  kind: z.enum(inboxKinds),
  identity: Identity,
  name: ShortText.check(z.minLength(1)),
  model_id: Id.check(z.describe("name of the gateway, or of the device")),
  company_id: z
    .optional(Id)
    .check(z.describe("default: one's own company; another one for platform staff only")),
  meter: z.optional(Meter).check(z.describe("the first meter behind a gateway, created with it")),
  ...deviceSettings,
});
export type InboxCreate = z.infer<typeof InboxCreate>;

/** Unregistered callers, and their registration in a company. */
export const inbox = {
  list: call({
    id: "inbox.list",
    isOwn: true,
    rows: "inbox",
    method: "POST",
    path: "device/inbox",
    right: "platform|4:create",
    reach: "company",
    summary:
      "Unknown modems (platform staff) and unknown network devices (one's own company; platform staff: all)",
    body: z.object({}),
    reply: z.object({ inbox: z.array(InboxEntry) }),
    problems: ["demo_refused"],
  }),
  preview: call({
    id: "inbox.preview",
    isOwn: true,
    method: "POST",
    path: "device/inbox/preview",
    right: "platform|4:create",
    reach: "company",
    summary:
      "The newest messages of an unknown device, and the models that read them; empty for an unknown one",
    body: z.object({
      identity: Identity,
      company_id: z.optional(Id).check(z.describe("another company for platform staff only")),
    }),
    reply: InboxPreview,
    problems: ["not_found", "demo_refused"],
  }),
  create: call({
    id: "inbox.create",
    isOwn: true,
    method: "POST",
    path: "device/inbox/create",
    right: "platform|4:create",
    reach: "company",
    summary:
      "Registers an inbox entry: a gateway with its first meter, or a metering device, whose messages are taken over",
    body: InboxCreate,
    reply: z.object({
      gateway_id: z.nullable(Id),
      device_id: z.nullable(Id),
      taken: z.int().check(z.describe("messages taken over from the quarantine")),
    }),
    isOnce: true,
    problems: [
      "not_found",
      "unknown_model",
      "wrong_input",
      "identifier_taken",
      "device_limit_reached",
      "licence_expired",
      "demo_refused",
      "entered_refused",
      "token_refused",
    ],
  }),
};
