import { z } from "zod/mini";
import { call } from "./core/call.ts";
import { Id, Seconds } from "./core/values.ts";

/** Outcome of one pushed item. `aside`: unknown device number, kept in quarantine. */
export const pushResults = ["taken", "unread", "out_of_time", "repeated", "off", "aside"] as const;

const Text = z.string().check(z.maxLength(255));
const largest = 256 * 1024;

/** A message of a network server, unvalidated; its reader interprets it. */
const NetworkMessage = z
  .record(z.string(), z.unknown())
  .check(z.refine((message) => JSON.stringify(message).length <= largest, "size"));

const Pushed = z.object({
  taken: z.int().check(z.describe("items that are stored now, or were before")),
  results: z.array(
    z.object({
      device: z.string(),
      result: z
        .enum(pushResults)
        .check(
          z.describe(
            "unread: in the log, but no reading could be made of it; out_of_time: in the log, but no honest clock gave its time (ahead of the receipt, before 2000 or before the archive of the model begins), so its readings are in quarantine; off: the device is not listened to; aside: no such device, in quarantine",
          ),
        ),
      message: z
        .optional(z.string())
        .check(z.describe("why, or which fields were left out, as the log says it; absent: nothing to say")),
    }),
  ),
});

const PushedItem = z.object({
  deviceID: z.optional(Text).check(z.describe("number of the device: DevEUI, serial number, IMEI")),
  device_id: z.optional(Id).check(z.describe("our own id of it, instead of the number")),
  time: z.optional(Seconds).check(z.describe("of the values; without it the moment of the push")),
  reference: z
    .optional(Text)
    .check(z.describe("name of the item: a repeat within ten minutes is taken once")),
  msgType: z.optional(z.int().check(z.gte(1), z.lte(32_767))),
  values: z
    .optional(z.record(z.string(), z.nullable(z.number())))
    .check(z.describe("numbers by field, in the units of the fields; null: not kept")),
  payload: z
    .optional(z.string().check(z.maxLength(2_000)))
    .check(z.describe("hexadecimal, for the model to read")),
  fPort: z.optional(z.int().check(z.gte(0), z.lte(255))),
  fCnt: z.optional(z.int().check(z.gte(0), z.lte(4_294_967_295))),
});

const common = {
  method: "POST",
  right: "4:update",
  reply: Pushed,
  isOwn: true,
  hasForeignText: true,
} as const;

/** Pushes of network servers and other systems by HTTP. Status 200 is sent after COMMIT. */
export const push = {
  chirpstack: call({
    ...common,
    id: "push.chirpstack",
    path: "push/chirpstack",
    summary:
      "Takes an event of the HTTP integration of ChirpStack v4, JSON; the API token stands in its headers",
    query: z.object({
      event: z.enum(["up", "join", "ack", "txack", "status", "log", "location", "integration"]),
    }),
    body: NetworkMessage,
    problems: ["demo_refused"],
  }),
  things: call({
    ...common,
    id: "push.things",
    path: "push/things",
    summary: "Takes a message of a webhook of The Things Stack v3, JSON; the API token stands in its headers",
    body: NetworkMessage,
    problems: ["demo_refused"],
  }),
  actility: call({
    ...common,
    id: "push.actility",
    path: "push/actility",
    summary:
      "Takes a report of Actility ThingPark, JSON; the API token stands in a header of its own. Where the company has entered an AS key, Token must fit it",
    query: z.object({
      LrnDevEui: z.optional(Text),
      LrnFPort: z.optional(Text),
      LrnInfos: z.optional(Text),
      AS_ID: z.optional(Text),
      Time: z.optional(Text),
      Token: z.optional(Text),
    }),
    body: NetworkMessage,
    problems: ["demo_refused", "push_token"],
  }),
  readings: call({
    ...common,
    id: "push.readings",
    path: "push/readings",
    summary: "Takes readings or payloads of up to 1,000 devices and moments",
    body: z.object({ readings: z.array(PushedItem).check(z.minLength(1), z.maxLength(1_000)) }),
    problems: ["not_found", "demo_refused"],
  }),
  senml: call({
    ...common,
    id: "push.senml",
    path: "push/senml",
    summary: "Takes a SenML pack (RFC 8428, JSON): names are device and field, units are converted",
    body: z.array(z.record(z.string(), z.unknown())).check(z.minLength(1), z.maxLength(5_000)),
    problems: ["demo_refused"],
  }),
};
