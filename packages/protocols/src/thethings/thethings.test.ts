import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../core/json.ts";
import {
  buildThings,
  buildThingsDown,
  parseThingsDown,
  parseThingsPushPath,
  thingsDownRequest,
} from "./build.ts";
import { readThings, type ThingsEvent } from "./events.ts";
import { formatThingsTopic, parseThingsTopic, thingsDownTopic, thingsEvents } from "./topic.ts";

const ids = {
  device_id: "dev1",
  application_ids: { application_id: "app1" },
  dev_eui: "0004A30B001C0530",
  join_eui: "800000000000000C",
  dev_addr: "00BCB929",
};
const devEui = "0004a30b001c0530";

describe("a topic", () => {
  it("of every event round-trips, with and without tenant and prefix", () => {
    for (const event of thingsEvents)
      for (const application of ["app1@ttn", "app1"])
        for (const prefix of ["", "eu1"]) {
          const topic = { prefix, application, deviceId: "dev1", event };
          expect(parseThingsTopic(formatThingsTopic(topic))).toEqual(topic);
        }
  });

  it("for downlinks is at the end of the topic of the device", () => {
    expect(thingsDownTopic({ prefix: "", application: "app1@ttn", deviceId: "dev1" })).toBe(
      "v3/app1@ttn/devices/dev1/down/push",
    );
  });

  it.each(["v3/app1/devices/dev1/down/push", "v3/app1/devices/dev1/service/data", "v3/app1/up", ""])(
    "%s is no event of a device",
    (topic) => expect(parseThingsTopic(topic)).toBeUndefined(),
  );
});

describe("a message", () => {
  it("with an uplink has payload, port, counter, data rate, battery and receptions, the strongest first", () => {
    const message = {
      end_device_ids: ids,
      received_at: "2026-11-21T09:00:01.5Z",
      uplink_message: {
        session_key_id: "AXBSH1Pk6Z0G166",
        f_port: 2,
        f_cnt: 71,
        frm_payload: "AWIG",
        rx_metadata: [
          { gateway_ids: { gateway_id: "b" }, rssi: -110, snr: -3.5 },
          { gateway_ids: { gateway_id: "a" }, channel_rssi: -70, snr: 9 },
        ],
        settings: { data_rate: { lora: { bandwidth: 125_000, spreading_factor: 7 } } },
        last_battery_percentage: { f_cnt: 70, value: 92.5 },
        received_at: "2026-11-21T09:00:00.123Z",
      },
    };

    expect(readThings(message)).toEqual({
      event: "up",
      devEui,
      deviceId: "dev1",
      application: "app1",
      at: 1_795_251_600,
      deduplicationId: `${devEui}:up:AXBSH1Pk6Z0G166:71:2026-11-21T09:00:00.123Z`,
      devAddr: "00bcb929",
      fCnt: 71,
      fPort: 2,
      dataRate: "SF7BW125",
      confirmed: false,
      payload: Uint8Array.of(1, 0x62, 6),
      battery: 92.5,
      receptions: [
        { gatewayId: "a", rssi: -70, snr: 9 },
        { gatewayId: "b", rssi: -110, snr: -3.5 },
      ],
    });
  });

  it("reads a join, and the progress of a downlink", () => {
    expect(readThings({ end_device_ids: ids, join_accept: { session_key_id: "k" } })).toMatchObject({
      event: "join",
      devAddr: "00bcb929",
    });
    const read = (message: object) => readThings({ end_device_ids: ids, ...message });
    const correlation_ids = ["as:downlink:01", "metrum:r-1"];
    expect(read({ downlink_queued: { correlation_ids } })).toMatchObject({
      outcome: "queued",
      reference: "r-1",
      fCntDown: null,
    });
    expect(read({ downlink_sent: { correlation_ids, f_cnt: 3 } })).toMatchObject({
      outcome: "sent",
      fCntDown: 3,
    });
    expect(read({ downlink_ack: {} })).toMatchObject({ outcome: "acknowledged", reference: "" });
    expect(read({ downlink_nack: {} })).toMatchObject({ outcome: "not_acknowledged" });
    const error = { name: "device_not_found", message_format: "no session" };
    expect(read({ downlink_failed: { downlink: { correlation_ids }, error } })).toMatchObject({
      outcome: "failed",
      reference: "r-1",
      reason: "no session",
    });
    expect(read({ location_solved: {} })).toBeUndefined();
  });

  it.each([
    ["no device", {}],
    ["a short dev_eui", { end_device_ids: { dev_eui: "01" } }],
    ["a text for a counter", { end_device_ids: ids, uplink_message: { f_cnt: "many" } }],
    ["a payload that is not base64", { end_device_ids: ids, uplink_message: { frm_payload: "%%" } }],
    ["receptions that are no list", { end_device_ids: ids, uplink_message: { rx_metadata: {} } }],
    ["a list", []],
  ])("with %s is refused", (_, message) => {
    expect(() => readThings(message)).toThrow(
      expect.objectContaining({ name: "ProtocolError", kind: "unexpected" }),
    );
  });

  it("of the simulator reads back as it was built", () => {
    const common = {
      devEui: fc.constant(devEui),
      deviceId: fc.constant("dev1"),
      application: fc.constant("app1"),
    };
    const at = fc.nat(4_000_000_000);
    const ups = fc.record({
      ...common,
      event: fc.constant("up" as const),
      at,
      fCnt: fc.nat(),
      fPort: fc.nat(223),
      devAddr: fc.constantFrom("", "00189440"),
      dataRate: fc.constantFrom("", "SF12BW125", "SF7BW250"),
      confirmed: fc.boolean(),
      payload: fc.uint8Array({ maxLength: 242 }),
      receptions: fc.constantFrom([], [{ gatewayId: "a", rssi: -70, snr: 0 }]),
    });
    const downs = fc.record({
      ...common,
      event: fc.constant("downlink" as const),
      at,
      deduplicationId: fc.constant(""),
      outcome: fc.constantFrom("queued", "sent", "acknowledged", "not_acknowledged", "failed"),
      reference: fc.constantFrom("", "r-1"),
      fCntDown: fc.option(fc.nat()),
      reason: fc.constant(""),
    });
    const again = (event: Exclude<ThingsEvent, { event: "status" }>) =>
      readThings(parseJson(buildThings(event)));
    fc.assert(
      fc.property(ups, (up) => {
        const time = new Date(up.at * 1000).toISOString();
        const deduplicationId = `${devEui}:up:k:${String(up.fCnt)}:${time}`;
        expect(again({ ...up, deduplicationId })).toEqual({ ...up, deduplicationId });
      }),
    );
    fc.assert(
      fc.property(downs, (down) => {
        expect(again(down)).toEqual(down);
      }),
    );
  });
});

describe("a downlink", () => {
  const down = { fPort: 15, payload: Uint8Array.of(0xbe, 0xef), confirmed: true, reference: "r-1" };

  it("round-trips", () => {
    expect(parseThingsDown(buildThingsDown(down))).toEqual([down]);
  });

  it("is the same for a webhook, whatever its names contain", () => {
    const webhook = { applicationId: "app1", webhookId: "a/b", deviceId: "dev1" };

    expect(thingsDownRequest(webhook, down, "key", "replace")).toMatchObject({
      path: "/api/v3/as/applications/app1/webhooks/a%2Fb/devices/dev1/down/replace",
      headers: { authorization: "Bearer key" },
      body: buildThingsDown(down),
    });
  });

  it("has a path that can be parsed, and nothing else is accepted as one", () => {
    const webhook = { applicationId: "app1", webhookId: "wh-1", deviceId: "dev1" };
    const { path } = thingsDownRequest(webhook, down, "key");

    expect(parseThingsPushPath(path)).toEqual(webhook);
    for (const other of [
      path.replace("push", "replace"),
      `${path}/`,
      path.replace("dev1", "..%2F"),
      path.replace("dev1", "a/b"),
      path.replace("/api", "/x/api"),
    ])
      expect(parseThingsPushPath(other), other).toBeUndefined();
  });

  it("needs a port for applications and fits into a frame", () => {
    expect(() => buildThingsDown({ ...down, fPort: 224 })).toThrow(RangeError);
    expect(() => buildThingsDown({ ...down, payload: new Uint8Array(243) })).toThrow(RangeError);
  });
});
