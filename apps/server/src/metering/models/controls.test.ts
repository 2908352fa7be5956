import { expect, it } from "vitest";
import { shownControls } from "./controls.ts";

it("CTRL-006 a command is an entry with the narrowed limits of its arguments as settings", () => {
  expect(shownControls({ relay_state: {}, limit: { limit: { max: 60 } } })).toMatchObject({
    relay_state: { active: true },
    limit: {
      active: true,
      settings: {
        limit: { kind: "number", unit: "kW", minimum: 0, maximum: 60 },
        limit_mode: { choices: [0, 1] },
      },
    },
  });
});

it("CTRL-006 CTRL-013 parameters of the gas alarm are properties of one entry: buttons, toggles, numbers", () => {
  expect(shownControls({ muffling: {}, test_mode: {}, co_alarm: { co_alarm: { max: 100 } } })).toEqual({
    mg08: {
      active: true,
      properties: {
        muffling: { kind: "read" },
        test_mode: { kind: "toggle" },
        co_alarm: { kind: "number", unit: "none", minimum: 0, maximum: 100, step: 1 },
      },
    },
  });
});

it("SCHED-002 SCHED-004 the scheduler has the range of its tasks", () => {
  const { lartech_settings } = shownControls({ task_id: { task_id: { min: 1, max: 16 } } });

  expect(lartech_settings?.settings).toMatchObject({
    task_id: { minimum: 1, maximum: 16 },
    param1: { minimum: 0, maximum: 255 },
  });
});
