import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { DownlinkCommand, DownlinkFunctions } from "../core/command.ts";
import type { DeviceOrder, Obedience } from "../core/orders.ts";
import { milesightEm300 } from "./milesight.ts";

const driver = milesightEm300();
const { report_period, reset } = driver.commands as Required<DownlinkFunctions>;
const device = { insideAddr: "1", deviceID: "24e124", impulseWeight: 1, startingValue: 0 };
const hourly = report_period(device, { report_period: 3600, offset: 0 });
const restart = reset(device);

function answersOf(command: DownlinkCommand, obedience: Obedience) {
  const orders: DeviceOrder[] = [];
  const answers = driver.receive?.((order) => {
    orders.push(order);
    return obedience;
  })(command);
  return { orders, results: (answers ?? []).map(({ payload, fport }) => command.proof?.(payload, fport)) };
}

describe("commands of a Milesight EM300", () => {
  it("CTRL-057: are the bytes of the maker", () => {
    expect([hourly.fport, toHex(hourly.payload)]).toEqual([85, "ff03100e"]);
    expect([restart.fport, toHex(restart.payload)]).toEqual([85, "ff10ff"]);
    expect(() => report_period(device, { report_period: 86_400, offset: 0 })).toThrow("64800");
    expect(() => report_period(device, { report_period: 3600, offset: 60 })).toThrow("offset");
  });

  it("CTRL-106: a restart is done when the device reports it, a period when the device repeats it", () => {
    expect(answersOf(hourly, "obey")).toEqual({
      orders: [{ kind: "set", name: "report_period", value: 3600 }],
      results: [{ state: "done", read: { report_period: { report_period: 3600, offset: 0 } } }],
    });
    expect(answersOf(restart, "obey")).toEqual({
      orders: [{ kind: "restart" }],
      results: [undefined, { state: "done" }],
    });
    expect(answersOf(restart, "lie").results).toEqual([undefined]);
    expect(restart.proof?.(fromHex("fffeff"), 85)).toEqual({ state: "done" });
    expect(hourly.proof?.(fromHex("01755c03673401046865"), 85)).toBeUndefined();
    expect(hourly.proof?.(fromHex("fe033c00"), 85)).toBeUndefined();
    expect(hourly.proof?.(fromHex("00"), 85)).toBeUndefined();
    expect(answersOf(hourly, "refuse").results).toEqual([]);
  });

  it("an answer to a command gives no reading, and every byte of it is named", () => {
    for (const payload of [fromHex("fe03100e"), fromHex("fe10ff"), fromHex("ff0bff 01755a")]) {
      const spans = driver.explain(payload, 85);

      expect(spans.reduce((sum, span) => sum + span.bytes, 0)).toBe(payload.length);
    }
    expect(driver.decode(fromHex("fe10ff"), 85, device)).toEqual([]);
  });
});
