import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import type { CommandResult } from "../core/command.ts";
import type { Responder } from "../core/conversation.ts";
import type { PollRequest } from "../core/driver.ts";
import { converse } from "../core/fuzz/replay.ts";
import { refusalOf } from "../core/testing/testRefusal.ts";
import { mercuryCommands } from "./commands.ts";
import { mercury230 } from "./driver.ts";
import type { MercuryOptions } from "./meter.ts";
import { constantOf } from "./reads.ts";
import {
  aMercury,
  answering,
  bodyOf,
  device,
  errorOf,
  full,
  meter,
  now,
  poll,
  stepsOf,
} from "./testMeter.ts";

const none = (): never => {
  throw new Error("the driver has no such command");
};

describe("the driver", () => {
  it("tells which archives a meter keeps, and for how long", () => {
    expect(mercury230()).toMatchObject({ kind: "line", protocol: "mercury230", namesSerial: true });
    expect(mercury230().archives).toEqual([
      { msgType: 101, period: 86_400, depthSec: 172_800 },
      { msgType: 103, period: "month", depthSec: 31_536_000 },
    ]);
    expect(mercury230({ profile: { memoryBytes: 131_072 } }).archives[0]).toEqual({
      msgType: 5,
      period: 1800,
      depthSec: 8192 * 1800,
    });
  });

  it("reads what a meter of one phase has, in the units of its fields", () => {
    const options: MercuryOptions = { phases: 1, tariffs: 1, keeps: ["aMinus", "rPlus", "rMinus"] };
    const state = (field: string) => (field === "cos0" ? 0.5 : field.length);
    const responder = mercury230(options).respond(device, state, () => now);
    const [counters, states] = poll({ kind: "now" }, options, responder);

    expect(counters?.values).toEqual({
      tariff0: 7,
      tariff1: 7,
      tariff_negative0: 16,
      tariff_negative1: 16,
      tariff_reactive0: 16,
      tariff_reactive1: 16,
      tariff_reactive_negative0: 25,
      tariff_reactive_negative1: 25,
    });
    expect(states).toEqual({
      msgType: 2,
      at: null,
      meterAt: now,
      values: {
        voltage1: 8,
        current1: 8,
        cos0: 0.5,
        Frequency: 9,
        power_active: 12,
        power_reactive: 14,
        power_apparent: 14,
      },
    });
  });

  it("reads what a meter of three phases has", () => {
    expect(Object.keys(poll({ kind: "now" })[1]?.values ?? {})).toEqual([
      ...["voltage1", "voltage2", "voltage3", "current1", "current2", "current3"],
      ...["cos0", "cos1", "cos2", "cos3", "Frequency", "coruu1", "coruu2"],
      ...["power_active", "power_active1", "power_active2", "power_active3"],
      ...["power_reactive", "power_reactive1", "power_reactive2", "power_reactive3"],
      ...["power_apparent", "power_apparent1", "power_apparent2", "power_apparent3"],
    ]);
  });

  it("fails when the meter refuses a momentary value otherwise than as one that it lacks", () => {
    expect(errorOf(() => poll({ kind: "now" }, full, answering({ "081651": "02" })))).toMatchObject({
      kind: "refused",
      detail: 2,
    });
  });

  it.each([
    ["winter", {}, 0, "01"],
    ["summer of a meter without it", {}, 0, "00"],
    ["summer", { hasSummerTime: true }, -3600, "00"],
    ["winter of a meter with a summer", { hasSummerTime: true }, 0, "01"],
    ["another zone", { utcOffsetMinutes: 480 }, -5 * 3600, "01"],
  ] as const)("reads the clock of a meter in %s", (_, options, seconds, season) => {
    const responder = answering({ "0400": `00100007221126${season}` });

    expect(poll({ kind: "now" }, { tariffs: 1, ...options }, responder)[0]?.meterAt).toBe(now + seconds);
  });

  it("prefers the zone of the device, on both sides of the line", () => {
    const own = { ...device, utcOffsetMinutes: 420 };
    const driver = mercury230({ tariffs: 1 });
    const [counters] = converse(
      driver.poll({ kind: "now" }, own),
      driver.respond(
        own,
        () => 1,
        () => now,
      ),
    );

    expect(counters?.meterAt).toBe(now);
    expect(converse(driver.commands.get_datetime?.(own) ?? none(), meter())).toEqual({
      device_time: now - 4 * 3600,
    });
  });
});

describe("counters at the start of days and months", () => {
  const day = Date.UTC(2026, 10, 21, 21) / 1000;
  const atsOf = (request: Omit<Extract<PollRequest, { kind: "archive" }>, "kind">, responder?: Responder) =>
    poll({ kind: "archive", ...request }, full, responder ?? meter()).map(({ at }) => at);

  it("are those from the first moment asked for to the last, which is not included", () => {
    expect(atsOf({ msgType: 101, from: day, to: day + 1 })).toEqual([day]);
    expect(atsOf({ msgType: 101, from: day + 1, to: day + 2 })).toEqual([]);
    expect(atsOf({ msgType: 101, from: day - 86_400, to: day })).toEqual([day - 86_400]);
    expect(atsOf({ msgType: 101, from: 0, to: now })).toEqual([day - 86_400, day]);
    expect(atsOf({ msgType: 103, from: 0, to: now })).toHaveLength(12);
    expect(atsOf({ msgType: 103, from: 0, to: now })[0]).toBe(Date.UTC(2025, 11, 1) / 1000 - 10_800);
  });

  it("are asked for as far back as wanted, nothing else", () => {
    const asked = (from: number, to: number, msgType: number) =>
      stepsOf(mercury230({ tariffs: 1 }).poll({ kind: "archive", msgType, from, to }, device))
        .map(bodyOf)
        .slice(1, -1);

    expect(asked(day, now, 101)).toEqual(["0400", "050000", "050001", "054000", "054001"]);
    expect(asked(day - 86_400, day, 101).slice(3)).toEqual(["054000", "054001", "055000", "055001"]);
    expect(asked(0, day - 86_400, 101)).toEqual(["0400"]);
    expect(asked(Date.UTC(2026, 8, 30, 21) / 1000, now, 103).slice(3)).toEqual([
      ...["053b00", "053b01", "053a00", "053a01"],
    ]);
  });

  it("are unknown when more was consumed than was counted, or a counter is not kept", () => {
    const less = answering({
      "050000": "00000a00 00000a00 ffffffff 00000a00",
      "054000": "00000b00 00000a00 00000100 ffffffff",
    });
    const [reading] = poll({ kind: "archive", msgType: 101, from: day, to: day + 1 }, full, less);

    expect(reading).toMatchObject({
      msgType: 101,
      at: day,
      meterAt: day,
      values: {
        tariff0: null,
        tariff_negative0: 0,
        tariff_reactive0: null,
        tariff_reactive_negative0: null,
        tariff1: 26.973,
      },
    });
  });
});

describe("the power profile", () => {
  const last = "0813";
  const request = (from: number, to: number) => ({ kind: "archive", msgType: 5, from, to }) as const;

  it.each([
    ["00", 5000],
    ["01", 25_000],
    ["02", 1250],
    ["03", 500],
    ["04", 1000],
    ["f5", 250],
  ])("has the constant of variant %s: %i pulses", (code, constant) => {
    expect(constantOf(fromHex(`b4${code}`))).toBe(constant);
  });

  it("of an unknown variant is not read", () => {
    for (const variant of ["b406", "b40f", ""])
      expect(refusalOf(() => constantOf(fromHex(variant)))).toMatchObject({ kind: "unsupported" });
    expect(errorOf(() => poll(request(0, now), full, answering({ "0812": "b40f" })))?.kind).toBe(
      "unsupported",
    );
  });

  it("is power: pulses of the interval by its part of an hour and twice the constant", () => {
    const start = now - 600 - 1800;
    const options: MercuryOptions = { ...full, profile: { memoryBytes: 65_536, constant: 500 } };
    const record = "0800002211261e e803 ffff 0100 feff";
    const [reading] = poll(request(start, start + 1), options, answering({ "060381000f": record }));

    expect(reading).toEqual({
      msgType: 5,
      at: start,
      meterAt: start,
      values: { power_a_plus: 2, power_a_minus: null, power_r_plus: 0.002, power_r_minus: 131.068 },
    });
  });

  it("of a meter with a summer is an hour ahead where its record says so", () => {
    const start = now - 600 - 1800 - 3600;
    const options: MercuryOptions = { ...full, hasSummerTime: true };
    const record = "0000002211261ee803ffff0100feff";

    const alone = answering({ "060381000f": record, "060380f00f": "ff".repeat(15) });
    expect(poll(request(start, start + 1), options, alone)).toHaveLength(1);
  });

  it("of long ago is found without reading all that is newer", () => {
    const to = now - 40 * 86_400 - 600;
    const steps = stepsOf(mercury230(full).poll(request(to - 3600, to), device));

    expect(steps.map(bodyOf).slice(3, -1)).toEqual([
      ...["060381000f", "060309100f", "060309100f", "060309000f", "060308f00f", "060308e00f"],
    ]);
  });

  it("of a meter without a record or a period is refused", () => {
    const refused = (answer: string) =>
      refusalOf(() => poll(request(0, now), full, answering({ [last]: answer })));

    expect(refused("81000800000000001e")).toEqual({ kind: "unexpected", offset: 8 });
    expect(refused("810008000022112600")).toEqual({ kind: "unexpected", offset: undefined });
  });

  it("of which the newest place is empty has nothing", () => {
    const empty = answering({ "060381000f": "ff".repeat(15) });

    expect(poll(request(0, now), full, empty)).toEqual([]);
  });

  it("is read over the middle of a memory of twice the size", () => {
    const options: MercuryOptions = { ...full, profile: { memoryBytes: 131_072 } };
    const middle = Math.floor((now + 10_800) / 1800 / 8192) * 8192 * 1800 + 4096 * 1800 - 10_800;
    const found = poll(request(middle - 3600, middle + 3600), options, meter(options));

    expect(found.map(({ at }) => at)).toEqual([0, 1, 2, 3].map((at) => middle - 3600 + at * 1800));
  });
});

describe("commands", () => {
  const commands = mercuryCommands(() => aMercury);

  it("limit power up to 41.94303 kW, in no other mode", () => {
    const limited = (given: Parameters<typeof commands.limit>[1]): CommandResult =>
      converse(commands.limit(device, given), meter());

    expect(limited({ limit: 41.94303 })).toMatchObject({ state: "done" });
    expect(refusalOf(() => limited({ limit: 41.94304 }))).toMatchObject({ kind: "unsupported" });
    expect(refusalOf(() => limited({ limit: 1, limit_mode: 0 }))).toMatchObject({
      kind: "unsupported",
    });
  });

  it("switch the load on", () => {
    expect(converse(commands.power(device, { power: 1 }), meter())).toEqual({
      state: "done",
      read: { power: 1, relay_state: 1 },
    });
    expect(converse(commands.relay_state(device), meter())).toEqual({ power: 1, relay_state: 1 });
  });

  it("set the clock in the season that the meter has", () => {
    const asked: string[] = [];
    const summer = answering({ "0400": "0010000722112600" });
    const listening: Responder = {
      receive: (bytes) => (asked.push(toHex(bytes.subarray(1, -2))), summer.receive(bytes)),
    };

    converse(commands.time_set(device, { time_set: "2026-11-22 00:10" }), listening);

    expect(asked).toContain("030c0010000722112600");
  });
});
