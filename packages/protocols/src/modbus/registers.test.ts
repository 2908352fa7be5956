import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { decodeRow, encodeRow, type RegisterRow } from "./registers.ts";

describe("one register row", () => {
  const row = (extra: Partial<RegisterRow>): RegisterRow => ({
    address: 0,
    table: "input",
    type: "u32",
    field: "tariff0",
    msgType: 1,
    ...extra,
  });

  it.each([
    ["ABCD", "01020304"],
    ["CDAB", "03040102"],
    ["BADC", "02010403"],
    ["DCBA", "04030201"],
  ] as const)("in order %s", (order, hex) => {
    expect(toHex(encodeRow(row({ order }), 0x01020304))).toBe(hex);
    expect(decodeRow(row({ order }), fromHex(hex))).toBe(0x01020304);
  });

  it("rolls counters over and clamps signed values at their limits", () => {
    expect(toHex(encodeRow(row({}), 2 ** 32 + 5))).toBe("00000005");
    expect(toHex(encodeRow(row({ type: "i16" }), -40_000))).toBe("8000");
    expect(toHex(encodeRow(row({ type: "i32" }), 2 ** 40))).toBe("7fffffff");
  });

  it("round-trips for every type and byte order", () => {
    const types = fc.constantFrom("u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64");
    const orders = fc.constantFrom("ABCD", "CDAB", "BADC", "DCBA");
    fc.assert(
      fc.property(types, orders, fc.integer({ min: 0, max: 32_767 }), (type, order, value) => {
        const each = row({ type, order });
        expect(decodeRow(each, encodeRow(each, value))).toBe(value);
      }),
    );
  });
});
