import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtocolError } from "../core/errors.ts";
import {
  buildChirpStackDown,
  buildChirpStackEvent,
  buildChirpStackUp,
  chirpStackDownRequest,
  parseChirpStackDown,
} from "./build.ts";
import { parseChirpStackEvent, type ChirpStackEvent, type UpEvent } from "./events.ts";
import { loraOfChirpStack } from "./lora.ts";
import {
  chirpStackDownTopic,
  chirpStackEvents,
  formatChirpStackTopic,
  parseChirpStackTopic,
} from "./topic.ts";

const devEui = "0102030405060708";
const deviceInfo = { applicationId: "app-1", deviceName: "Meter 7", devEui };

describe("a topic", () => {
  it("has application, device and event, with or without a prefix", () => {
    expect(parseChirpStackTopic("application/app-1/device/0102030405060708/event/up")).toEqual({
      prefix: "",
      applicationId: "app-1",
      devEui,
      event: "up",
    });
    expect(parseChirpStackTopic("eu868/a/application/app-1/device/A102030405060708/event/join")).toEqual({
      prefix: "eu868/a",
      applicationId: "app-1",
      devEui: "a102030405060708",
      event: "join",
    });
  });

  it.each([
    "application/app-1/device/0102030405060708/command/down",
    "application/app-1/device/01020304/event/up",
    "application/app-1/device/0102030405060708/event/other",
    "application/a/b/device/0102030405060708/event/up",
    "",
  ])("%s is no event", (topic) => {
    expect(parseChirpStackTopic(topic)).toBeUndefined();
  });

  it("of every event round-trips", () => {
    for (const event of chirpStackEvents) {
      const topic = { prefix: "eu868", applicationId: "app-1", devEui, event };
      expect(parseChirpStackTopic(formatChirpStackTopic(topic))).toEqual(topic);
    }
    expect(chirpStackDownTopic({ prefix: "", applicationId: "app-1", devEui })).toBe(
      `application/app-1/device/${devEui}/command/down`,
    );
  });
});

describe("an event", () => {
  it("DEV-035: up has payload, port, counter and receptions, the strongest first", () => {
    const body = JSON.stringify({
      deduplicationId: "5b3f",
      time: "2026-11-21T09:00:00.123456789+00:00",
      deviceInfo,
      devAddr: "00189440",
      adr: true,
      dr: 3,
      fCnt: 71,
      fPort: 2,
      confirmed: true,
      data: "AWIG",
      rxInfo: [
        { gatewayId: "b", rssi: -110, snr: -3.5 },
        { gatewayId: "a", rssi: -70, snr: 9 },
      ],
      txInfo: { frequency: 868100000 },
    });

    expect(parseChirpStackEvent("up", body)).toEqual({
      event: "up",
      deduplicationId: "5b3f",
      at: 1_795_251_600,
      devEui,
      deviceName: "Meter 7",
      applicationId: "app-1",
      devAddr: "00189440",
      dr: 3,
      fCnt: 71,
      fPort: 2,
      confirmed: true,
      payload: Uint8Array.of(1, 0x62, 6),
      receptions: [
        { gatewayId: "a", rssi: -70, snr: 9 },
        { gatewayId: "b", rssi: -110, snr: -3.5 },
      ],
    });
  });

  it("treats missing fields as zero, as in proto3", () => {
    expect(parseChirpStackEvent("up", JSON.stringify({ deviceInfo }))).toMatchObject({
      at: null,
      dr: 0,
      fCnt: 0,
      fPort: 0,
      confirmed: false,
      payload: new Uint8Array(0),
      receptions: [],
    });
  });

  it("of every other kind has its own fields", () => {
    const parse = (event: (typeof chirpStackEvents)[number], body: object) =>
      parseChirpStackEvent(event, JSON.stringify({ deviceInfo, ...body }));

    expect(parse("join", { devAddr: "00189440" })).toMatchObject({ event: "join", devAddr: "00189440" });
    expect(parse("ack", { queueItemId: "q", acknowledged: true, fCntDown: 4 })).toMatchObject({
      queueItemId: "q",
      acknowledged: true,
      fCntDown: 4,
    });
    expect(parse("txack", { queueItemId: "q", gatewayId: "a" })).toMatchObject({
      gatewayId: "a",
      fCntDown: 0,
    });
    expect(parse("status", { margin: 10, batteryLevel: 75.5 })).toMatchObject({ batteryLevel: 75.5 });
    expect(parse("status", { batteryLevelUnavailable: true })).toMatchObject({ batteryLevel: null });
    expect(parse("log", { level: "ERROR", code: "UPLINK_CODEC", description: "bad" })).toMatchObject({
      level: "ERROR",
      code: "UPLINK_CODEC",
    });
    expect(parse("location", {})).toMatchObject({ event: "location", devEui });
  });

  it.each([
    ["not JSON", "{"],
    ["a list", "[]"],
    ["no device", "{}"],
    ["a short devEui", JSON.stringify({ deviceInfo: { devEui: "01" } })],
    ["a text for a number", JSON.stringify({ deviceInfo, fCnt: "many" })],
    ["a payload that is not base64", JSON.stringify({ deviceInfo, data: "%%" })],
    ["receptions that are no list", JSON.stringify({ deviceInfo, rxInfo: {} })],
  ])("with %s is refused", (_, body) => {
    expect(() => parseChirpStackEvent("up", body)).toThrow(
      expect.objectContaining({ name: "ProtocolError", kind: "unexpected" }),
    );
  });

  it("of the simulator reads back as it was built", () => {
    const counter = fc.nat(0xffff);
    const ups = fc.record({
      deduplicationId: fc.uuid(),
      at: fc.option(fc.nat(4_000_000_000)),
      devEui: fc.constant(devEui),
      deviceName: fc.string(),
      applicationId: fc.string(),
      devAddr: fc.constantFrom("", "00189440"),
      fCnt: counter,
      fPort: fc.nat(223),
      dr: fc.nat(5),
      confirmed: fc.boolean(),
      payload: fc.uint8Array(),
      receptions: fc.constantFrom([], [{ gatewayId: "a", rssi: -70, snr: 0 }]),
    });
    fc.assert(
      fc.property(ups, (up: Omit<UpEvent, "event">) => {
        expect(parseChirpStackEvent("up", buildChirpStackUp(up))).toEqual({ event: "up", ...up });
      }),
    );
  });

  it("throws nothing but ProtocolError on random JSON", () => {
    const objects = fc.object({
      key: fc.constantFrom("deviceInfo", "devEui", "data", "rxInfo", "fCnt", "time"),
    });
    fc.assert(
      fc.property(fc.constantFrom(...chirpStackEvents), fc.oneof(objects, fc.json()), (event, value) => {
        const inside = typeof value === "object" ? { deviceInfo, ...value } : value;
        try {
          parseChirpStackEvent(event, typeof inside === "string" ? inside : JSON.stringify(inside));
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("an event in the common form of all network servers", () => {
  const head = {
    deduplicationId: "d",
    at: 1_795_250_000,
    devEui,
    deviceName: "Meter 7",
    applicationId: "app-1",
  };
  const read = (event: ChirpStackEvent) =>
    loraOfChirpStack(parseChirpStackEvent(event.event, buildChirpStackEvent(event)));

  it("has the progress of a downlink", () => {
    const down = { queueItemId: "q", fCntDown: 4 };
    expect(read({ ...head, ...down, event: "txack", gatewayId: "a" })).toMatchObject({
      event: "downlink",
      outcome: "sent",
      reference: "q",
      fCntDown: 4,
      application: "app-1",
    });
    expect(read({ ...head, ...down, event: "ack", acknowledged: true })).toMatchObject({
      outcome: "acknowledged",
    });
    expect(read({ ...head, ...down, event: "ack", acknowledged: false })).toMatchObject({
      outcome: "not_acknowledged",
    });
    const remark = { ...head, event: "log", level: "ERROR", description: "too long" } as const;
    expect(read({ ...remark, code: "DOWNLINK_PAYLOAD_SIZE" })).toMatchObject({
      outcome: "failed",
      reason: "too long",
    });
    expect(read({ ...remark, code: "UPLINK_CODEC" })).toBeUndefined();
    expect(read({ ...remark, level: "WARNING", code: "EXPIRED" })).toMatchObject({ outcome: "failed" });
  });

  it("has the battery level of a status, and none if the device is on mains", () => {
    const status = { ...head, event: "status", margin: 7, externalPowerSource: false } as const;

    expect(read({ ...status, batteryLevel: 80 })).toMatchObject({ battery: 80, margin: 7 });
    expect(read({ ...status, batteryLevel: null })).toMatchObject({ battery: null });
    expect(read({ ...status, externalPowerSource: true, batteryLevel: 0 })).toMatchObject({ battery: null });
  });

  it("has the data rate as spreading factor and bandwidth if the modulation is described", () => {
    const lora = { bandwidth: 125_000, spreadingFactor: 7 };
    const rateOf = (txInfo: object) => {
      const event = parseChirpStackEvent("up", JSON.stringify({ deviceInfo, dr: 5, txInfo }));
      return loraOfChirpStack(event);
    };

    expect(rateOf({ modulation: { lora } })).toMatchObject({ dataRate: "SF7BW125" });
    expect(rateOf({ frequency: 868_100_000 })).toMatchObject({ dataRate: "DR5" });
  });

  it.each([
    ["a port above a byte", { fPort: 256 }],
    ["a broken counter", { fCnt: 1.5 }],
    ["a counter beyond 32 bits", { fCnt: 4_294_967_296 }],
    ["a payload longer than any frame", { data: "A".repeat(4 * 300) }],
  ])("%s is refused", (_, body) => {
    expect(() => parseChirpStackEvent("up", JSON.stringify({ deviceInfo, ...body }))).toThrow(ProtocolError);
  });
});

describe("a down command", () => {
  it("is the same for the HTTP interface", () => {
    const down = { devEui, confirmed: false, fPort: 4, payload: Uint8Array.of(255, 1), reference: "r" };

    expect(chirpStackDownRequest(down, "secret")).toEqual({
      method: "POST",
      path: `/api/devices/${devEui}/queue`,
      headers: { "content-type": "application/json", "grpc-metadata-authorization": "Bearer secret" },
      body: JSON.stringify({ queueItem: { id: "r", confirmed: false, fPort: 4, data: "/wE=" } }),
    });
  });

  it("tells the server when to drop it from the queue of the device", () => {
    const down = { devEui, confirmed: false, fPort: 4, payload: Uint8Array.of(1), validUntil: 1_795_250_000 };
    const expiresAt = "2026-11-21T08:33:20.000Z";

    expect(JSON.parse(buildChirpStackDown(down))).toMatchObject({ expiresAt });
    expect(JSON.parse(chirpStackDownRequest(down, "t").body)).toMatchObject({ queueItem: { expiresAt } });
    expect(parseChirpStackDown(buildChirpStackDown(down))).toEqual(down);
  });

  it("round-trips", () => {
    const down = { devEui, confirmed: true, fPort: 4, payload: Uint8Array.of(255, 1) };

    expect(parseChirpStackDown(buildChirpStackDown(down))).toEqual(down);
  });

  it("needs a port for applications", () => {
    expect(() =>
      buildChirpStackDown({ devEui, confirmed: false, fPort: 0, payload: new Uint8Array(0) }),
    ).toThrow(RangeError);
    expect(() => parseChirpStackDown(JSON.stringify({ devEui }))).toThrow(ProtocolError);
  });
});
