import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import type { CommandResult } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceOrder, Obedience } from "../core/orders.ts";
import { failureOf, talk, type TestLine } from "../core/testing/testLine.ts";
import { mercuryCommands } from "./commands.ts";
import { explainMercury } from "./decode.ts";
import { mercury230 } from "./driver.ts";
import { closeFrame } from "./frame.ts";
import { requests } from "./requests.ts";
import { aMercury, device, full, now } from "./testMeter.ts";

const commands = mercuryCommands(() => aMercury);

/** A meter that records its orders. */
function aPark(obedience: Obedience = "obey") {
  const orders: DeviceOrder[] = [];
  const meter = mercury230(full).respond(
    device,
    () => 1,
    () => now,
    undefined,
    (order) => {
      if (obedience === "obey") orders.push(order);
      return obedience;
    },
  );
  return {
    orders,
    meter,
    ask<Result>(dialogue: Conversation<Result>, line: TestLine = {}): Result {
      return talk(dialogue, meter, line);
    },
  };
}

/** Every changing command, what is read back of it, and its orders. */
const changes: readonly (readonly [string, () => Conversation<CommandResult>, object])[] = [
  ["power", () => commands.power(device, { power: 0 }), { power: 0, relay_state: 0 }],
  ["limit", () => commands.limit(device, { limit: 7.5 }), { last_set_limit: 7.5 }],
  [
    "time_set",
    () => commands.time_set(device, { time_set: "2026-11-22 03:00" }),
    { device_time: now + 10_200 },
  ],
  ["time_correct", () => commands.time_correct(device, { time_correct: -20 }), { device_time: now - 20 }],
];

describe("commands of a Mercury 230", () => {
  it.each(changes)("CTRL-106: %s is done when the meter reads as wanted", (_, ask, read) => {
    const park = aPark();

    expect(park.ask(ask())).toEqual({ state: "done", read });
    expect(park.orders).toHaveLength(1);
  });

  it.each(changes)("%s that the meter refuses is refused, with its status", (_, ask) => {
    const park = aPark("refuse");

    expect(park.ask(ask())).toMatchObject({ state: "refused", reason: { detail: 2 } });
    expect(park.orders).toEqual([]);
  });

  it.each(changes)("CTRL-106: %s that a meter acknowledges and does not carry out is not done", (_, ask) => {
    expect(aPark("lie").ask(ask()).state).not.toBe("done");
  });

  it.each(changes)(
    "CTRL-108: %s is sent once whichever answer or request is lost, and is never called done without being done",
    (key, ask) => {
      let steps = 0;
      aPark().ask(ask(), { spoil: (reply, n) => ((steps = n), [reply]) });

      for (let lost = 1; lost <= steps; lost++) {
        const lines: TestLine[] = [
          { spoil: (reply, n) => (n === lost ? [] : [reply]) },
          { spoil: (reply, n) => (n >= lost ? [] : [reply]) },
          { loseRequest: (n) => n === lost },
        ];
        for (const line of lines) {
          const park = aPark();
          let result: CommandResult | undefined;
          const failure = failureOf(() => (result = park.ask(ask(), line)));

          expect(park.orders.length, key).toBeLessThanOrEqual(1);
          if (failure) expect(park.orders, `${key}, answer ${String(lost)}`).toEqual([]);
          if (result?.state === "done") expect(park.orders).toHaveLength(1);
          if (result?.state === "refused") expect(park.orders).toEqual([]);
        }
      }
    },
  );

  it("CTRL-108: a command is not repeated when the channel is said to be closed", () => {
    const park = aPark();
    let sent = 0;
    const closed = closeFrame(23, Uint8Array.of(5));
    const meter = {
      receive(bytes: Uint8Array) {
        if (bytes[1] !== 0x03) return park.meter.receive(bytes);
        sent += 1;
        return [closed];
      },
    };

    const result = talk(commands.power(device, { power: 0 }), meter);

    expect(result).toMatchObject({ state: "refused", reason: { detail: 5 } });
    expect(sent).toBe(1);
  });

  it("CTRL-106: a limit whose control the meter refuses is refused in part, with the limit that it has now", () => {
    const park = aPark();
    park.ask(commands.limit(device, { limit: 5 }));
    const refusing = {
      receive: (bytes: Uint8Array) =>
        bytes[1] === 0x03 && bytes[2] === 0x2d
          ? [closeFrame(23, Uint8Array.of(2))]
          : park.meter.receive(bytes),
    };

    expect(talk(commands.limit(device, { limit: 7.5 }), refusing)).toMatchObject({
      state: "refused",
      reason: { detail: 2 },
      partly: { last_set_limit: 7.5 },
    });
    const silent = {
      receive: (bytes: Uint8Array) =>
        bytes[1] === 0x03 && bytes[2] === 0x2d ? [] : park.meter.receive(bytes),
    };
    expect(talk(commands.limit(device, { limit: 9 }), silent)).toMatchObject({
      state: "unknown",
      partly: { last_set_limit: 9 },
    });
  });

  it("a meter without the read-back is believed", () => {
    const park = aPark();
    const lacking = closeFrame(23, Uint8Array.of(1));
    const meter = {
      receive: (bytes: Uint8Array) =>
        bytes[1] === 0x08 && bytes[2] === 0x18 ? [lacking] : park.meter.receive(bytes),
    };

    expect(talk(commands.power(device, { power: 0 }), meter)).toEqual({ state: "done", read: {} });
  });

  it("CTRL-023 CTRL-045: relay, limit and clock are read; a restart is sent", () => {
    const park = aPark();
    park.ask(commands.limit(device, { limit: 12 }));
    park.ask(commands.power(device, { power: 0 }));

    expect(park.ask(commands.relay_state(device))).toEqual({ power: 0, relay_state: 0 });
    expect(park.ask(commands.limit_state(device))).toEqual({ last_set_limit: 12 });
    expect(park.ask(commands.get_datetime(device))).toEqual({ device_time: now });
    expect(park.ask(commands.reset(device))).toEqual({ state: "done" });
    expect(park.orders).toContainEqual({ kind: "restart" });
  });

  it("a limit beyond its range is refused before anything is sent", () => {
    const park = aPark();

    expect(failureOf(() => park.ask(commands.limit(device, { limit: 42 })))).toMatchObject({
      kind: "unsupported",
    });
    expect(park.orders).toEqual([]);
  });

  it("the opening at level 2 is named when its password is masked", () => {
    const open = closeFrame(23, requests.open(2, new Uint8Array(6).fill(2)).body);
    const masked = open.map((byte, at) => (at >= 2 && at < 9 ? 0x2a : byte));

    const { sent } = explainMercury(masked, new Uint8Array());

    expect(toHex(mercury230().factoryPasswords?.[1] ?? [])).toBe("020202020202");
    expect(sent.slice(1, 4)).toMatchObject([
      { name: "code_open_the_channel" },
      { name: "level", value: null },
      { name: "password", bytes: 6 },
    ]);
  });

  it("the trace names what is written, and the state that is read", () => {
    const codes = (spans: ReturnType<typeof explainMercury>["sent"]) => spans.map(({ name }) => name);
    const sent = (...body: readonly number[]) => closeFrame(23, Uint8Array.from(body));
    const load = explainMercury(sent(0x03, 0x31, 0), sent(0));
    const limit = explainMercury(closeFrame(23, requests.powerLimit().body), sent(0x0b, 0xb0, 0x71));
    const clock = explainMercury(sent(0x03, 0x0c, 0x40, 0x20, 0x06, 0x06, 0x21, 0x11, 0x26, 1), sent(0));
    const correction = explainMercury(sent(0x03, 0x0d, 0x40, 0x20, 0x06), sent(0));

    expect(codes(load.sent)).toEqual(["device_address", "code_write", "write_load", "status", "crc"]);
    expect(codes(limit.received)).toEqual(["device_address", { code: "power_limit", unit: "W" }, "crc"]);
    expect(limit.received[1]).toMatchObject({ value: 7500 });
    expect(codes(clock.sent)).toEqual(["device_address", "code_write", "write_clock", "clock", "crc"]);
    expect(codes(correction.sent)).toContain("time_of_day");
  });
});
