import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import type { CommandFunctions, CommandResult } from "../core/command.ts";
import type { DeviceOrder, Obedience } from "../core/orders.ts";
import { failureOf, talk, type TestLine } from "../core/testing/testLine.ts";
import { mbus, type MbusOptions } from "./driver.ts";
import { explainBytes } from "./explain.ts";

const noon = Date.UTC(2026, 10, 20, 12) / 1000;
const optionsWith = (clock: string): MbusOptions => ({
  resource: "water",
  manufacturer: "KAM",
  version: 0x2d,
  medium: 7,
  utcOffsetMinutes: 480,
  records: [{ code: "0C 78" }, { code: clock }, { code: "04 13", field: "in1" }],
});

const targets = [
  ["minutes by primary address", "04 6D", { insideAddr: "5", deviceID: "00012345678" }, 0, 30],
  ["seconds by identity", "06 6D", { insideAddr: "12345678", deviceID: "x" }, 25, 0],
] as const;

describe.each(targets)("the clock of an M-Bus meter in %s", (_, code, device, second, middle) => {
  const driver = mbus(optionsWith(code));
  const { get_datetime, time_set } = driver.commands as Required<CommandFunctions>;
  const given = { time_set: "2026-11-20 21:30:25" };
  const wanted = Date.UTC(2026, 10, 20, 13, 30, second) / 1000;

  function aPark(obedience: Obedience = "obey") {
    const orders: DeviceOrder[] = [];
    const sent: Uint8Array[] = [];
    const meter = driver.respond(
      device,
      () => 1,
      () => noon,
      undefined,
      (order) => {
        if (obedience === "obey") orders.push(order);
        return obedience;
      },
    );
    const responder = {
      receive(bytes: Uint8Array) {
        sent.push(bytes);
        return meter.receive(bytes);
      },
    };
    return {
      orders,
      sent,
      set: (line: TestLine = {}) => talk(time_set(device, given), responder, line),
      responder,
    };
  }

  it("CTRL-046: is set to the nearest time that it can show", () => {
    const park = aPark();

    talk(time_set(device, { time_set: "2026-11-20 21:30:45" }), park.responder, {});

    const set = Date.UTC(2026, 10, 20, 13, code === "04 6D" ? 31 : 30, code === "04 6D" ? 0 : 45) / 1000;
    expect(park.orders).toEqual([{ kind: "clock", seconds: set - noon }]);
  });

  it("CTRL-106: the driver says its resolution", () => {
    expect(driver.clockStepSec).toBe(code === "04 6D" ? 60 : 1);
  });

  it("CTRL-106: is set, and read back", () => {
    const park = aPark();

    expect(park.set()).toEqual({ state: "done", read: { device_time: wanted + middle } });
    expect(park.orders).toEqual([{ kind: "clock", seconds: wanted - noon }]);
    expect(talk(get_datetime(device), park.responder)).toEqual({ device_time: wanted + middle });
  });

  it("CTRL-106: a meter that acknowledges and does not set it, or refuses, is not done", () => {
    expect(aPark("lie").set().state).toBe("refused");
    expect(aPark("refuse").set().state).toBe("unknown");
  });

  it("CTRL-108: is sent once, whatever is lost", () => {
    for (let lost = 1; lost <= 8; lost++)
      for (const line of [
        { spoil: (reply: Uint8Array, n: number) => (n === lost ? [] : [reply]) },
        { loseRequest: (n: number) => n === lost },
      ]) {
        const park = aPark();
        let result: CommandResult | undefined;
        const failure = failureOf(() => (result = park.set(line)));

        expect(park.orders.length).toBeLessThanOrEqual(1);
        if (failure) expect(park.orders).toEqual([]);
        if (failure) expect(park.sent.some((bytes) => bytes[6] === 0x51)).toBe(false);
        if (result?.state === "done") expect(park.orders).toHaveLength(1);
      }
  });

  it("every byte of the telegram is named", () => {
    const park = aPark();
    park.set();
    const frame = park.sent.find((bytes) => bytes[0] === 0x68 && bytes[6] === 0x51) ?? new Uint8Array();

    const spans = explainBytes(frame);

    expect(toHex(frame)).toContain(code.replace(" ", "").toLowerCase());
    expect(spans.reduce((sum, span) => sum + span.bytes, 0)).toBe(frame.length);
    expect(spans.map(({ name }) => name)).not.toContain("not_named");
  });
});

it("a meter whose telegram has no clock offers no command for it", () => {
  expect(
    Object.keys(mbus({ ...optionsWith("04 6D"), records: [{ code: "04 13", field: "in1" }] }).commands),
  ).toEqual(["now_value", "tariff", "read_info"]);
});
