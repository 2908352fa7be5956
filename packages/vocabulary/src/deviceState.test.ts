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
