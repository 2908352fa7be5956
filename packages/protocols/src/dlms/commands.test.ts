import type { CommandKey } from "@metrum/vocabulary";
import { describe, expect, it } from "vitest";
import { toHex } from "../core/bytes.ts";
import type { CommandResult } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import type { DeviceOrder, Obedience } from "../core/orders.ts";
import { failureOf, talk, type TestLine } from "../core/testing/testLine.ts";
import { dlms } from "./driver.ts";
import type { DlmsOptions } from "./options.ts";
import { spodes } from "./spodes.ts";
import { aMeter, authentications, device, now, options } from "./testing/testMeter.ts";

type Commands = ReturnType<typeof dlms>["commands"];
type Ask<Result> = (commands: Required<Commands>) => Conversation<Result>;

/** A meter that records its orders. */
function aPark(of: DlmsOptions, obedience: () => Obedience = () => "obey") {
  const orders: DeviceOrder[] = [];
  const meter = aMeter(of, { maxPdu: 200, maxInfo: 64 }, device, (order) => {
    const how = obedience();
    if (how === "obey") orders.push(order);
    return how;
  });
  const commands = dlms(of).commands as Required<Commands>;
  return {
    orders,
    ask<Result>(ask: Ask<Result>, line: TestLine = {}): Result {
      return talk(ask(commands), meter, line);
    },
  };
}

const schedule = { tariff0: ["23:00"], tariff1: ["07:00"] };
const holidays = { shedule: { tariff0: ["00:00"] }, day_list: ["01-01", "07-11"] };

/** Every changing command, with what is read back of it. */
const changes = [
  ["power", (of) => of.power(device, { power: 0 }), { power: 0, relay_state: 0 }],
  ["limit", (of) => of.limit(device, { limit: 7.5 }), { last_set_limit: 7.5 }],
  ["time_set", (of) => of.time_set(device, { time_set: "2026-11-20 21:00:05" }), { device_time: now + 3005 }],
  ["time_correct", (of) => of.time_correct(device, { time_correct: -20 }), { device_time: now - 20 }],
  ["time_correct2", (of) => of.time_correct2(device, { time_correct2: 3600.5 }), { device_time: now + 3600 }],
  ["set_shedule_tariff", (of) => of.set_shedule_tariff(device, schedule), { last_shedule_tariff: schedule }],
  [
    "set_special_day",
    (of) => of.set_special_day(device, holidays),
    { last_special_shedule_day: holidays.day_list, last_special_shedule_tariff: holidays.shedule },
  ],
] as const satisfies readonly (readonly [CommandKey, Ask<CommandResult>, object])[];

const transports = [
  ["HDLC", options({ authentication: authentications.gmac })],
  ["wrapper", options({ transport: "wrapper" })],
] as const;

describe.each(transports)("commands over %s", (_, of) => {
  it.each(changes)("CTRL-106: %s is done when the meter reads as wanted", (_key, ask, read) => {
    const park = aPark(of);

    expect(park.ask(ask)).toEqual({ state: "done", read });
    expect(park.orders.length).toBeGreaterThan(0);
  });

  it.each(changes)("%s that the meter refuses is refused, with its code", (_key, ask) => {
    const result = aPark(of, () => "refuse").ask(ask);

    expect(result).toMatchObject({ state: "refused", reason: { detail: 2 } });
  });

  it.each(changes)(
    "CTRL-106: %s that a meter acknowledges and does not carry out is not done",
    (_key, ask) => {
      expect(aPark(of, () => "lie").ask(ask)).toMatchObject({ state: "refused" });
    },
  );

  it.each(changes)(
    "CTRL-108: %s is sent once whichever answer is lost, and is never called done without being done",
    (key, ask) => {
      const whole = aPark(of);
      let steps = 0;
      whole.ask(ask, { spoil: (reply, n) => ((steps = n), [reply]) });

      for (let lost = 1; lost <= steps; lost++)
        for (const isLineDead of [false, true]) {
          const park = aPark(of);
          let result: CommandResult | undefined;
          const failure = failureOf(() => {
            const spoil = (reply: Uint8Array, n: number) =>
              n === lost || (isLineDead && n > lost) ? [] : [reply];
            result = park.ask(ask, { spoil });
          });

          expect(park.orders.length).toBeLessThanOrEqual(whole.orders.length);
          if (failure) expect(park.orders, `${key}, answer ${String(lost)}`).toEqual([]);
          if (result?.state === "done") expect(park.orders).toEqual(whole.orders);
          if (result?.state === "refused") expect(park.orders).toEqual([]);
        }
    },
  );

  it.each(changes)("CTRL-108: %s whose request is lost is not repeated blindly", (_key, ask) => {
    const whole = aPark(of);
    let steps = 0;
    whole.ask(ask, { spoil: (reply, n) => ((steps = n), [reply]) });

    for (let lost = 1; lost <= steps; lost++) {
      const park = aPark(of);
      let result: CommandResult | undefined;
      failureOf(() => (result = park.ask(ask, { loseRequest: (n) => n === lost })));

      expect(park.orders.length).toBeLessThanOrEqual(whole.orders.length);
      if (result?.state === "done") expect(park.orders).toEqual(whole.orders);
    }
  });
});

describe("CTRL-106 CTRL-108 special days of which a meter takes the schedule and refuses the days", () => {
  const of = options({ authentication: authentications.gmac });
  const parkThatRefuses = (isRefused: (order: number) => boolean) => {
    let order = 0;
    return aPark(of, () => (isRefused(++order) ? "refuse" : "obey"));
  };
  const other = { shedule: { tariff0: ["00:00"], tariff1: ["06:00"] }, day_list: ["12-31"] };

  it("are refused in part, with what the meter has now", () => {
    const whole = aPark(of);
    whole.ask((commands) => commands.set_special_day(device, holidays));
    const last = whole.orders.length;
    expect(last).toBeGreaterThan(1);
    const park = parkThatRefuses((order) => order === 2 * last);
    park.ask((commands) => commands.set_special_day(device, holidays));

    expect(park.ask((commands) => commands.set_special_day(device, other))).toMatchObject({
      state: "refused",
      reason: { detail: 2 },
      partly: { last_special_shedule_day: holidays.day_list, last_special_shedule_tariff: other.shedule },
    });
  });

  it("are done if the days were the wanted ones before", () => {
    const park = parkThatRefuses((order) => order > 1 && order % 2 === 0 && order > 2);
    park.ask((commands) => commands.set_special_day(device, holidays));

    expect(
      park.ask((commands) => commands.set_special_day(device, { ...other, day_list: holidays.day_list })),
    ).toMatchObject({ state: "done", read: { last_special_shedule_tariff: other.shedule } });
  });

  it("are unknown if the meter cannot be read then", () => {
    let steps = 0;
    const counted = parkThatRefuses((order) => order === 2);
    counted.ask((commands) => commands.set_special_day(device, holidays), {
      spoil: (reply, n) => ((steps = n), [reply]),
    });
    const results = Array.from({ length: steps }, (_, lost) => {
      const park = parkThatRefuses((order) => order === 2);
      let result: CommandResult | undefined;
      failureOf(() => {
        const spoil = (reply: Uint8Array, n: number) => (n > lost ? [] : [reply]);
        result = park.ask((commands) => commands.set_special_day(device, holidays), { spoil });
      });
      return { result, isChanged: park.orders.length > 0 };
    });

    expect(results.some(({ result }) => result?.state === "unknown" && result.partly !== undefined)).toBe(
      true,
    );
    for (const { result, isChanged } of results)
      if (isChanged && result?.state === "refused") expect(result.partly).toBeDefined();
  });
});

describe("the state of a DLMS meter", () => {
  const of = options({ authentication: authentications.gmac });

  it("CTRL-023 CTRL-045 CTRL-051 SPECDAY-011: is read: relay, limit, clock, schedule, special days", () => {
    const park = aPark(of);
    park.ask((commands) => commands.set_shedule_tariff(device, schedule));
    park.ask((commands) => commands.set_special_day(device, holidays));

    const read = [
      park.ask((commands) => commands.relay_state(device)),
      park.ask((commands) => commands.limit_state(device)),
      park.ask((commands) => commands.get_datetime(device)),
      park.ask((commands) => commands.get_shedule_tariff(device)),
      park.ask((commands) => commands.get_special_day(device)),
    ];

    expect(read).toEqual([
      { power: 1, relay_state: 1 },
      { last_set_limit: 15 },
      { device_time: now },
      { last_shedule_tariff: schedule },
      { last_special_shedule_day: holidays.day_list, last_special_shedule_tariff: holidays.shedule },
    ]);
  });

  it("SPECDAY-009: a new schedule keeps the special days, and new special days the schedule", () => {
    const park = aPark(of);
    const three = { tariff0: ["10:00", "21:00"], tariff1: ["17:00", "23:00"], tariff2: ["07:00"] };

    park.ask((commands) => commands.set_special_day(device, holidays));
    park.ask((commands) => commands.set_shedule_tariff(device, three));
    park.ask((commands) => commands.set_special_day(device, { ...holidays, day_list: ["12-31"] }));

    expect(park.ask((commands) => commands.get_shedule_tariff(device))).toEqual({
      last_shedule_tariff: three,
    });
    expect(park.ask((commands) => commands.get_special_day(device))).toEqual({
      last_special_shedule_day: ["12-31"],
      last_special_shedule_tariff: holidays.shedule,
    });
  });

  it("CTRL-024: is switched off and on again", () => {
    const park = aPark(of);

    park.ask((commands) => commands.power(device, { power: 0 }));
    const on = park.ask((commands) => commands.power(device, { power: 1 }));

    expect(on).toEqual({ state: "done", read: { power: 1, relay_state: 1 } });
    expect(park.orders).toEqual([
      { kind: "power", isOn: false },
      { kind: "power", isOn: true },
    ]);
  });

  it("a contact that is still moving is told as it is, and no refusal", () => {
    const wrapped = options({ transport: "wrapper" });
    const meter = aMeter(wrapped);
    const commands = dlms(wrapped).commands as Required<Commands>;
    const outputState = "0046000060030aff02";
    const slow = {
      receive(bytes: Uint8Array) {
        const answers = meter.receive(bytes);
        const isAsked = bytes[8] === 0xc0 && toHex(bytes).includes(outputState);
        return isAsked ? answers.map((each) => each.with(-1, 1)) : answers;
      },
    };

    const result = talk(commands.power(device, { power: 0 }), slow);

    expect(result).toEqual({ state: "done", read: { power: 1, relay_state: 1 } });
  });

  it("a meter that only arms its relay is refused: its button must be pressed", () => {
    const meter = aMeter(of);
    const driver = dlms(of);
    const commands = driver.commands as Required<Commands>;
    const mode = { classId: 70, obis: "0.0.96.3.10.255", attribute: 4 };
    talk(
      driver.inSession(device, (session) => session.set(mode, { type: "enum", value: 3 })),
      meter,
    );
    talk(commands.power(device, { power: 0 }), meter);

    const result = talk(commands.power(device, { power: 1 }), meter);

    expect(result).toMatchObject({ state: "refused", reason: { kind: "refused" } });
    expect(talk(commands.relay_state(device), meter)).toEqual({ power: 0, relay_state: 0 });
  });

  it("settings that the limiter of the standard lacks are refused before anything is sent", () => {
    const park = aPark(of);

    const failure = failureOf(() =>
      park.ask((commands) => commands.limit(device, { limit: 5, limit_mode: 1, apv_count: 2 })),
    );

    expect(failure).toMatchObject({ kind: "unsupported" });
    expect(park.orders).toEqual([]);
  });
});

describe("a SPODES meter", () => {
  const { options: of } = spodes({
    transport: "hdlc",
    server: { logical: 1, bytes: 4, physical: "insideAddr" },
    utcOffsetMinutes: 480,
  });

  it("is changed by the configurator, with its keys", () => {
    const park = aPark(of);

    expect(park.ask((commands) => commands.power(device, { power: 0 }))).toMatchObject({ state: "done" });
  });

  it("refuses the reader, whose password only permits reading", () => {
    const { control: _, ...asReader } = of;
    const meter = aMeter(of);
    const commands = dlms(asReader).commands as Required<Commands>;

    const result = talk(commands.power(device, { power: 0 }), meter);

    expect(result).toMatchObject({ state: "refused", reason: { detail: 3 } });
  });

  it("without keys is read, but not switched: nothing is sent", () => {
    const { keys: _, ...keyless } = device;
    const commands = dlms(of).commands as Required<Commands>;

    expect(talk(commands.relay_state(keyless), aMeter(of))).toEqual({ power: 1, relay_state: 1 });
    expect(failureOf(() => talk(commands.power(keyless, { power: 0 }), aMeter(of)))).toMatchObject({
      kind: "bad_password",
    });
  });
});
