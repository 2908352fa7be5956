import { describe, expect, it } from "vitest";
import { parseJson } from "../core/json.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import {
  buildThings,
  buildThingsDown,
  parseThingsDown,
  parseThingsPushPath,
  thingsDownRequest,
} from "./build.ts";
import { agreeing, readThings, referencePrefix, type ThingsEvent } from "./events.ts";
import { formatThingsTopic, parseThingsTopic, thingsDownTopic, thingsEvents } from "./topic.ts";

const devEui = "0004a30b001c0530";
const ids = {
  device_id: "dev1",
  application_ids: { application_id: "app1" },
  dev_eui: "0004A30B001C0530",
  dev_addr: "00BCB929",
};
const received_at = "2026-11-21T09:00:00.000Z";
const at = 1_795_251_600;
const common = { devEui, deviceId: "dev1", application: "app1", at };

type Built = Exclude<ThingsEvent, { event: "status" }>;
const up: Extract<Built, { event: "up" }> = {
  ...common,
  event: "up",
  deduplicationId: `${devEui}:up:key:71:${received_at}`,
  devAddr: "00bcb929",
  fCnt: 71,
  fPort: 2,
  dataRate: "SF7BW125",
  confirmed: true,
  payload: Uint8Array.of(1, 0x62, 6),
  receptions: [{ gatewayId: "a", rssi: -70, snr: 9 }],
};
const uplink = {
  session_key_id: "key",
  f_port: 2,
  f_cnt: 71,
  confirmed: true,
  frm_payload: "AWIG",
  rx_metadata: [{ gateway_ids: { gateway_id: "a" }, rssi: -70, snr: 9 }],
  settings: { data_rate: { lora: { bandwidth: 125_000, spreading_factor: 7 } } },
  received_at,
};
const downlink = {
  ...common,
  event: "downlink",
  deduplicationId: "",
  fCntDown: 4,
  reference: "r-1",
} as const;
const told = { f_cnt: 4, correlation_ids: ["metrum:r-1"] };

/** Every kind of message. Source: The Things Stack documentation, Data Formats. */
const messages: readonly (readonly [string, Built, object])[] = [
  ["an uplink", up, { uplink_message: uplink }],
  [
    "a join",
    { ...common, event: "join", deduplicationId: `${devEui}:join:key`, devAddr: "00bcb929" },
    { join_accept: { session_key_id: "key", received_at } },
  ],
  ["a queued downlink", { ...downlink, outcome: "queued", reason: "" }, { downlink_queued: told }],
  ["a sent downlink", { ...downlink, outcome: "sent", reason: "" }, { downlink_sent: told }],
  ["an acknowledged downlink", { ...downlink, outcome: "acknowledged", reason: "" }, { downlink_ack: told }],
  [
    "a downlink that was not",
    { ...downlink, outcome: "not_acknowledged", reason: "" },
    { downlink_nack: told },
  ],
  [
    "a failed downlink",
    { ...downlink, outcome: "failed", reason: "no session" },
    { downlink_failed: { downlink: told, error: { message_format: "no session" } } },
  ],
  [
    "a downlink without a counter or a reference",
    { ...downlink, outcome: "sent", reason: "", fCntDown: null, reference: "" },
    { downlink_sent: { correlation_ids: [] } },
  ],
];
const { dev_addr: _, ...withoutAddress } = ids;

describe("a topic", () => {
  it("is of one of seven events, with or without a prefix", () => {
    expect(thingsEvents).toEqual([
      "up",
      "join",
      "down/queued",
      "down/sent",
      "down/ack",
      "down/nack",
      "down/failed",
    ]);
    const device = { prefix: "a/b", application: "app1@ttn", deviceId: "dev1" };
    expect(formatThingsTopic({ ...device, event: "down/ack" })).toBe("a/b/v3/app1@ttn/devices/dev1/down/ack");
    expect(thingsDownTopic(device)).toBe("a/b/v3/app1@ttn/devices/dev1/down/push");
    expect(thingsDownTopic(device, "replace")).toBe("a/b/v3/app1@ttn/devices/dev1/down/replace");
    expect(parseThingsTopic("v3/app1/devices/dev1/up")).toEqual({
      prefix: "",
      application: "app1",
      deviceId: "dev1",
      event: "up",
    });
  });
});

describe("a message", () => {
  it.each(messages)("of %s is read and built", (_name, event, content) => {
    const end_device_ids = event.event === "downlink" ? withoutAddress : ids;

    expect(readThings({ end_device_ids, received_at, ...content })).toEqual(event);
    expect(JSON.parse(buildThings(event))).toEqual({ end_device_ids, received_at, ...content });
  });

  it("is built without what it has not", () => {
    const bare = {
      ...up,
      ...{ at: null, devAddr: "", fCnt: 0, fPort: 0, dataRate: "", confirmed: false, deduplicationId: "" },
      ...{ payload: new Uint8Array(), receptions: [], application: "app1@ttn" },
    };

    expect(parseJson(buildThings(bare))).toEqual({
      end_device_ids: withoutAddress,
      uplink_message: { session_key_id: "", frm_payload: "", rx_metadata: [], settings: {} },
    });
    expect(parseJson(buildThings({ ...bare, event: "join" }))).toMatchObject({
      end_device_ids: withoutAddress,
      join_accept: { session_key_id: "" },
    });
    expect(parseJson(buildThings({ ...bare, dataRate: "SF12BW62.5" }))).toMatchObject({
      uplink_message: { settings: { data_rate: { lora: { bandwidth: 62_500, spreading_factor: 12 } } } },
    });
  });

  it("has the time and the name of its uplink, else its own", () => {
    const read = (uplink_message: object, own: object = { received_at }) =>
      readThings({ end_device_ids: ids, ...own, uplink_message });
    const later = "2026-11-21T09:00:05Z";

    expect(read({ received_at: later, f_cnt: 1 })).toMatchObject({
      at: at + 5,
      deduplicationId: `${devEui}:up:00bcb929:1:${later}`,
    });
    expect(read({ f_cnt: 1 })).toMatchObject({ at, deduplicationId: `${devEui}:up:00bcb929:1:` });
    expect(read({}, {})).toMatchObject({ at: null });
    expect(readThings({ end_device_ids: withoutAddress, uplink_message: {} })).toMatchObject({
      deduplicationId: "",
      devAddr: "",
      dataRate: "",
      receptions: [],
    });
    expect(readThings({ end_device_ids: ids, received_at, join_accept: {} })).toMatchObject({
      at,
      deduplicationId: "",
    });
    expect(readThings({ end_device_ids: ids, join_accept: { received_at: later } })).toMatchObject({
      at: at + 5,
    });
  });

  it.each([
    [{ value: 0 }, { battery: 0 }],
    [{ value: 100 }, { battery: 100 }],
    [{ value: -1 }, {}],
    [{ value: 100.5 }, {}],
    [{}, {}],
  ])("with the last battery %j has %j", (last_battery_percentage, battery) => {
    const event = readThings({ end_device_ids: ids, uplink_message: { last_battery_percentage } });

    expect(event && "battery" in event ? { battery: event.battery } : {}).toEqual(battery);
  });

  it("takes the strength of the channel where the gateway has none, and the strongest first", () => {
    const rx_metadata = [
      { gateway_ids: { gateway_id: "a" }, channel_rssi: -90, snr: 1 },
      { gateway_ids: { gateway_id: "b" }, rssi: -80, channel_rssi: -60, snr: 2 },
    ];

    expect(readThings({ end_device_ids: ids, uplink_message: { rx_metadata } })).toMatchObject({
      receptions: [
        { gatewayId: "b", rssi: -80, snr: 2 },
        { gatewayId: "a", rssi: -90, snr: 1 },
      ],
    });
  });

  it("of a failure has its words, or else its name", () => {
    const reason = (error: object, downlink_failed: object = { error }) =>
      readThings({ end_device_ids: ids, downlink_failed });

    expect(reason({ name: "n", message_format: "m" })).toMatchObject({ reason: "m" });
    expect(reason({ name: "n" })).toMatchObject({ reason: "n", reference: "", fCntDown: null });
    expect(reason({}, { error: {}, correlation_ids: ["metrum:r-2"], f_cnt: 9 })).toMatchObject({
      reason: "",
      reference: "",
      fCntDown: null,
    });
    expect(readThings({ end_device_ids: ids, downlink_ack: { error: { name: "n" } } })).toMatchObject({
      reason: "",
    });
  });

  it.each([
    ["message", []],
    ["end_device_ids.dev_eui", { end_device_ids: {} }],
    ["end_device_ids.device_id", { end_device_ids: { ...ids, device_id: 5 } }],
    ["end_device_ids.dev_addr", { end_device_ids: { ...ids, dev_addr: 5 } }],
    [
      "end_device_ids.application_ids.application_id",
      { end_device_ids: { ...ids, application_ids: { application_id: 5 } } },
    ],
    ["received_at", { end_device_ids: ids, received_at: 5 }],
    ["uplink_message.f_cnt", { end_device_ids: ids, uplink_message: { f_cnt: -1 } }],
    ["uplink_message.f_cnt", { end_device_ids: ids, uplink_message: { f_cnt: 4_294_967_296 } }],
    ["uplink_message.f_port", { end_device_ids: ids, uplink_message: { f_port: -1 } }],
    ["uplink_message.f_port", { end_device_ids: ids, uplink_message: { f_port: 256 } }],
    ["uplink_message.confirmed", { end_device_ids: ids, uplink_message: { confirmed: 1 } }],
    ["uplink_message.received_at", { end_device_ids: ids, uplink_message: { received_at: 1 } }],
    ["uplink_message.session_key_id", { end_device_ids: ids, uplink_message: { session_key_id: 1 } }],
    [
      "uplink_message.rx_metadata[0].snr",
      { end_device_ids: ids, uplink_message: { rx_metadata: [{ snr: "x" }] } },
    ],
    [
      "uplink_message.settings.data_rate.lora.bandwidth",
      { end_device_ids: ids, uplink_message: { settings: { data_rate: { lora: { bandwidth: "x" } } } } },
    ],
    ["join_accept.session_key_id", { end_device_ids: ids, join_accept: { session_key_id: 1 } }],
    ["downlink_sent.f_cnt", { end_device_ids: ids, downlink_sent: { f_cnt: -1 } }],
    ["downlink_sent.f_cnt", { end_device_ids: ids, downlink_sent: { f_cnt: 4_294_967_296 } }],
    ["downlink_sent.correlation_ids", { end_device_ids: ids, downlink_sent: { correlation_ids: "x" } }],
    ["downlink_failed.error.name", { end_device_ids: ids, downlink_failed: { error: { name: 5 } } }],
  ])("with a wrong %s is refused by its name", (path, message) => {
    expect(() => readThings(message)).toThrow(
      expect.objectContaining({
        kind: "unexpected",
        field: expect.objectContaining({ path }) as object,
      }) as Error,
    );
  });

  it("may have the largest counter and port, and no payload longer than any frame", () => {
    const read = (uplink_message: object) => readThings({ end_device_ids: ids, uplink_message });

    expect(read({ f_cnt: 4_294_967_295, f_port: 255 })).toMatchObject({ fCnt: 4_294_967_295, fPort: 255 });
    expect(refusalOf(() => read({ frm_payload: "A".repeat(684) }))).toMatchObject({ kind: "unexpected" });
  });

  it("is of the device of its topic", () => {
    expect(agreeing(up, { deviceId: "dev1" })).toBe(up);
    expect(refusalOf(() => agreeing(up, { deviceId: "dev2" }))).toMatchObject({ kind: "unexpected" });
  });
});

describe("a downlink", () => {
  const down = { fPort: 15, payload: Uint8Array.of(0xbe, 0xef), confirmed: false };
  const webhook = { applicationId: "app1", webhookId: "wh-1", deviceId: "dev1" };

  it("is the order of the documentation, with a reference among the ids that come back", () => {
    expect(referencePrefix).toBe("metrum:");
    expect(JSON.parse(buildThingsDown(down))).toEqual({
      downlinks: [{ f_port: 15, frm_payload: "vu8=", confirmed: false, priority: "NORMAL" }],
    });
    expect(JSON.parse(buildThingsDown({ ...down, reference: "r" }))).toMatchObject({
      downlinks: [{ correlation_ids: ["metrum:r"] }],
    });
    expect(thingsDownRequest(webhook, down, "key")).toEqual({
      method: "POST",
      path: "/api/v3/as/applications/app1/webhooks/wh-1/devices/dev1/down/push",
      headers: { "content-type": "application/json", authorization: "Bearer key" },
      body: buildThingsDown(down),
    });
  });

  it("is read with all that it orders", () => {
    const read = (...downlinks: readonly object[]) => parseThingsDown(JSON.stringify({ downlinks }));

    expect(
      read(
        { f_port: 1, correlation_ids: ["as:1", "metrum:a", "metrum:b"], confirmed: true },
        { f_port: 223, frm_payload: "/w==" },
      ),
    ).toEqual([
      { fPort: 1, payload: new Uint8Array(), confirmed: true, reference: "a" },
      { fPort: 223, payload: Uint8Array.of(255), confirmed: false },
    ]);
    expect(read({ f_port: 1, correlation_ids: ["x:metrum:"] })[0]).not.toHaveProperty("reference");
    for (const wrong of [
      { f_port: 0 },
      { f_port: 224 },
      { f_port: 1, frm_payload: "%" },
      { f_port: 1, confirmed: 1 },
    ])
      expect(refusalOf(() => read(wrong))).toMatchObject({ kind: "unexpected" });
  });

  it("goes to ids of 2 to 36 small letters, digits and single dashes", () => {
    const path = (id: string) => `/api/v3/as/applications/${id}/webhooks/wh-1/devices/dev1/down/push`;

    for (const id of ["a1", "a".repeat(36), "a-b-c"])
      expect(parseThingsPushPath(path(id))).toEqual({ ...webhook, applicationId: id });
    for (const id of ["a", "a".repeat(37), "A1", "a--b", "-ab", "ab-"])
      expect(parseThingsPushPath(path(id)), id).toBeUndefined();
    expect(parseThingsPushPath("")).toBeUndefined();
    expect(parseThingsPushPath(path("a1").replace("dev1", "d"))).toBeUndefined();
  });
});
