import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHex } from "../core/bytes.ts";
import { ProtocolError } from "../core/errors.ts";
import { putInChecks } from "./blocks.ts";
import { buildTelegram, type TelegramPlan } from "./encode.ts";
import { wmbusName, wmbusNames, wmbusSender } from "./identity.ts";

const key = fromHex("000102030405060708090a0b0c0d0e0f");
const records = fromHex("0c13 78563412 0b3b 270100");
const meter = {
  manufacturer: "MTR",
  id: "12345678",
  version: 0x1b,
  medium: 7,
  accessNumber: 1,
  counter: 9,
  key,
} as const;
const module = { manufacturer: "RAD", id: "87654321", version: 2, medium: 0x37 } as const;

describe("the sender of a telegram", () => {
  it.each<readonly [string, TelegramPlan]>([
    ["without protection", { ...meter, security: "none" }],
    ["in mode 5", { ...meter, security: "mode5" }],
    ["in mode 7", { ...meter, security: "mode7" }],
    ["under the extended link layer", { ...meter, security: "extended" }],
    ["sent by a radio module", { ...meter, security: "mode5", module }],
  ])("is known without the key: %s", (_, plan) => {
    const found = wmbusSender(buildTelegram(records, plan));

    expect(wmbusName(found)).toBe("MTR-12345678-1B-07");
  });

  it("is found with the checksums of the radio frame", () => {
    const telegram = putInChecks(buildTelegram(records, { ...meter, security: "mode5" }), "A");

    expect(wmbusSender(telegram).id).toBe("12345678");
  });

  it("is that of the radio header if the telegram ends after it", () => {
    expect(wmbusName(wmbusSender(fromHex("0b 44 9236 78563412 1b07 72 78")))).toBe("MTR-12345678-1B-07");
  });

  it("has several notations, the most exact first", () => {
    expect(wmbusNames(wmbusSender(buildTelegram(records, { ...meter, security: "none" })))).toEqual([
      "mtr-12345678-1b-07",
      "mtr-12345678",
      "mtr 12345678",
      "mtr12345678",
      "12345678",
    ]);
  });

  it("throws nothing but ProtocolError for random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          wmbusSender(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
