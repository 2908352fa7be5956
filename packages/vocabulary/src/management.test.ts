import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commands } from "./commands.ts";
import { changesAnything, managementOf, readManagement, switchesOff, type Management } from "./management.ts";

const read = (management: Management) => {
  const { commands: asked, unknown } = readManagement(management);
  return { asked: asked.map(({ command, given }) => [command.key, given]), unknown };
};

describe("a management object", () => {
  it("CTRL-082 holds a command with the arguments beside it or inside its key", () => {
    expect(read({ power: 1 })).toEqual({ asked: [["power", { power: 1 }]], unknown: [] });
    expect(read({ limit: 5, limit_mode: 1, apv_pause: 30 })).toEqual({
      asked: [["limit", { limit: 5, limit_mode: 1, apv_pause: 30 }]],
      unknown: [],
    });
    expect(read({ send_raw_payload: true, payload: "00", fport: 2, class: "A" })).toEqual({
      asked: [["send_raw_payload", { payload: "00", fport: 2, class: "A" }]],
      unknown: [],
    });
    const special = { shedule: { tariff0: ["00:00"] }, day_list: ["01-01"] };
    expect(read({ set_special_day: special })).toEqual({
      asked: [["set_special_day", special]],
      unknown: [],
    });
    expect(read({ event_log: true, event_index: 3 })).toEqual({
      asked: [["event_log", { event_index: 3 }]],
      unknown: [],
    });
  });

  it("CTRL-107 CTRL-047 composes a date and a time; an empty time is midnight", () => {
    expect(read({ time_set: 1, date: "2026-11-24", time: "07:30" })).toEqual({
      asked: [["time_set", { time_set: "2026-11-24 07:30" }]],
      unknown: [],
    });
    expect(read({ time_set: 1, date: "2026-11-24", time: "" }).asked).toEqual([
      ["time_set", { time_set: "2026-11-24 00:00" }],
    ]);
    expect(read({ bytes: "00ff" }).asked).toEqual([["bytes", { bytes: "00ff" }]]);
  });

  it("CTRL-102 with an unknown key, or with companions only, counts as changing", () => {
    expect(read({ now_value: 1, explode: 1 }).unknown).toEqual(["explode"]);
    expect(changesAnything(readManagement({ now_value: 1, explode: 1 }))).toBe(true);
    expect(changesAnything(readManagement({ delay: 1 }))).toBe(true);
    expect(changesAnything(readManagement({ date: "2026-11-24", time: "00:00" }))).toBe(true);
    expect(changesAnything(readManagement({ now_value: 1, date: "2026-11-24" }))).toBe(true);
    expect(changesAnything(readManagement({}))).toBe(true);
  });

  it("CTRL-101 of reading keys and their companions only reads", () => {
    expect(changesAnything(readManagement({ now_value: 1, relay_state: 1 }))).toBe(false);
    expect(changesAnything(readManagement({ event_log: true, event_index: 1 }))).toBe(false);
    expect(changesAnything(readManagement({ archive_profile: 1, date: "2026-11-24", time: "00:00" }))).toBe(
      false,
    );
  });

  it("is never read as harmless with any changing key in it", () => {
    const keys = commands.map(({ key }) => key);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys, "x", "payload", "date"), fc.anything()), (given) => {
        const isHarmless = !changesAnything(readManagement(given));
        const isChanging = Object.keys(given).some((key) =>
          commands.some((each) => each.key === key && each.changesDevice),
        );
        expect(isHarmless && isChanging).toBe(false);
      }),
    );
  });

  it("of a command is read as that command again", () => {
    for (const management of [
      { power: 0 },
      { set_settings: { sleep_time: 1, range_connect: 2 } },
      { reset: 1 },
      { vega_settings: 1, uplink_repeats: 3 },
    ]) {
      const [command] = readManagement(management).commands;
      if (!command) throw new Error("no command");
      expect(managementOf(command)).toEqual(management);
    }
  });

  it("CTRL-104 says whether it interrupts the supply", () => {
    const isOff = (management: Management) => readManagement(management).commands.some(switchesOff);
    expect(isOff({ limit: 0 })).toBe(true);
    for (const limit of [0, 0.05, 0.1, 0.5, 1]) expect([limit, isOff({ limit })]).toEqual([limit, true]);
    expect(isOff({ limit: 5 })).toBe(false);

    expect(isOff({ power: 0 })).toBe(true);
    expect(isOff({ valve: 0 })).toBe(true);
    expect(isOff({ setout: 0, out: 1 })).toBe(true);
    expect(isOff({ solenoid_valve_closed: true })).toBe(true);
    expect(isOff({ solenoid_valve_closed: false })).toBe(false);
    expect(isOff({ test_mode: true })).toBe(false);
    expect(isOff({ power: 1 })).toBe(false);
    expect(isOff({ reset: 1 })).toBe(false);
  });
});
