import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentsSchema, type Command } from "./commands/commandArguments.ts";
import { narrowedFields, type CommandField } from "./commands/commandFields.ts";
import { changesDevice, commandOf, commands, isChangingCommand, isReadingCommand } from "./commands.ts";
import { languages } from "./text.ts";

const title = { ru: "Т", en: "T", mn: "Т" };
const limit = {
  key: "limit",
  title,
  kind: "number",
  unit: "kW",
  minimum: 0.5,
  maximum: 100,
  step: 0.1,
  isRequired: true,
} as const satisfies CommandField;
const mode = {
  key: "mode",
  title,
  kind: "choice",
  choices: [
    { value: "off", title },
    { value: "on", title },
    { value: 7, title },
  ],
  isRequired: true,
} as const satisfies CommandField;
const saved = {
  key: "is_saved",
  title,
  kind: "switch",
  isRequired: false,
} as const satisfies CommandField;
const commandWith = (fields: readonly CommandField[]): Command => ({
  key: "test",
  title,
  changesDevice: true,
  actuates: true,
  confirmation: title,
  isRepeatable: false,
  arguments: fields,
});
const isTaken = (command: Command, given: unknown, by = {}) =>
  argumentsSchema(command, by).safeParse(given).success;

describe("arguments of a command", () => {
  const command = commandWith([limit, mode, saved]);

  it("are accepted on every step between the limits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 995 }), fc.constantFrom("off", "on", 7), (steps, chosen) => {
        expect(isTaken(command, { limit: 0.5 + steps * 0.1, mode: chosen })).toBe(true);
        expect(isTaken(command, { limit: 0.5 + (steps + 0.5) * 0.1, mode: chosen })).toBe(false);
      }),
    );
  });

  it("are accepted if and only if each matches its field", () => {
    const some = fc.oneof(
      fc.integer({ min: -5, max: 130 }),
      fc.constantFrom("off", "on", 7, true, null),
      fc.string(),
    );
    fc.assert(
      fc.property(some, some, fc.option(some, { nil: undefined }), (first, second, third) => {
        const given = { limit: first, mode: second, ...(third === undefined ? {} : { is_saved: third }) };
        const isNumber = typeof first === "number" && first >= 0.5 && first <= 100;
        const isChoice = second === "off" || second === "on" || second === 7;
        const isSwitch = third === undefined || typeof third === "boolean";

        expect(isTaken(command, given)).toBe(isNumber && isChoice && isSwitch);
      }),
    );
  });

  it("are complete with the required ones, without others", () => {
    expect(isTaken(command, { limit: 5 })).toBe(false);
    expect(isTaken(command, { limit: 5, mode: "on", colour: "red" })).toBe(false);
    expect(isTaken(command, 1)).toBe(false);
  });

  it("that depend on another are present with it and not without", () => {
    const dependent = commandWith([mode, { ...limit, dependsOn: { key: "mode", values: ["on", 7] } }]);

    expect(isTaken(dependent, { mode: "on", limit: 5 })).toBe(true);
    expect(isTaken(dependent, { mode: "on" })).toBe(false);
    expect(isTaken(dependent, { mode: "off" })).toBe(true);
    expect(isTaken(dependent, { mode: "off", limit: 5 })).toBe(false);
  });
});

describe("a model", () => {
  const command = commandWith([limit, mode]);

  it("narrows a command, and never widens it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10, max: 150 }),
        fc.integer({ min: -10, max: 150 }),
        fc.integer({ min: 0, max: 995 }),
        (min, max, steps) => {
          const value = Number((0.5 + steps * 0.1).toFixed(1));
          const isInside = value >= min && value <= max;

          expect(isTaken(command, { limit: value, mode: "on" }, { limit: { min, max } })).toBe(isInside);
        },
      ),
    );
    const by = { limit: { min: 0, max: 60 }, mode: { choices: ["on", "sideways"] } };
    expect(isTaken(command, { limit: 60, mode: "on" }, by)).toBe(true);
    expect(isTaken(command, { limit: 60.1, mode: "on" }, by)).toBe(false);
    expect(isTaken(command, { limit: 60, mode: "off" }, by)).toBe(false);
    expect(isTaken(command, { limit: 60, mode: "sideways" }, by)).toBe(false);
    expect(narrowedFields([limit], by)).toMatchObject([{ minimum: 0.5, maximum: 60 }]);
  });
});

describe("texts of a command", () => {
  const field = (own: object) =>
    commandWith([{ ...own, key: "value", title, isRequired: true } as CommandField]);
  const taken = (command: Command, values: readonly unknown[]) =>
    values.filter((value) => isTaken(command, { value }));

  it("CTRL-107 are dates, times and bytes in the form of the wire", () => {
    const wrong = ["", "x", 5, null, "24:00", "2026-02-29", "00-10", "abc", "0g"];

    expect(taken(field({ kind: "time" }), ["00:00", "23:59", "7:00", "12:60", ...wrong])).toEqual([
      "00:00",
      "23:59",
    ]);
    expect(taken(field({ kind: "date" }), ["2028-02-29", "2026-04-31", "1969-01-01", ...wrong])).toEqual([
      "2028-02-29",
    ]);
    const bytes = { kind: "bytes", minimum: 2, maximum: 6 } as const;
    expect(taken(field(bytes), ["00", "aBcDeF", "abc", "00112233", ...wrong])).toEqual(["00", "aBcDeF"]);
  });

  it("CTRL-047 CTRL-048 are times of a device's clock with or without seconds", () => {
    const given = ["2026-11-24 07:05", "2026-11-24 07:05:30", "2026-11-24 00:00"];

    expect(
      taken(field({ kind: "datetime" }), [...given, "2026-11-24", "2026-11-24 7:05", "2026-11-24 07:05:60"]),
    ).toEqual(given);
  });

  it("SPECDAY-007 TARIFF-003 are lists of different days or times", () => {
    const days = field({ kind: "list", of: "day", minimum: 1, maximum: 3 });

    expect(taken(days, [["02-29", "12-31"], ["02-30"], ["01-01", "01-01"], ["1-1"], [], "01-01"])).toEqual([
      ["02-29", "12-31"],
    ]);
    const times = field({ kind: "list", of: "time", minimum: 1, maximum: 2 });
    expect(
      taken(times, [
        ["10:00", "21:00"],
        ["10:00", "11:00", "12:00"],
      ]),
    ).toEqual([["10:00", "21:00"]]);
  });
});

/** Management keys of the specification that are commands of their own. */
const stated = [
  "power valve limit set_plomb reset relay_state limit_state get_datetime get_shedule_tariff setFrequency",
  "time_set time_correct time_correct2 set_special_day get_special_day complex_set report_period",
  "mts_activate unblock vega_settings set_settings set_setpoint get_settings get_setpoints",
  "send_raw_payload setout event_log task_id bytes now_value read_info tariff archive_profile archive",
]
  .join(" ")
  .split(" ");
const changing = (key: string) => {
  const command = commandOf(key);
  if (command?.changesDevice !== true) throw new Error(`${key} does not change the device`);
  return command;
};

describe("the commands", () => {
  it("are all management keys of the specification", () => {
    expect(stated.filter((key) => !commandOf(key))).toEqual([]);
    expect(new Set(commands.map(({ key }) => key)).size).toBe(commands.length);
  });

  it("CTRL-010 to CTRL-013, CTRL-092 to CTRL-094: the gas alarm has buttons, toggles and thresholds", () => {
    const block = (commands as readonly Command[]).filter(({ control }) => control === "mg08");

    expect(block.map(({ key }) => key)).toEqual([
      "muffling",
      "get_alarm_value",
      "get_exit_alarm_value",
      "test_mode",
      "solenoid_valve_closed",
      "co_alarm",
      "co_exit_alarm",
      "gas_alarm",
      "gas_exit_alarm",
    ]);
  });

  it("CTRL-008 have titles in three languages, and a confirmation before anything is actuated", () => {
    const titles = (fields: readonly CommandField[]): unknown[] =>
      fields.flatMap((field) => [
        field.title,
        ...(field.kind === "choice" ? field.choices.map((choice) => choice.title) : []),
        ...(field.kind === "flags" ? field.flags : []),
        ...(field.kind === "group" ? titles(field.fields) : []),
      ]);
    for (const command of commands as readonly Command[]) {
      const own = "value" in command.arguments ? [] : titles(command.arguments);
      for (const each of [command.title, ...own])
        expect(languages.every((language) => (each as Command["title"])[language] !== "")).toBe(true);
      if (command.changesDevice && command.actuates) expect(command.confirmation, command.key).toBeDefined();
    }
  });

  it("CTRL-106 are read back by commands that exist; no actuation is ever repeated", () => {
    for (const command of commands as readonly Command[]) {
      if (!command.changesDevice) continue;
      if (command.readBack !== undefined) {
        const reading = commandOf(command.readBack);
        expect(reading?.changesDevice === false && reading.answers === "state").toBe(true);
      }
      if (command.actuates) expect(command.isRepeatable).toBe(false);
    }
    expect(["power", "valve", "limit", "setout"].map((key) => changing(key).actuates)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(changing("time_correct").isRepeatable).toBe(false);
    expect(changing("set_special_day").isRepeatable).toBe(true);
  });

  it("without arguments accept their value alone", () => {
    for (const command of commands as readonly Command[]) {
      if (!("value" in command.arguments)) continue;
      const { value } = command.arguments;
      expect(isTaken(command, value === "any" ? 1 : value)).toBe(true);
      expect(isTaken(command, true)).toBe(value !== 1);
      for (const other of [0, 2, false, "1", {}, null]) expect(isTaken(command, other)).toBe(false);
    }
  });

  it("CTRL-102 that are unlisted count as changing the device", () => {
    expect(changesDevice("power")).toBe(true);
    expect(changesDevice("now_value")).toBe(false);
    expect(changesDevice("relay_state")).toBe(false);
    expect(changesDevice("explode")).toBe(true);
    expect(changesDevice("constructor")).toBe(true);
    expect(isReadingCommand("relay_state")).toBe(false);
    expect(isChangingCommand("explode")).toBe(false);
  });

  it.each([
    ["CTRL-024", "power", [{ power: 1 }, { power: 0 }], [{ power: 2 }, { power: true }, {}]],
    [
      "CTRL-037",
      "limit",
      [{ limit: 5, limit_mode: 1, apv_pause: 60 }],
      [{ limit: 5, limit_mode: 1, apv_pause: 61 }],
    ],
    [
      "CTRL-038",
      "limit",
      [{ limit: 5, limit_mode: 0, apv_timer: 9 }],
      [{ limit: 5, limit_mode: 0, apv_timer: 10 }],
    ],
    [
      "CTRL-039",
      "limit",
      [{ limit: 5, limit_mode: 0, apv_count: 9 }],
      [{ limit: 5, limit_mode: 0, apv_count: 10 }],
    ],
    ["CTRL-036", "limit", [{ limit: 5 }], [{ limit: 5, apv_pause: 3 }]],
    [
      "CTRL-049",
      "time_correct",
      [{ time_correct: -30 }, { time_correct: 30 }],
      [{ time_correct: 31 }, { time_correct: 0.5 }],
    ],
    [
      "CTRL-050",
      "time_correct2",
      [{ time_correct2: 0.1 }, { time_correct2: 86_400 }],
      [{ time_correct2: -1 }, { time_correct2: 0.05 }],
    ],
    [
      "CTRL-063",
      "send_raw_payload",
      [{ payload: "0a", fport: 0, class: "A" }],
      [
        { payload: "", fport: 2, class: "A" },
        { payload: "ab".repeat(223), fport: 2, class: "A" },
      ],
    ],
    [
      "CTRL-064",
      "send_raw_payload",
      [{ payload: "0a", fport: 255, class: "C" }],
      [
        { payload: "0a", fport: 256, class: "C" },
        { payload: "0a", class: "C" },
      ],
    ],
    [
      "CTRL-065",
      "send_raw_payload",
      [{ payload: "0a", fport: 2, class: "C" }],
      [
        { payload: "0a", fport: 2, class: "B" },
        { payload: "0a", fport: 2 },
      ],
    ],
    [
      "CTRL-067 CTRL-068",
      "send_raw_payload",
      [{ payload: "AB", fport: 2, class: "C" }],
      [
        { payload: "abc", fport: 2, class: "C" },
        { payload: "zz", fport: 2, class: "C" },
      ],
    ],
    ["CTRL-095", "report_period", [{ report_period: 3600, offset: 60 }], [{ report_period: 3600 }]],
    ["CTRL-059", "vega_settings", [{ uplink_repeats: 3 }], [{}, { uplink_repeats: 3, is_confirmed: true }]],
    ["CTRL-060", "set_settings", [{ sleep_time: 60, range_connect: 3600 }], [{ sleep_time: 60 }]],
    [
      "CTRL-061",
      "set_setpoint",
      [{ skz_speed: 1, skz_boost: 2, skz_move: 3 }],
      [{ skz_speed: -1, skz_boost: 2, skz_move: 3 }],
    ],
    [
      "CTRL-044",
      "measurement_mode",
      [{ measurement_mode: 0, interval: 30 }, { measurement_mode: 1 }],
      [{ measurement_mode: 0 }, { measurement_mode: 1, interval: 30 }],
    ],
    [
      "GWCTRL-007 GWCTRL-008",
      "setout",
      [
        { setout: 1, out: 2, duration: 255 },
        { setout: 0, out: 2 },
      ],
      [{ setout: 1 }, { setout: 1, out: 2, duration: 256 }],
    ],
    [
      "TARIFF-004",
      "set_shedule_tariff",
      [{ tariff0: ["10:00", "21:00"], tariff1: ["07:00"] }],
      [{ tariff1: ["07:00"] }, { tariff0: [] }],
    ],
    [
      "SPECDAY-009",
      "set_special_day",
      [{ shedule: { tariff0: ["00:00"] }, day_list: ["01-01"] }],
      [{ day_list: ["01-01"] }, { shedule: { tariff9: ["00:00"] }, day_list: ["01-01"] }],
    ],
  ] as const)("%s %s", (_, key, right, wrong) => {
    const command = changing(key);

    for (const given of right) expect(isTaken(command, given), JSON.stringify(given)).toBe(true);
    for (const given of wrong) expect(isTaken(command, given), JSON.stringify(given)).toBe(false);
  });

  it("CTRL-055 CTRL-056 CTRL-097: a complex set is a sum of seven flags and six messages", () => {
    const set = { arch_type: 127, m_msg1: 0, m_msg2: 600, m_msg3: 613, m_msg4: 0, m_msg5: 0, m_msg6: 0 };

    expect(isTaken(changing("complex_set"), set)).toBe(true);
    expect(isTaken(changing("complex_set"), { ...set, arch_type: 128 })).toBe(false);
    expect(isTaken(changing("complex_set"), { ...set, m_msg1: 614 })).toBe(false);
  });

  it("SCHED-006 SCHED-008: the scheduler needs every parameter, up to the maximum of the model", () => {
    const keys = ["task_id", "delay", ..."12345678".split("").map((n) => `param${n}`), "profile", "refresh"];
    const given: Record<string, number> = Object.fromEntries(keys.map((key) => [key, 255]));

    expect(isTaken(changing("task_id"), given)).toBe(true);
    expect(isTaken(changing("task_id"), { ...given, param3: 256 })).toBe(false);
    expect(isTaken(changing("task_id"), { ...given, param3: null })).toBe(false);
    expect(isTaken(changing("task_id"), given, { param3: { max: 200 } })).toBe(false);
  });
});
