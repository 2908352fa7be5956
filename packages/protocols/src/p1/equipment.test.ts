import { expect, it } from "vitest";
import { ProtocolError } from "../core/errors.ts";
import { p1Equipment } from "./equipment.ts";
import { encodeTelegram } from "./telegram.ts";

it("a meter sends its number as hexadecimal of its characters", () => {
  const telegram = encodeTelegram("MTR5\\2SIM-1", [
    "0-1:96.1.0(4747)",
    "0-0:96.1.1(4530303431)",
    "1-0:1.8.1(1*kWh)",
  ]);

  expect(p1Equipment(telegram)).toBe("E0041");
});

it("a number in plain text is unchanged, and that of a connected sub-meter is ignored", () => {
  expect(p1Equipment(encodeTelegram("MTR5", ["0-0:42.0.0(7340015)"]))).toBe("7340015");
  expect(p1Equipment(encodeTelegram("MTR5", ["0-0:96.1.1(30313)"]))).toBe("30313");
  expect(p1Equipment(encodeTelegram("MTR5", ["0-1:96.1.0(4747)"]))).toBeUndefined();
});

it("a damaged telegram is an error", () => {
  const telegram = encodeTelegram("MTR5\\2SIM-1", ["0-0:96.1.1(4530303431)"]);
  telegram[10] = 0x39;

  expect(() => p1Equipment(telegram)).toThrow(ProtocolError);
});
