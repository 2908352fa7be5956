import { z } from "zod/mini";
import { call } from "../core/call.ts";
import { Id, Seconds } from "../core/values.ts";

/** Outcome of one pushed item. `aside`: unknown device number, kept in quarantine. */
export const pushResults = ["taken", "unread", "out_of_time", "repeated", "off", "aside"] as const;

const Text = z.string().check(z.maxLength(255));
const largest = 256 * 1024;

/** A message of a network server, unvalidated; its reader interprets it. */
const NetworkMessage = z
  .record(z.string(), z.unknown())
  .check(z.refine((message) => JSON.stringify(message).length <= largest, "size"));

const Pushed = z.object({
  taken: z.int().check(z.describe("items stored now or before")),
  results: z.array(
    z.object({
      device: z.string(),
      result: z
        .enum(pushResults)
        .check(
          z.describe(
            "unread: logged, but not decodable; out_of_time: logged, but its time stamp is implausible (after the receipt, before 2000 or before the archive of the model), so its readings are in quarantine; off: the device is inactive; aside: unknown device, the message is in quarantine",
          ),
        ),
      message: z
        .optional(z.string())
        .check(z.describe("reason, or the omitted fields, as in the log; absent if there is none")),
    }),
  ),
});

const PushedItem = z.object({
  deviceID: z.optional(Text).check(z.describe("identifier of the device: DevEUI, serial number, IMEI")),
  device_id: z.optional(Id).check(z.describe("id of the device in this platform, instead of its identifier")),
  time: z.optional(Seconds).check(z.describe("time of the values; default: the time of receipt")),
  reference: z
    .optional(Text)
    .check(z.describe("unique name of the item: a repetition within ten minutes is ignored")),
  msgType: z.optional(z.int().check(z.gte(1), z.lte(32_767))),
  values: z
    .optional(z.record(z.string(), z.nullable(z.number())))
    .check(z.describe("numbers by field, in the units of the fields; null: no value")),
  payload: z
    .optional(z.string().check(z.maxLength(2_000)))
    .check(z.describe("hexadecimal, decoded by the model")),
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
    reach: "branch",
    path: "push/chirpstack",
    summary:
      "Accepts an event of the HTTP integration of ChirpStack v4, JSON; the API token is in its headers",
    query: z.object({
      event: z.enum(["up", "join", "ack", "txack", "status", "log", "location", "integration"]),
    }),
    body: NetworkMessage,
    problems: ["demo_refused"],
  }),
  things: call({
    ...common,
    id: "push.things",
    reach: "branch",
    path: "push/things",
    summary: "Accepts a message of a webhook of The Things Stack v3, JSON; the API token is in its headers",
    body: NetworkMessage,
    problems: ["demo_refused"],
  }),
  actility: call({
    ...common,
    id: "push.actility",
    reach: "branch",
    path: "push/actility",
    summary:
      "Accepts a report of Actility ThingPark, JSON; the API token is in a header of its own. If the company has entered an AS key, Token must match it",
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
    reach: "branch",
    path: "push/readings",
    summary: "Accepts readings or payloads, up to 1,000 items of any devices and times",
    body: z.object({ readings: z.array(PushedItem).check(z.minLength(1), z.maxLength(1_000)) }),
    problems: ["not_found", "demo_refused"],
  }),
  senml: call({
    ...common,
    id: "push.senml",
    reach: "branch",
    path: "push/senml",
    summary: "Accepts a SenML pack (RFC 8428, JSON): names are device and field, units are converted",
    body: z.array(z.record(z.string(), z.unknown())).check(z.minLength(1), z.maxLength(5_000)),
    problems: ["demo_refused"],
  }),
};
