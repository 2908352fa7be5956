import { describe, expect, it } from "vitest";
import type { CommandFunctions, CommandResult } from "../core/command.ts";
import type { Conversation } from "../core/conversation.ts";
import { dlmsCommands, type RunInSession } from "./commands.ts";
import { instantData } from "./objects/clock.ts";
import {
  list,
  nameOf,
  octets,
  scale,
  structure,
  testSession,
  whole,
  type Kept,
} from "./objects/testSession.ts";
import { ended } from "./testing/testLink.ts";
import { device, options } from "./testing/testMeter.ts";

type Commands = Required<CommandFunctions>;

/** What the commands do with a meter that keeps these objects, whatever is written. */
function asked<Result>(objects: Record<string, Kept>, ask: (commands: Commands) => Conversation<Result>) {
  const made = testSession(objects);
  const sessions: string[] = [];
  const run =
    (name: string): RunInSession =>
    (_, work) => {
      sessions.push(name);
      return work(made.session);
    };
  const commands = dlmsCommands(options({ clock }), {
    reading: run("read"),
    changing: run("change"),
  }) as Commands;
  const result = () => ended(ask(commands));
  return { ...made, sessions, result };
}
const clock = { utcOffsetMinutes: 480 };
const at = Date.UTC(2026, 10, 20, 12) / 1000;
const [clockKey, relay, limiter] = ["8 0.0.1.0.0.255 2", "70 0.0.96.3.10.255", "71 0.0.17.0.0.255"];
const switched = (isClosed: boolean, state: number): Record<string, Kept> => ({
  [`${relay} 2`]: { type: "bool", value: isClosed },
  [`${relay} 3`]: whole("enum", state),
  [`${relay} 4`]: whole("enum", 4),
});
const limited = (unit: number, threshold: Kept = whole("uint32", 7500)): Record<string, Kept> => ({
  [`${limiter} 2`]: structure(whole("uint16", 3), nameOf("1.0.1.7.0.255"), whole("int8", 2)),
  [`${limiter} 3`]: threshold,
  [`${limiter} 4`]: threshold,
  [`${limiter} 6`]: whole("uint32", 60),
  [`${limiter} 7`]: whole("uint32", 60),
  "3 1.0.1.7.0.255 3": scale(0, unit),
});
const otherwise = (what: string) => ({
  ...{
    state: "refused",
    reason: { kind: "unexpected", message: `${what} of the device is not what was set` },
  },
});

describe("a load switch by command", () => {
  it.each([
    [true, { power: 1, relay_state: 1 }],
    [false, { power: 0, relay_state: 0 }],
  ])("with its contact closed (%s) is read as such", (isClosed, state) => {
    const { result, sessions } = asked(switched(isClosed, 1), (of) => of.relay_state(device));

    expect([result(), sessions]).toEqual([state, ["read"]]);
  });

  it.each<[0 | 1, number, object]>([
    [1, 1, { state: "done", read: { power: 1, relay_state: 1 } }],
    [0, 0, { state: "done", read: { power: 1, relay_state: 1 } }],
    [1, 0, otherwise("the relay")],
    [0, 1, otherwise("the relay")],
    [
      1,
      2,
      {
        state: "refused",
        reason: { kind: "refused", message: "the meter is ready: its button must be pressed to switch on" },
      },
    ],
  ])("to %i that is in state %i then is %o", (power, state, expected) => {
    const { result, changes, sessions } = asked(switched(true, state), (of) => of.power(device, { power }));

    expect(result()).toMatchObject(expected);
    expect([changes, sessions]).toEqual([[[`${relay} ${String(power + 1)}`, whole("int8", 0)]], ["change"]]);
  });
});

describe("a limit by command", () => {
  it.each<[Record<string, Kept>, object]>([
    [limited(27), { last_set_limit: 7.5 }],
    [limited(33), {}],
    [limited(27, { type: "null" }), {}],
  ])("of %o is %o", (objects, state) => {
    expect(asked(objects, (of) => of.limit_state(device)).result()).toEqual(state);
  });

  it("is written in watts and read back, and is none of another kind", () => {
    const done = asked(limited(27), (of) => of.limit(device, { limit: 7.5 }));
    const other = asked(limited(27), (of) => of.limit(device, { limit: 8 }));
    const amperes = asked(limited(33), (of) => of.limit(device, { limit: 8 }));

    expect(done.result()).toEqual({ state: "done", read: { last_set_limit: 7.5 } });
    expect(done.changes).toEqual([[`${limiter} 4`, whole("uint32", 7500)]]);
    expect(other.result()).toMatchObject(otherwise("the limit"));
    expect(amperes.result).toThrow(
      expect.objectContaining({ kind: "unsupported", message: "the limiter does not watch a power" }),
    );
    expect(asked(limited(27), (of) => of.limit(device, { limit: 5, limit_mode: 1 })).result).toThrow(
      expect.objectContaining({
        kind: "unsupported",
        message: "the limiter of the standard has no further settings",
      }),
    );
  });
});

describe("a clock by command", () => {
  const clocked = (...times: readonly number[]): Record<string, Kept> => {
    const left = [...times];
    return { [clockKey]: () => instantData(left.shift() ?? times.at(-1) ?? 0, clock) };
  };
  const notSet = expect.objectContaining({
    ...{ kind: "unexpected", message: "the clock of the meter is not set" },
  }) as unknown;

  it("is read, if it is set", () => {
    expect(asked(clocked(at), (of) => of.get_datetime(device)).result()).toEqual({ device_time: at });
    expect(asked({ [clockKey]: octets(1) }, (of) => of.get_datetime(device)).result).toThrow(notSet);
  });

  it("is set to a time of its place", () => {
    const own = asked(clocked(at + 2), (of) => of.time_set(device, { time_set: "2026-11-20 20:00:00" }));
    const there = asked(clocked(at + 2), (of) =>
      of.time_set({ ...device, utcOffsetMinutes: 0 }, { time_set: "2026-11-20 12:00:00" }),
    );
    const other = asked(clocked(at + 999), (of) => of.time_set(device, { time_set: "2026-11-20 20:00:00" }));

    expect(own.result()).toEqual({ state: "done", read: { device_time: at + 2 } });
    expect(own.changes).toEqual([[clockKey, instantData(at, clock)]]);
    expect(there.result()).toMatchObject({ state: "done" });
    expect(there.changes).toEqual([[clockKey, instantData(at, { utcOffsetMinutes: 0 })]]);
    expect(other.result()).toMatchObject(otherwise("the clock"));
  });

  type Correct = (of: Commands, seconds: number) => Conversation<CommandResult>;
  const byKey: Correct = (of, seconds) => of.time_correct(device, { time_correct: seconds });
  const byOtherKey: Correct = (of, seconds) => of.time_correct2(device, { time_correct2: seconds });

  it.each<[number, Correct]>([
    [30, byKey],
    [-30, byKey],
    [900, byOtherKey],
    [-900, byOtherKey],
  ])("is shifted by %i seconds", (seconds, correct) => {
    const { result, changes } = asked(clocked(at, at + 1, at + 3 + seconds), (of) => correct(of, seconds));

    expect(result()).toEqual({ state: "done", read: { device_time: at + 3 + seconds } });
    expect(changes).toEqual([["8 0.0.1.0.0.255 6", whole("int16", seconds)]]);
  });

  it.each<[number, Correct]>([
    [901, byOtherKey],
    [-901, byOtherKey],
    [30.5, byKey],
  ])("is set by %d seconds from its second reading on", (seconds, correct) => {
    const { result, changes } = asked(clocked(at, at + 1, at + 3 + seconds), (of) => correct(of, seconds));

    expect(result()).toMatchObject({ state: "done" });
    expect(changes).toEqual([[clockKey, instantData(at + 1 + seconds, clock)]]);
  });

  it("that has not moved has not been corrected", () => {
    const { result } = asked(clocked(at, at + 1, at + 3), (of) => byKey(of, 30));

    expect(result()).toMatchObject(otherwise("the clock"));
  });

  it("that is not set is not corrected", () => {
    const { result, changes } = asked({ [clockKey]: octets(1) }, (of) => byKey(of, 30));

    expect(result).toThrow(notSet);
    expect(changes).toEqual([]);
  });
});

describe("a tariff schedule by command", () => {
  const scripts = nameOf("0.0.10.0.100.255");
  const dayOf = (dayId: number, ...selectors: readonly number[]) =>
    structure(
      whole("uint8", dayId),
      list(
        ...selectors.map((each, hour) => structure(octets(hour, 0, 0, 0), scripts, whole("uint16", each))),
      ),
    );
  const week = (...days: readonly number[]) =>
    structure(octets(0x31), ...days.map((day) => whole("uint8", day)));
  const every = (day: number) => list(week(day, day, day, day, day, day, day));
  const kept = (special: Kept = list()): Record<string, Kept> => ({
    "20 0.0.13.0.0.255 2": octets(0x31),
    "20 0.0.13.0.0.255 3": list(),
    "20 0.0.13.0.0.255 4": every(1),
    "20 0.0.13.0.0.255 5": list(dayOf(1, 1, 2), dayOf(2, 2)),
    "11 0.0.11.0.0.255 2": special,
  });
  const holiday = list(structure(whole("uint16", 1), octets(0xff, 0xff, 1, 7, 0xff), whole("uint8", 2)));
  const held = { tariff0: ["01:00"], tariff1: ["00:00"] };
  const one = { tariff1: ["00:00"] };

  it("is read, if every day has it", () => {
    const mixed = { ...kept(), "20 0.0.13.0.0.255 4": list(week(1, 1, 1, 1, 1, 2, 2)) };

    expect(asked(kept(), (of) => of.get_shedule_tariff(device)).result()).toEqual({
      last_shedule_tariff: held,
    });
    expect(asked(mixed, (of) => of.get_shedule_tariff(device)).result()).toEqual({});
  });

  it("is done if the meter reads as wanted", () => {
    const done = asked(kept(), (of) => of.set_shedule_tariff(device, held));
    const other = asked(kept(), (of) => of.set_shedule_tariff(device, one));
    const mixed = { ...kept(), "20 0.0.13.0.0.255 4": list(week(1, 1, 1, 1, 1, 2, 2)) };

    expect(done.result()).toEqual({ state: "done", read: { last_shedule_tariff: held } });
    expect(done.changes).toHaveLength(5);
    expect(other.result()).toMatchObject(otherwise("the tariff schedule"));
    expect(asked(mixed, (of) => of.set_shedule_tariff(device, held)).result()).toMatchObject(
      otherwise("the tariff schedule"),
    );
  });

  it("of special days is read with them", () => {
    expect(asked(kept(holiday), (of) => of.get_special_day(device)).result()).toEqual({
      ...{ last_special_shedule_day: ["01-07"], last_special_shedule_tariff: one },
    });
    expect(asked(kept(), (of) => of.get_special_day(device)).result()).toEqual({
      last_special_shedule_day: [],
    });
  });

  it("of special days is done if both read as wanted, whatever their order", () => {
    const days = list(
      structure(whole("uint16", 1), octets(0xff, 0xff, 12, 31, 0xff), whole("uint8", 2)),
      structure(whole("uint16", 2), octets(0xff, 0xff, 1, 7, 0xff), whole("uint8", 2)),
    );
    const set = (shedule: object, day_list: string[], special: Kept = days) =>
      asked(kept(special), (of) => of.set_special_day(device, { shedule, day_list })).result();

    expect(set(one, ["01-07", "12-31"])).toEqual({
      state: "done",
      read: { last_special_shedule_day: ["01-07", "12-31"], last_special_shedule_tariff: one },
    });
    expect(set(one, ["01-07"])).toMatchObject(otherwise("the special days"));
    expect(set(held, ["01-07", "12-31"])).toMatchObject(otherwise("the special days"));
    expect(set(held, [], list())).toMatchObject({ state: "done" });
    const lost = list(structure(whole("uint16", 1), octets(0xff, 0xff, 1, 7, 0xff), whole("uint8", 9)));
    expect(set(one, ["01-07"], lost)).toMatchObject(otherwise("the special days"));
  });
});
