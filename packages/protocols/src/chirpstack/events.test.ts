import { describe, expect, it } from "vitest";
import { refusalOf } from "../core/testing/testRefusal.ts";
import {
  buildChirpStackDown,
  buildChirpStackEvent,
  buildChirpStackUp,
  chirpStackDownRequest,
  parseChirpStackDown,
} from "./build.ts";
import { parseChirpStackEvent, type ChirpStackEvent } from "./events.ts";
import { loraOfChirpStack } from "./lora.ts";
import {
  chirpStackDownTopic,
  chirpStackEvents,
  formatChirpStackTopic,
  parseChirpStackTopic,
} from "./topic.ts";

const devEui = "0102030405060708";
const deviceInfo = { applicationId: "app-1", deviceName: "Meter 7", devEui };
const common = {
  deduplicationId: "d-1",
  at: 1_795_251_600,
  devEui,
  deviceName: "Meter 7",
  applicationId: "app-1",
};
const time = "2026-11-21T09:00:00.000Z";

/** Every kind of event with its fields. Source: ChirpStack v4 documentation, Event types. */
const events: readonly (readonly [ChirpStackEvent, object])[] = [
  [{ ...common, event: "join", devAddr: "00189440" }, { devAddr: "00189440" }],
  [
    { ...common, event: "ack", queueItemId: "q", acknowledged: true, fCntDown: 4 },
    { queueItemId: "q", acknowledged: true, fCntDown: 4 },
  ],
  [{ ...common, event: "ack", queueItemId: "", acknowledged: false, fCntDown: 0 }, {}],
  [
    { ...common, event: "txack", queueItemId: "q", fCntDown: 4, gatewayId: "a" },
    { queueItemId: "q", fCntDown: 4, gatewayId: "a" },
  ],
  [
    { ...common, event: "status", margin: -7, externalPowerSource: true, batteryLevel: 75.5 },
    { margin: -7, externalPowerSource: true, batteryLevel: 75.5 },
  ],
  [
    { ...common, event: "status", margin: 0, externalPowerSource: false, batteryLevel: null },
    { batteryLevelUnavailable: true },
  ],
  [
    { ...common, event: "log", level: "ERROR", code: "UPLINK_CODEC", description: "bad" },
    { level: "ERROR", code: "UPLINK_CODEC", description: "bad" },
  ],
  [{ ...common, event: "location" }, {}],
  [{ ...common, event: "integration" }, {}],
];

describe("a topic", () => {
  it("is of one of eight events, with the device in small letters", () => {
    expect(chirpStackEvents).toEqual([
      "up",
      "join",
      "ack",
      "txack",
      "status",
      "log",
      "location",
      "integration",
    ]);
    const topic = { prefix: "eu868/a", applicationId: "app-1", devEui: "A102030405060708" };
    expect(formatChirpStackTopic({ ...topic, event: "txack" })).toBe(
      "eu868/a/application/app-1/device/a102030405060708/event/txack",
    );
    expect(chirpStackDownTopic(topic)).toBe("eu868/a/application/app-1/device/a102030405060708/command/down");
    expect(parseChirpStackTopic("x/application//device/0102030405060708/event/up")).toBeUndefined();
  });
});

describe("an event", () => {
  it.each(events)("%j has its own fields beside those of all, zeros left out", (event, own) => {
    const body = { time, deduplicationId: "d-1", deviceInfo, ...own };

    expect(parseChirpStackEvent(event.event, JSON.stringify(body))).toEqual(event);
    expect(JSON.parse(buildChirpStackEvent(event))).toEqual(body);
  });

  it("without a time, a name or an application is built without them", () => {
    const bare = { ...common, at: null, deviceName: "", applicationId: "", deduplicationId: "" };

    expect(JSON.parse(buildChirpStackEvent({ ...bare, event: "join", devAddr: "" }))).toEqual({
      deviceInfo: { devEui },
    });
    expect(JSON.parse(buildChirpStackEvent({ ...bare, event: "location" }))).toEqual({
      deviceInfo: { devEui },
    });
  });

  it("of an uplink is built as it is read", () => {
    const up = {
      ...common,
      devAddr: "00189440",
      fCnt: 71,
      fPort: 2,
      dr: 5,
      confirmed: true,
      payload: Uint8Array.of(1, 0x62, 6),
      receptions: [
        { gatewayId: "a", rssi: -70, snr: 0 },
        { gatewayId: "", rssi: -80, snr: -2 },
      ],
    };
    const built = {
      time,
      deviceInfo,
      deduplicationId: "d-1",
      devAddr: "00189440",
      fCnt: 71,
      fPort: 2,
      dr: 5,
      confirmed: true,
      data: "AWIG",
      rxInfo: [
        { gatewayId: "a", rssi: -70 },
        { rssi: -80, snr: -2 },
      ],
    };

    expect(JSON.parse(buildChirpStackUp(up))).toEqual(built);
    expect(JSON.parse(buildChirpStackEvent({ ...up, event: "up" }))).toEqual(built);
    expect(parseChirpStackEvent("up", JSON.stringify(built))).toEqual({
      ...up,
      event: "up",
      dataRate: undefined,
    });
  });

  it.each([
    [{ fCnt: 4_294_967_295 }, { fCnt: 4_294_967_295 }],
    [{ fPort: 255 }, { fPort: 255 }],
    [{ dr: 255 }, { dr: 255 }],
    [{ data: "A".repeat(682) + "==" }, { payload: new Uint8Array(511) }],
  ])("may have the largest of its values (%#)", (body, expected) => {
    expect(parseChirpStackEvent("up", JSON.stringify({ deviceInfo, ...body }))).toMatchObject(expected);
  });

  it.each([
    ["message", "up", []],
    ["deviceInfo.devEui", "up", { deviceInfo: {} }],
    ["deviceInfo.deviceName", "up", { deviceInfo: { ...deviceInfo, deviceName: 5 } }],
    ["deviceInfo.applicationId", "up", { deviceInfo: { ...deviceInfo, applicationId: 5 } }],
    ["deduplicationId", "up", { deviceInfo, deduplicationId: 5 }],
    ["time", "up", { deviceInfo, time: 5 }],
    ["devAddr", "up", { deviceInfo, devAddr: 5 }],
    ["fCnt", "up", { deviceInfo, fCnt: -1 }],
    ["fCnt", "up", { deviceInfo, fCnt: 4_294_967_296 }],
    ["fPort", "up", { deviceInfo, fPort: -1 }],
    ["fPort", "up", { deviceInfo, fPort: 256 }],
    ["dr", "up", { deviceInfo, dr: 256 }],
    ["dr", "up", { deviceInfo, dr: -1 }],
    ["confirmed", "up", { deviceInfo, confirmed: 1 }],
    ["data", "up", { deviceInfo, data: 5 }],
    ["rxInfo", "up", { deviceInfo, rxInfo: {} }],
    ["rxInfo[0].gatewayId", "up", { deviceInfo, rxInfo: [{ gatewayId: 5 }] }],
    ["rxInfo[0].rssi", "up", { deviceInfo, rxInfo: [{ rssi: "x" }] }],
    ["rxInfo[0].snr", "up", { deviceInfo, rxInfo: [{ snr: "x" }] }],
    [
      "txInfo.modulation.lora.bandwidth",
      "up",
      { deviceInfo, txInfo: { modulation: { lora: { bandwidth: "x" } } } },
    ],
    ["acknowledged", "ack", { deviceInfo, acknowledged: 1 }],
    ["queueItemId", "ack", { deviceInfo, queueItemId: 1 }],
    ["fCntDown", "txack", { deviceInfo, fCntDown: -1 }],
    ["fCntDown", "txack", { deviceInfo, fCntDown: 4_294_967_296 }],
    ["gatewayId", "txack", { deviceInfo, gatewayId: 1 }],
    ["margin", "status", { deviceInfo, margin: "x" }],
    ["externalPowerSource", "status", { deviceInfo, externalPowerSource: 1 }],
    ["batteryLevelUnavailable", "status", { deviceInfo, batteryLevelUnavailable: 1 }],
    ["batteryLevel", "status", { deviceInfo, batteryLevel: "x" }],
    ["level", "log", { deviceInfo, level: 1 }],
    ["code", "log", { deviceInfo, code: 1 }],
    ["description", "log", { deviceInfo, description: 1 }],
    ["devAddr", "join", { deviceInfo, devAddr: 1 }],
  ] as const)("with a wrong %s of %s is refused by its name", (path, event, body) => {
    expect(() => parseChirpStackEvent(event, JSON.stringify(body))).toThrow(
      expect.objectContaining({
        kind: "unexpected",
        field: expect.objectContaining({ path }) as object,
      }) as Error,
    );
  });
});

describe("an event in the common form", () => {
  const head = { devEui, at: common.at, deduplicationId: "d-1", application: "app-1" };
  const up = {
    devAddr: "00189440",
    fCnt: 71,
    fPort: 2,
    confirmed: true,
    payload: Uint8Array.of(1),
    receptions: [{ gatewayId: "a", rssi: -70, snr: 9 }],
  };

  it("of an uplink, a join or a status has all of theirs", () => {
    expect(loraOfChirpStack({ ...common, ...up, event: "up", dr: 3 })).toEqual({
      ...head,
      ...up,
      event: "up",
      dataRate: "DR3",
    });
    expect(loraOfChirpStack({ ...common, event: "join", devAddr: "00189440" })).toEqual({
      ...head,
      event: "join",
      devAddr: "00189440",
    });
    const status = { ...common, event: "status", margin: 7, batteryLevel: 80 } as const;
    expect(loraOfChirpStack({ ...status, externalPowerSource: false })).toEqual({
      ...head,
      event: "status",
      margin: 7,
      battery: 80,
      externalPower: false,
    });
    expect(loraOfChirpStack({ ...status, externalPowerSource: true })).toMatchObject({
      battery: null,
      externalPower: true,
    });
  });

  it("of a downlink has its outcome", () => {
    const down = { ...common, queueItemId: "q", fCntDown: 4 };
    const outcome = { ...head, event: "downlink", reference: "q", fCntDown: 4, reason: "" };

    expect([
      loraOfChirpStack({ ...down, event: "txack", gatewayId: "a" }),
      loraOfChirpStack({ ...down, event: "ack", acknowledged: true }),
      loraOfChirpStack({ ...down, event: "ack", acknowledged: false }),
    ]).toEqual([
      { ...outcome, outcome: "sent" },
      { ...outcome, outcome: "acknowledged" },
      { ...outcome, outcome: "not_acknowledged" },
    ]);
  });

  // Source: LogCode of api/proto/integration/integration.proto.
  it.each([
    ["ERROR", "DOWNLINK_PAYLOAD_SIZE", true],
    ["ERROR", "DOWNLINK_CODEC", true],
    ["WARNING", "DOWNLINK_PAYLOAD_SIZE", false],
    ["WARNING", "EXPIRED", true],
    ["ERROR", "UPLINK_CODEC", false],
    ["ERROR", "OTAA", false],
  ])("of a log entry %s %s is a failed downlink: %s", (level, code, isFailed) => {
    const found = loraOfChirpStack({ ...common, event: "log", level, code, description: "why" });

    const failed = { event: "downlink", outcome: "failed", reference: "", fCntDown: null, reason: "why" };
    expect(found).toEqual(isFailed ? { ...head, ...failed } : undefined);
  });

  it("does not exist for places and other integrations", () => {
    expect(loraOfChirpStack({ ...common, event: "location" })).toBeUndefined();
    expect(loraOfChirpStack({ ...common, event: "integration" })).toBeUndefined();
  });
});

describe("a down command", () => {
  const down = { devEui: "0102030405060A0B", confirmed: true, fPort: 4, payload: Uint8Array.of(255, 1) };
  const item = { confirmed: true, fPort: 4, data: "/wE=" };

  it("names its device in small letters, and nothing that is not given", () => {
    expect(JSON.parse(buildChirpStackDown(down))).toEqual({ devEui: "0102030405060a0b", ...item });
    expect(JSON.parse(buildChirpStackDown({ ...down, reference: "r", validUntil: null }))).toEqual({
      id: "r",
      devEui: "0102030405060a0b",
      ...item,
    });
    const { path, body } = chirpStackDownRequest({ ...down, validUntil: 1_795_251_600 }, "t");
    expect(path).toBe("/api/devices/0102030405060a0b/queue");
    expect(JSON.parse(body)).toEqual({ queueItem: { ...item, expiresAt: time } });
  });

  it("that does not fit into a frame is refused by either way", () => {
    for (const wrong of [
      { ...down, fPort: 224 },
      { ...down, payload: new Uint8Array(243) },
    ]) {
      expect(() => buildChirpStackDown(wrong)).toThrow(RangeError);
      expect(() => chirpStackDownRequest(wrong, "t")).toThrow(RangeError);
    }
  });

  it("is read with what it has", () => {
    const referred = { ...down, devEui, reference: "r" };
    expect(parseChirpStackDown(buildChirpStackDown(referred))).toEqual(referred);
    expect(parseChirpStackDown(JSON.stringify({ devEui, fPort: 4 }))).toEqual({
      devEui,
      confirmed: false,
      fPort: 4,
      payload: new Uint8Array(),
    });
    for (const wrong of [{ id: 5 }, { confirmed: 1 }, { data: "%%" }, { devEui: "01" }, { expiresAt: 5 }])
      expect(
        refusalOf(() => parseChirpStackDown(JSON.stringify({ devEui, fPort: 4, ...wrong }))),
      ).toMatchObject({
        kind: "unexpected",
      });
  });
});
