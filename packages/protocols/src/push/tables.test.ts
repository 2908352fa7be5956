import { describe, expect, it } from "vitest";
import { readPush } from "./readings.ts";
import { namedValues } from "./values.ts";

const refused = (path: string, wanted: string, params: object = {}): unknown =>
  expect.objectContaining({ name: "ProtocolError", kind: "unexpected", field: { path, wanted, params } });
const one = (item: object) => readPush({ readings: [item] })[0];
const device = { deviceID: "1" };
const payload = { ...device, payload: "01" };

describe("an item of a push", () => {
  it.each([
    [0, 0],
    [253_402_300_799, 253_402_300_799],
    [null, null],
  ])("of the time %s is of %s", (time, at) => {
    expect(one({ ...device, values: {}, time })).toMatchObject({ at, content: { readings: [{ at }] } });
  });

  it.each([-1, 253_402_300_800, 0.5])("has no time of %d", (time) => {
    expect(() => one({ ...device, values: {}, time })).toThrow(
      refused("readings[0].time", "whole", { least: 0, most: 253_402_300_799 }),
    );
  });

  it.each([1, 2_147_483_647])("may name a device by its id %i", (id) => {
    expect(one({ device_id: id, values: {} })?.device).toEqual({ id });
  });

  it.each([0, 2_147_483_648])("names no device by the id %i", (id) => {
    expect(() => one({ device_id: id, values: {} })).toThrow(
      refused("readings[0].device_id", "whole", { least: 1, most: 2_147_483_647 }),
    );
  });

  it("is of one device and of one content, and says which item is not", () => {
    const right = { ...device, values: {} };

    expect(() => readPush({ readings: [right, { values: {} }] })).toThrow(
      refused("readings[1]", "one_device"),
    );
    expect(() => readPush({ readings: [right, { ...right, device_id: 1 }] })).toThrow(
      refused("readings[1]", "one_device"),
    );
    expect(() => readPush({ readings: [right, device] })).toThrow(refused("readings[1]", "one_content"));
    expect(() => readPush({ readings: [right, { ...right, payload: "01" }] })).toThrow(
      refused("readings[1]", "one_content"),
    );
  });

  it.each([
    [{}, { fPort: 0, fCnt: 0 }],
    [
      { fPort: 255, fCnt: 0xffff_ffff },
      { fPort: 255, fCnt: 0xffff_ffff },
    ],
  ])("with a payload and %o has port and counter", (given, expected) => {
    expect(one({ ...payload, ...given })?.content).toEqual({
      kind: "payload",
      bytes: Uint8Array.of(1),
      ...expected,
    });
  });

  it("has a port of a byte and a counter of four", () => {
    expect(() => one({ ...payload, fPort: 256 })).toThrow(
      refused("readings[0].fPort", "whole", { least: 0, most: 255 }),
    );
    expect(() => one({ ...payload, fCnt: 0x1_0000_0000 })).toThrow(
      refused("readings[0].fCnt", "whole", { least: 0, most: 0xffff_ffff }),
    );
  });

  it.each([" 0 1\nA b ", "01ab", "01AB"])("has a payload of hexadecimal digits: %o", (text) => {
    expect(one({ ...device, payload: text })?.content).toMatchObject({ bytes: Uint8Array.of(1, 0xab) });
  });

  it.each(["", " ", "0", "012", "0g", "x01"])("has no payload of %o", (text) => {
    expect(() => one({ ...device, payload: text })).toThrow(refused("readings[0].payload", "hex"));
  });

  it("has a payload of 512 bytes at most", () => {
    expect(one({ ...device, payload: "00".repeat(512) })?.content).toMatchObject({ kind: "payload" });
    expect(() => one({ ...device, payload: "00".repeat(513) })).toThrow(
      refused("payload", "bytes", { most: 512 }),
    );
  });

  it("is of a type of messages, of counters unless it says otherwise", () => {
    const typed = (msgType: number) => one({ ...device, values: {}, msgType })?.content;

    expect(one({ ...device, values: {} })?.content).toMatchObject({ readings: [{ msgType: 1 }] });
    expect(typed(2)).toMatchObject({ readings: [{ msgType: 2 }] });
    expect(() => typed(4)).toThrow(refused("readings[0].msgType", "message_type"));
    const range = { least: 1, most: 32_767 };
    expect(() => typed(32_767)).toThrow(refused("readings[0].msgType", "message_type"));
    for (const msgType of [0, 32_768])
      expect(() => typed(msgType)).toThrow(refused("readings[0].msgType", "whole", range));
  });

  it("is one of a thousand at most", () => {
    const item = { ...device, values: {} };

    expect(readPush({ readings: Array.from({ length: 1000 }, () => item) })).toHaveLength(1000);
    expect(() => readPush({ readings: Array.from({ length: 1001 }, () => item) })).toThrow(
      refused("readings", "few", { most: 1000 }),
    );
    expect(readPush({})).toEqual([]);
  });
});

describe("named values", () => {
  it("are those of fields, and the other names, each a number or nothing", () => {
    const entries = [
      ["in1", 5],
      ["colour", null],
      ["battery", null],
    ] as const;

    expect(namedValues(entries, "at")).toEqual({ values: { in1: 5, battery: null }, unknown: ["colour"] });
    for (const value of ["5", true, undefined, Number.NaN, Number.POSITIVE_INFINITY, {}])
      expect(() => namedValues([["colour", value]], "at")).toThrow(refused("at.colour", "number"));
  });

  it("are 200 at most", () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => [`n${String(at)}`, 1] as const);

    expect(namedValues(many(200), "at").unknown).toHaveLength(200);
    expect(() => namedValues(many(201), "at")).toThrow(refused("at", "few", { most: 200 }));
    expect(() => one({ ...device, values: Object.fromEntries(many(201)) })).toThrow(
      refused("readings[0].values", "few", { most: 200 }),
    );
    expect(() => one({ ...device, values: { in1: "x" } })).toThrow(
      refused("readings[0].values.in1", "number"),
    );
  });
});
