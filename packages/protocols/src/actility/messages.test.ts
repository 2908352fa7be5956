import { describe, expect, it } from "vitest";
import { parseJson } from "../core/json.ts";
import type { LoraUp } from "../lorawan/event.ts";
import { buildActilityUp } from "./build.ts";
import { actilityReportOf, actilityReports, readActility } from "./reports.ts";
import { actilityDownlink, actilityDownPath, actilityTokenText } from "./token.ts";

const devEui = "0059ac000010020d";
const DevEUI = "0059AC000010020D";
const Time = "2026-11-21T09:00:00.000Z";
const common = { devEui, at: 1_795_251_600, application: "" };
const up: LoraUp = {
  ...common,
  event: "up",
  deduplicationId: `${devEui}:up:14204399:3:${Time}`,
  devAddr: "14204399",
  fCnt: 3,
  fPort: 2,
  dataRate: "SF9BW125",
  confirmed: false,
  payload: Uint8Array.of(0, 0x27, 0x7c, 8),
  receptions: [
    { gatewayId: "a", rssi: -100, snr: 5.75 },
    { gatewayId: "b", rssi: -118, snr: -4 },
  ],
};
const uplink = {
  Time,
  DevEUI,
  FPort: "2",
  FCntUp: "3",
  MType: "2",
  payload_hex: "00277c08",
  LrrRSSI: "-100.000000",
  LrrSNR: "5.750000",
  Lrrid: "a",
  SpFact: "9",
  Lrrs: {
    Lrr: [
      { Lrrid: "a", LrrRSSI: "-100.000000", LrrSNR: "5.750000" },
      { Lrrid: "b", LrrRSSI: "-118.000000", LrrSNR: "-4.000000" },
    ],
  },
  CustomerID: "100000000",
  DevAddr: "14204399",
};

describe("a report", () => {
  it("is one of three", () => {
    expect(actilityReports).toEqual(["DevEUI_uplink", "DevEUI_notification", "DevEUI_downlink_Sent"]);
    for (const name of actilityReports) expect(actilityReportOf({ [name]: {} })).toBe(name);
    expect(actilityReportOf({ DevEUI_location: {} })).toBeUndefined();
  });

  it("of an uplink is built as it is read", () => {
    expect(readActility({ DevEUI_uplink: uplink })).toEqual(up);
    expect(parseJson(buildActilityUp(up))).toEqual({ DevEUI_uplink: uplink });
    const bare = { ...up, at: null, confirmed: true, dataRate: "", receptions: [], devAddr: "0a" };
    expect(parseJson(buildActilityUp(bare, "7"))).toEqual({
      DevEUI_uplink: {
        ...{ DevEUI, FPort: "2", FCntUp: "3", MType: "4", payload_hex: "00277c08", SpFact: "12" },
        ...{ Lrrs: { Lrr: [] }, CustomerID: "7", DevAddr: "0A" },
      },
    });
  });

  const read = (more: object) => readActility({ DevEUI_uplink: { DevEUI, ...more } });

  it("of an uplink without its parts has none of them", () => {
    expect(read({})).toEqual({
      ...common,
      at: null,
      event: "up",
      deduplicationId: `${devEui}:up::0:`,
      devAddr: "",
      fCnt: 0,
      fPort: 0,
      dataRate: "",
      confirmed: false,
      payload: new Uint8Array(),
      receptions: [],
    });
  });

  it.each([
    [0, undefined],
    [1, 0],
    [127, 50],
    [128, 50],
    [254, 100],
    ["254", 100],
    [255, undefined],
  ])("with the battery level %j has %j percent", (BatteryLevel, battery) => {
    const event = read({ BatteryLevel });

    expect(event && "battery" in event ? event.battery : undefined).toBe(battery);
  });

  it.each([
    ["0", false],
    ["2", false],
    ["4", true],
    [4, true],
    ["5", false],
  ])("of the message type %j is confirmed: %s", (MType, confirmed) => {
    expect(read({ MType })).toMatchObject({ confirmed });
  });

  it("has the gateways of its list, or the one beside it", () => {
    const alone = { Lrrid: "c", LrrRSSI: "-90", LrrSNR: "1" };
    const Lrr = [
      { Lrrid: "a", LrrRSSI: -100, LrrSNR: 2 },
      { Lrrid: "b", LrrRSSI: -80, LrrSNR: 3 },
    ];

    expect(read(alone)).toMatchObject({ receptions: [{ gatewayId: "c", rssi: -90, snr: 1 }] });
    expect(read({ ...alone, Lrrs: { Lrr } })).toMatchObject({
      receptions: [
        { gatewayId: "b", rssi: -80, snr: 3 },
        { gatewayId: "a", rssi: -100, snr: 2 },
      ],
    });
    expect(read({ Lrrid: "c" })).toMatchObject({ receptions: [] });
  });

  it("of a join is told in any case, other notifications are not", () => {
    const notified = (Type: string) =>
      readActility({ DevEUI_notification: { DevEUI, DevAddr: "0405F519", Time, Type } });

    expect(notified("JOIN")).toEqual({ ...common, event: "join", deduplicationId: "", devAddr: "0405f519" });
    expect(notified("")).toBeUndefined();
  });

  it("of a downlink has its outcome, with the causes of a failure", () => {
    const sent = (more: object) => readActility({ DevEUI_downlink_Sent: { DevEUI, Time, ...more } });
    const outcome = { ...common, event: "downlink", deduplicationId: "", reference: "", fCntDown: null };

    expect(sent({ DeliveryStatus: "1", DeliveryFailedCause1: "D0" })).toEqual({
      ...outcome,
      outcome: "sent",
      reason: "",
    });
    expect(
      sent({
        ...{ DeliveryStatus: "0", CorrelationID: "AB", FCntDn: 4_294_967_295 },
        ...{ DeliveryFailedCause1: "A0", DeliveryFailedCause2: "B1", DeliveryFailedCause3: "C2" },
      }),
    ).toEqual({
      ...outcome,
      outcome: "failed",
      reference: "AB",
      fCntDown: 4_294_967_295,
      reason: "A0 B1 C2",
    });
    expect(sent({ DeliveryFailedCause1: "00", DeliveryFailedCause3: "C2" })).toMatchObject({ reason: "C2" });
    expect(sent({ DeliveryStatus: "2" })).toMatchObject({ outcome: "failed", reason: "" });
  });

  it.each([
    ["message", []],
    ["DevEUI_uplink.DevEUI", { DevEUI_uplink: { DevEUI: "01" } }],
    ["DevEUI_notification.DevEUI", { DevEUI_notification: {} }],
    ["DevEUI_uplink.Time", { DevEUI_uplink: { DevEUI, Time: 5 } }],
    ["DevEUI_uplink.FCntUp", { DevEUI_uplink: { DevEUI, FCntUp: -1 } }],
    ["DevEUI_uplink.FCntUp", { DevEUI_uplink: { DevEUI, FCntUp: 4_294_967_296 } }],
    ["DevEUI_uplink.FPort", { DevEUI_uplink: { DevEUI, FPort: -1 } }],
    ["DevEUI_uplink.FPort", { DevEUI_uplink: { DevEUI, FPort: 256 } }],
    ["DevEUI_uplink.DevAddr", { DevEUI_uplink: { DevEUI, DevAddr: 5 } }],
    ["DevEUI_uplink.SpFact", { DevEUI_uplink: { DevEUI, SpFact: "x" } }],
    ["DevEUI_uplink.MType", { DevEUI_uplink: { DevEUI, MType: "x" } }],
    ["DevEUI_uplink.Lrrs.Lrr", { DevEUI_uplink: { DevEUI, Lrrs: { Lrr: {} } } }],
    ["DevEUI_uplink.BatteryLevel", { DevEUI_uplink: { DevEUI, BatteryLevel: "x" } }],
    ["payload_hex", { DevEUI_uplink: { DevEUI, payload_hex: "0" } }],
    ["payload_hex", { DevEUI_uplink: { DevEUI, payload_hex: "0g" } }],
    ["payload", { DevEUI_uplink: { DevEUI, payload_hex: "00".repeat(513) } }],
    ["DevEUI_notification.Type", { DevEUI_notification: { DevEUI, Type: 5 } }],
    ["DevEUI_notification.DevAddr", { DevEUI_notification: { DevEUI, Type: "join", DevAddr: 5 } }],
    ["DevEUI_downlink_Sent.FCntDn", { DevEUI_downlink_Sent: { DevEUI, FCntDn: -1 } }],
    ["DevEUI_downlink_Sent.FCntDn", { DevEUI_downlink_Sent: { DevEUI, FCntDn: 4_294_967_296 } }],
    ["DevEUI_downlink_Sent.CorrelationID", { DevEUI_downlink_Sent: { DevEUI, CorrelationID: 5 } }],
    ["DevEUI_downlink_Sent.DeliveryStatus", { DevEUI_downlink_Sent: { DevEUI, DeliveryStatus: "x" } }],
  ])("with a wrong %s is refused by its name", (path, body) => {
    expect(() => readActility(body)).toThrow(
      expect.objectContaining({
        kind: "unexpected",
        field: expect.objectContaining({ path }) as object,
      }) as Error,
    );
  });

  it("may have the largest counter and port", () => {
    expect(read({ FCntUp: 4_294_967_295, FPort: 255 })).toMatchObject({ fCnt: 4_294_967_295, fPort: 255 });
  });
});

describe("the text of a token", () => {
  const query = { Time: "t", AS_ID: "as", LrnInfos: "i", LrnFPort: "2", LrnDevEui: "e", Other: "o" };

  it.each([
    [
      "DevEUI_uplink",
      { CustomerID: "1", DevEUI: "2", FPort: "3", FCntUp: 4, payload_hex: "05", FCntDn: "9" },
      "123405",
    ],
    ["DevEUI_uplink", { CustomerID: "1", DevEUI: "2", FCntUp: "4" }, "1204"],
    ["DevEUI_uplink", { FPort: "" }, "0"],
    ["DevEUI_downlink_Sent", { CustomerID: "1", DevEUI: "2", FPort: "3", FCntDn: "4", FCntUp: "9" }, "1234"],
    ["DevEUI_downlink_Sent", { CustomerID: true, DevEUI: "2" }, "20"],
    ["DevEUI_notification", { CustomerID: "1", DevEUI: "2", FPort: "3" }, "12"],
  ])("of %s has its elements %j, the query and the key", (report, elements, text) => {
    expect(actilityTokenText({ [report]: elements }, query, "key")).toBe(
      `${text}LrnDevEui=e&LrnFPort=2&LrnInfos=i&AS_ID=as&Time=tkey`,
    );
    expect(actilityTokenText({ [report]: elements }, { Time: "t" }, "key")).toBe(`${text}Time=tkey`);
    expect(actilityTokenText({ [report]: elements }, {}, "key")).toBe(`${text}key`);
  });
});

describe("a downlink", () => {
  const down = {
    devEui,
    fPort: 4,
    payload: Uint8Array.of(0xff, 1),
    confirmed: false,
    asId: "as.1",
    time: "t:1",
  };

  it("has its query in the order in which it is hashed", () => {
    const { query, text } = actilityDownlink(down, "key");

    expect(query).toEqual([
      ["DevEUI", DevEUI],
      ["FPort", "4"],
      ["Payload", "ff01"],
      ["AS_ID", "as.1"],
      ["Time", "t:1"],
    ]);
    expect(text).toBe(`DevEUI=${DevEUI}&FPort=4&Payload=ff01&AS_ID=as.1&Time=t:1key`);
    expect(actilityDownlink({ ...down, confirmed: true, reference: "00ab" }, "").text).toBe(
      `DevEUI=${DevEUI}&FPort=4&Payload=ff01&Confirmed=1&AS_ID=as.1&Time=t:1&CorrelationID=00ab`,
    );
    expect(actilityDownPath(query, "t0")).toBe(
      `/thingpark/lrc/rest/downlink?DevEUI=${DevEUI}&FPort=4&Payload=ff01&AS_ID=as.1&Time=t%3A1&Token=t0`,
    );
  });

  it("that does not fit into a frame is refused", () => {
    expect(() => actilityDownlink({ ...down, fPort: 224 }, "")).toThrow(RangeError);
    expect(() => actilityDownlink({ ...down, payload: new Uint8Array(243) }, "")).toThrow(RangeError);
  });
});
