import { expect, it } from "vitest";
import { compareState, wantedState } from "./deviceState.ts";

it("CTRL-106 what a command sets is compared with what the device tells", () => {
  expect(compareState(wantedState("power", { power: 0 }), { power: 0 })).toBe("agrees");
  expect(compareState(wantedState("power", { power: 0 }), { power: 1 })).toBe("differs");
  expect(compareState(wantedState("power", { power: 0 }), { relay_state: 1 })).toBe("differs");
  expect(compareState(wantedState("power", { power: 0 }), { last_set_limit: 5 })).toBe("silent");
  expect(compareState(wantedState("valve", { valve: 1 }), { relay_state: 1 })).toBe("agrees");
  expect(compareState(wantedState("reset", {}), { power: 1 })).toBe("silent");
});

it("CTRL-106 parts of a limit that the device does not tell are not compared", () => {
  const wanted = wantedState("limit", { limit: 5.5, limit_mode: 1, apv_pause: 30 });

  expect(compareState(wanted, { last_set_limit: 5.5 })).toBe("agrees");
  expect(compareState(wanted, { last_set_limit: 5.5, additional_limit: { limit_mode: 1 } })).toBe("agrees");
  expect(compareState(wanted, { last_set_limit: 5.5, additional_limit: { limit_mode: 0 } })).toBe("differs");
  expect(compareState(wanted, { last_set_limit: 6 })).toBe("differs");
});

it("TARIFF-013 SPECDAY-012 schedules and days are compared without their order", () => {
  const schedule = { tariff0: ["10:00", "21:00"], tariff1: ["07:00"] };

  expect(
    compareState(wantedState("set_shedule_tariff", schedule), {
      last_shedule_tariff: { tariff0: ["21:00", "10:00"], tariff1: ["07:00"] },
    }),
  ).toBe("agrees");
  const wanted = wantedState("set_special_day", { shedule: schedule, day_list: ["01-01", "12-31"] });
  expect(compareState(wanted, { last_special_shedule_day: ["12-31", "01-01"] })).toBe("agrees");
  expect(compareState(wanted, { last_special_shedule_day: ["01-01"] })).toBe("differs");
});

it("TARIFF-003 a tariff schedule agrees with one that switches alike, and with no other", () => {
  const wanted = wantedState("set_shedule_tariff", { tariff0: ["10:00", "21:00"], tariff1: ["07:00"] });
  const read = (last_shedule_tariff: object) => compareState(wanted, { last_shedule_tariff });

  expect(read({ tariff0: ["21:00"], tariff1: ["07:00"] })).toBe("agrees");
  expect(read({ tariff0: ["10:00", "21:00"] })).toBe("differs");
  expect(read({ tariff0: ["21:00"], tariff1: ["08:00"] })).toBe("differs");
  expect(compareState(wanted, {})).toBe("silent");
});

it.each([
  ["power", { power: 1 }, { power: 1 }],
  ["valve", { valve: 0, at: 5 }, { valve: 0 }],
  ["setFrequency", { setFrequency: 60 }, { setFrequency: 60 }],
  ...[
    "vega_settings",
    "set_settings",
    "set_setpoint",
    "report_period",
    "measurement_mode",
    "complex_set",
  ].map((key) => [key, { a: 1, b: "c" }, { [key]: { a: 1, b: "c" } }] as const),
  ...["test_mode", "solenoid_valve_closed", "co_alarm", "co_exit_alarm", "gas_alarm", "gas_exit_alarm"].map(
    (key) => [key, { [key]: 1, other: 2 }, { mg08: { [key]: 1 } }] as const,
  ),
  ["limit", { limit: 5 }, { last_set_limit: 5 }],
  ["limit", { limit: 5, limit_mode: 1 }, { last_set_limit: 5, additional_limit: { limit_mode: 1 } }],
  ["set_shedule_tariff", { tariff0: ["00:00"] }, { last_shedule_tariff: { tariff0: ["00:00"] } }],
  [
    "set_special_day",
    { day_list: ["01-01"], shedule: { tariff0: ["00:00"] } },
    { last_special_shedule_day: ["01-01"], last_special_shedule_tariff: { tariff0: ["00:00"] } },
  ],
  ["task_id", { task_id: 7, a: 1 }, { lartech_settings: { 7: { task_id: 7, a: 1 } } }],
  ["reset", { a: 1 }, {}],
] as const)("CTRL-106 %s of %j wants %j", (key, given, expected) => {
  expect(wantedState(key, given)).toEqual(expected);
});

it("CTRL-106 numbers agree to a millionth of them, and texts and truths as they are", () => {
  const of = (wanted: number, read: number) =>
    compareState({ last_set_limit: wanted }, { last_set_limit: read });

  expect([of(0.1, 0.100_000_9), of(0.1, 0.100_001_1)]).toEqual(["agrees", "differs"]);
  expect([of(1000, 1000.0009), of(1000, 1000.0011), of(1000, 999.9989)]).toEqual([
    ...["agrees", "differs", "differs"],
  ]);
  expect([of(-1000, -1000.0009), of(5, -5)]).toEqual(["agrees", "differs"]);
  const said = (wanted: string | boolean | number, read: string | boolean | number) =>
    compareState({ set_settings: { a: wanted } }, { set_settings: { a: read } });
  expect([said("b", "b"), said("b", "c"), said(true, true), said(true, 1), said("1", 1)]).toEqual([
    ...["agrees", "differs", "agrees", "differs", "differs"],
  ]);
});

it("CTRL-106 each part of a group is compared, but for those that one of the two lacks", () => {
  const of = (set_settings: Readonly<Record<string, number>>) =>
    compareState({ set_settings: { a: 1, b: 2, c: undefined } }, { set_settings });

  expect([of({ a: 1, b: 2 }), of({ a: 1 }), of({ a: 1, b: 3 }), of({ c: 9 }), of({})]).toEqual([
    ...["agrees", "agrees", "differs", "agrees", "agrees"],
  ]);
  const lists = (wanted: readonly string[], read: readonly string[]) =>
    compareState({ last_special_shedule_day: wanted }, { last_special_shedule_day: read });
  expect([lists(["01-01"], ["01-01", "01-02"]), lists(["01-01"], ["01-02"]), lists([], [])]).toEqual([
    ...["differs", "differs", "agrees"],
  ]);
  expect(compareState({ power: 1, last_set_limit: 5 }, { power: 1, last_set_limit: 6 })).toBe("differs");
  expect(compareState({ power: 1, last_set_limit: 5 }, { last_set_limit: 5 })).toBe("agrees");
});

it("CTRL-106 the relay answers for the load and for the valve, unless they answer themselves", () => {
  expect(compareState({ power: 1 }, { relay_state: 1, power: 0 })).toBe("differs");
  expect(compareState({ valve: 0 }, { relay_state: 0 })).toBe("agrees");
  expect(compareState({ valve: 0 }, { relay_state: 1, valve: 0 })).toBe("agrees");
  expect(compareState({ last_set_limit: 5 }, { relay_state: 1 })).toBe("silent");
  expect(compareState({ relay_state: 1 }, { relay_state: 1 })).toBe("agrees");
  expect(compareState({}, { power: 1 })).toBe("silent");
});

it("TARIFF-003 the tariffs of special days are compared by what they switch", () => {
  const of = (last_special_shedule_tariff: object) =>
    compareState(
      { last_special_shedule_tariff: { tariff0: ["10:00", "21:00"], tariff1: ["07:00"] } },
      {
        last_special_shedule_tariff,
      },
    );

  expect([of({ tariff0: ["21:00"], tariff1: ["07:00"] }), of({ tariff1: ["07:00"] })]).toEqual([
    ...["agrees", "differs"],
  ]);
});
