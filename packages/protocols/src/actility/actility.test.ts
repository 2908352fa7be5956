import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseJson } from "../core/json.ts";
import { buildActilityUp } from "./build.ts";
import { readActility } from "./reports.ts";
import { actilityDownlink, actilityDownPath, actilityTokenText } from "./token.ts";

const devEui = "0059ac000010020d";
/** Layout of the published example of KPN: numbers as texts. */
const report = {
  DevEUI_uplink: {
    Time: "2026-11-21T10:00:00.654+01:00",
    DevEUI: "0059AC000010020D",
    FPort: "2",
    FCntUp: "3",
    MType: "4",
    payload_hex: "00277c08",
    LrrRSSI: "-100.000000",
    LrrSNR: "5.750000",
    SpFact: "12",
    Lrrid: "080603DB",
    BatteryLevel: "254",
    Lrrs: {
      Lrr: [
        { Lrrid: "080E00C8", LrrRSSI: "-118.000000", LrrSNR: "-4.000000" },
        { Lrrid: "080603DB", LrrRSSI: "-100.000000", LrrSNR: "5.750000" },
      ],
    },
    CustomerID: "100006246",
    DevAddr: "14204399",
  },
};

describe("a report", () => {
  it("of an uplink has payload, port, counter, data rate, battery and receptions", () => {
    expect(readActility(report)).toEqual({
      event: "up",
      devEui,
      at: 1_795_251_600,
      application: "",
      deduplicationId: `${devEui}:up:14204399:3:2026-11-21T10:00:00.654+01:00`,
      devAddr: "14204399",
      fCnt: 3,
      fPort: 2,
      dataRate: "SF12BW125",
      confirmed: true,
      payload: Uint8Array.of(0, 0x27, 0x7c, 8),
      battery: 100,
      receptions: [
        { gatewayId: "080603DB", rssi: -100, snr: 5.75 },
        { gatewayId: "080E00C8", rssi: -118, snr: -4 },
      ],
    });
  });

  it("without a list of gateways has the gateway given outside it", () => {
    const { Lrrs: _, ...alone } = report.DevEUI_uplink;

    expect(readActility({ DevEUI_uplink: alone })).toMatchObject({
      receptions: [{ gatewayId: "080603DB", rssi: -100, snr: 5.75 }],
    });
  });

  it("reads a join, and the outcome of a downlink", () => {
    const notified = (Type: string) =>
      readActility({ DevEUI_notification: { DevEUI: devEui, DevAddr: "0405F519", Type } });
    expect(notified("join")).toMatchObject({ event: "join", devAddr: "0405f519" });
    expect(notified("reset")).toBeUndefined();
    const sent = (more: object) =>
      readActility({ DevEUI_downlink_Sent: { DevEUI: devEui, FCntDn: "1", CorrelationID: "AB", ...more } });
    expect(sent({ DeliveryStatus: "1", DeliveryFailedCause1: "C0" })).toMatchObject({
      outcome: "sent",
      reference: "AB",
      fCntDown: 1,
      reason: "",
    });
    expect(sent({ DeliveryStatus: 0, DeliveryFailedCause1: "D0", DeliveryFailedCause2: "00" })).toMatchObject(
      { outcome: "failed", reason: "D0" },
    );
    expect(readActility({ DevEUI_location: {} })).toBeUndefined();
  });

  it.each([
    ["a list", []],
    ["a short DevEUI", { DevEUI_uplink: { DevEUI: "01" } }],
    ["half a byte", { DevEUI_uplink: { DevEUI: devEui, payload_hex: "0" } }],
    ["a counter that is no number", { DevEUI_uplink: { DevEUI: devEui, FCntUp: "x" } }],
  ])("with %s is refused", (_, body) => {
    expect(() => readActility(body)).toThrow(
      expect.objectContaining({ name: "ProtocolError", kind: "unexpected" }),
    );
  });

  it("of the simulator reads back as it was built", () => {
    const up = readActility(report);
    if (up?.event !== "up") throw new Error("no uplink");
    const { battery: _, ...built } = up;

    expect(readActility(parseJson(buildActilityUp(built)))).toEqual({
      ...built,
      deduplicationId: `${devEui}:up:14204399:3:2026-11-21T09:00:00.000Z`,
    });
  });
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("a token", () => {
  const query = {
    LrnDevEui: "0059AC000010020D",
    LrnFPort: "2",
    LrnInfos: "TWA_100006246.167.AS-1-1361149",
    AS_ID: "hookbin",
    Time: "2016-07-05T08:58:26.911+02:00",
  };

  // Elements, key and token of the example that IoT Academy has published of KPN's ThingPark, 2016-07-05.
  it("of an uplink is that of the published example", () => {
    const { CustomerID, DevEUI, FPort, FCntUp } = report.DevEUI_uplink;
    const body = {
      DevEUI_uplink: { CustomerID, DevEUI, FPort, FCntUp, payload_hex: "00277c0878fd9b2e000000000000ffff" },
    };

    const text = actilityTokenText(body, query, "00112233445566778899aabbccddeeff");

    expect(sha256(text ?? "")).toBe("18f44bb294f9dd33b5168eeb92a0c7f9fa807914097dc9bb2ed5a789a65fad33");
  });

  it("does not exist for a body that is not a report", () => {
    expect(actilityTokenText({}, query, "key")).toBeUndefined();
  });
});

describe("a downlink", () => {
  it("hashes its query in the order in which it is sent", () => {
    const down = {
      devEui,
      fPort: 4,
      payload: Uint8Array.of(0xff, 1),
      confirmed: true,
      asId: "as.1",
      time: "2026-11-21T09:00:00.000+00:00",
    };

    const { query, text } = actilityDownlink(down, "key");

    expect(text).toBe(
      "DevEUI=0059AC000010020D&FPort=4&Payload=ff01&Confirmed=1&AS_ID=as.1&Time=2026-11-21T09:00:00.000+00:00key",
    );
    expect(actilityDownPath(query, "t0")).toContain("Time=2026-11-21T09%3A00%3A00.000%2B00%3A00&Token=t0");
  });
});
