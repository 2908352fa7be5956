import { describe, expect, test } from "vitest";
import type { Obedience, TakeOrder } from "../core/orders.ts";
import { talk } from "../core/testing/testLine.ts";
import { readAtClock, writeAtClock } from "./clock.ts";
import { atDriver } from "./driver.ts";

const device = { insideAddr: "", deviceID: "", utcOffsetMinutes: 480 };
const now = 1_770_000_000;
const { commands } = atDriver;

function aModem(does: Obedience = "obey") {
  const orders: unknown[] = [];
  const takeOrder: TakeOrder = (order) => {
    orders.push(order);
    return does;
  };
  const meter = atDriver.respond(
    device,
    () => 0,
    () => now,
    undefined,
    takeOrder,
  );
  return { meter, orders };
}
const run = <Result>(dialogue: Parameters<typeof talk<Result>>[0] | undefined, modem = aModem()) => {
  if (!dialogue) throw new Error("no such command");
  return talk(dialogue, modem.meter);
};

describe("a modem by AT commands", () => {
  test("writes its clock as 3GPP TS 27.007 shows it: local time, and quarters of an hour to GMT", () => {
    const text = '"94/05/06,22:10:00+08"';

    expect(readAtClock(`\r\n+CCLK: ${text}\r\n`)).toEqual({
      local: Date.UTC(2094, 4, 6, 22, 10) / 1000,
      offsetMinutes: 120,
    });
    expect(writeAtClock(Date.UTC(2094, 4, 6, 22, 10) / 1000, 120)).toBe(text);
    expect(writeAtClock(0, -570)).toBe('"70/01/01,00:00:00-38"');
    expect(() => readAtClock('+CCLK: "26/02/31,00:00:00+00"')).toThrow("no time");
  });

  test("GWCTRL-013 tells its clock", () => {
    expect(run(commands.get_datetime?.(device))).toEqual({ device_time: now });
  });

  test("GWCTRL-014 is set to a time of its location, once, and read back", () => {
    const modem = aModem();

    const result = run(commands.time_set?.(device, { time_set: "2026-02-02 12:00:00" }), modem);

    expect(result).toEqual({ state: "done", read: { device_time: Date.UTC(2026, 1, 2, 4) / 1000 } });
    expect(modem.orders).toEqual([{ kind: "clock", seconds: Date.UTC(2026, 1, 2, 4) / 1000 - now }]);
  });

  test("GWCTRL-012 corrects its clock by seconds", () => {
    const modem = aModem();

    expect(run(commands.time_correct?.(device, { time_correct: -17 }), modem)).toEqual({
      state: "done",
      read: { device_time: now - 17 },
    });
    expect(modem.orders).toEqual([{ kind: "clock", seconds: -17 }]);
  });

  test("GWCTRL-001 restarts with one command", () => {
    const modem = aModem();

    expect(run(commands.reset?.(device), modem)).toEqual({ state: "done" });
    expect(modem.orders).toEqual([{ kind: "restart" }]);
  });

  test("GWCTRL-002 tells its signal in dBm", () => {
    expect(run(commands.signal_level?.(device))).toEqual({ gateway_settings: { signal_level: -71 } });
  });

  test.each(["refuse", "lie"] as const)("that does otherwise (%s) is never done", (does) => {
    const set = run(commands.time_set?.(device, { time_set: "2026-02-02 12:00" }), aModem(does));
    const corrected = run(commands.time_correct?.(device, { time_correct: 20 }), aModem(does));

    expect([set, corrected]).toMatchObject([{ state: "refused" }, { state: "refused" }]);
  });

  test("whose answer is lost has an unknown outcome", () => {
    const { meter } = aModem();
    const reset = commands.reset?.(device);

    const result = reset && talk(reset, meter, { spoil: () => [] });

    expect(result).toMatchObject({ state: "unknown", reason: { kind: "timeout" } });
  });
});
