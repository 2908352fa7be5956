import { describe, expect, it } from "vitest";
import { readPush } from "./readings.ts";

describe("our own JSON", () => {
  it("has values by field and payloads, by device number or by id", () => {
    const values = { in1: 5.5, battery: null, colour: 7 };
    const items = readPush({
      readings: [
        { deviceID: " 12345678 ", time: 1_795_250_000, reference: "a-1", values },
        { device_id: 7, payload: "01 62", fPort: 2, fCnt: 9 },
        { deviceID: "1", msgType: 101, values: { tariff1: 1 } },
      ],
    });

    expect(items).toEqual([
      {
        device: { number: "12345678" },
        at: 1_795_250_000,
        name: "a-1",
        content: {
          kind: "readings",
          readings: [{ msgType: 1, at: 1_795_250_000, values: { in1: 5.5, battery: null } }],
          unknown: ["colour"],
        },
      },
      {
        device: { id: 7 },
        at: null,
        name: "",
        content: { kind: "payload", bytes: Uint8Array.of(1, 0x62), fPort: 2, fCnt: 9 },
      },
      {
        device: { number: "1" },
        at: null,
        name: "",
        content: {
          kind: "readings",
          readings: [{ msgType: 101, at: null, values: { tariff1: 1 } }],
          unknown: [],
        },
      },
    ]);
  });

  it.each([
    ["no list", { readings: {} }, "readings is not a list"],
    ["no device", { readings: [{ values: {} }] }, "readings[0] is not of one device"],
    [
      "two devices",
      { readings: [{ deviceID: "1", device_id: 1, values: {} }] },
      "readings[0] is not of one device",
    ],
    ["nothing to take", { readings: [{ deviceID: "1" }] }, "readings[0] is not of values or of payload"],
    ["both", { readings: [{ deviceID: "1", values: {}, payload: "01" }] }, "readings[0] is not of values"],
    ["a text for a value", { readings: [{ deviceID: "1", values: { in1: "5" } }] }, "readings[0].values.in1"],
    [
      "a time in milliseconds",
      { readings: [{ deviceID: "1", time: 1.8e12, values: {} }] },
      "readings[0].time",
    ],
    ["an unknown type", { readings: [{ deviceID: "1", msgType: 4, values: {} }] }, "readings[0].msgType"],
    ["no bytes", { readings: [{ deviceID: "1", payload: "" }] }, "readings[0].payload"],
    ["too many", { readings: Array.from({ length: 1001 }, () => ({})) }, "a list of at most 1000"],
  ])("with %s is refused and says where", (_, message, words) => {
    expect(() => readPush(message)).toThrow(
      expect.objectContaining({ name: "ProtocolError", message: expect.stringContaining(words) as string }),
    );
  });
});
