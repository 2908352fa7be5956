// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { startSession } from "#lib/token";
import { answer } from "#testing/browser.ts";
import { enter, onlyControls, openControl, submit } from "#testing/control.tsx";
import { button, click, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";

useScreen("control", "bridge");
beforeEach(() => startSession("token"));

const form = (name: string) => document.querySelector<HTMLFormElement>(`form[aria-label="${name}"]`);
const optionsOf = (label: string) =>
  [...field(label).querySelectorAll("option")].map(({ value }) => value).filter((each) => each !== "");
/** Confirms the question of a command, if it asks one, and waits for its answer. */
const confirmed = async (name: string) => {
  await click(await found(() => button(name)));
  await found(() => says("The device has done it"));
};

it("CTRL-010 CTRL-015 CTRL-016 CTRL-017 CTRL-023 CTRL-032 CTRL-045 CTRL-051 CTRL-058 CTRL-070 CTRL-092 CTRL-093 SPECDAY-011 each button sends its key", async () => {
  const buttons: readonly (readonly [string, object])[] = [
    ["Read settings", { get_settings: 1 }],
    ["Read setpoints", { get_setpoints: 1 }],
    ["Read device information", { read_info: 1 }],
    ["Relay state", { relay_state: 1 }],
    ["Read the power limit", { limit_state: 1 }],
    ["Read date and time", { get_datetime: 1 }],
    ["Read the tariff schedule", { get_shedule_tariff: 1 }],
    ["Read the special days", { get_special_day: 1 }],
    ["Activate data transfer", { mts_activate: 1 }],
    ["Muffle the alarm", { muffling: 1 }],
    ["Read the alarm thresholds", { get_alarm_value: 1 }],
    ["Read the exit thresholds", { get_exit_alarm_value: 1 }],
  ];
  const { sent } = await openControl(
    {},
    {
      ...onlyControls("get_settings", "get_setpoints", "read_info", "relay_state", "limit_state"),
      ...onlyControls("get_datetime", "get_shedule_tariff", "get_special_day", "mts_activate", "mg08"),
    },
  );

  for (const [name] of buttons) {
    await click(button(name));
    await found(() => !button(name).disabled);
  }

  expect(await sent()).toMatchObject(buttons.map(([, management]) => ({ management })));
});

it("CTRL-012 CTRL-013 CTRL-103 parameters of the gas alarm are buttons, toggles and numbers with a save button, by the keys of the model", async () => {
  const { sent } = await openControl({}, onlyControls("mg08"));
  const names = ["CO alarm threshold", "CO exit threshold", "Gas alarm threshold", "Gas exit threshold"];

  expect(button("Muffle the alarm").disabled).toBe(false);
  expect(field("Test mode").getAttribute("role")).toBe("switch");
  for (const [at, name] of names.entries()) {
    const input = form(name)?.querySelector("input");
    if (!input) throw new Error(`no number of ${name}`);
    // The model has narrowed it to 500.
    await type(input, String(600 + at));
    await submit(name);
    await found(() => !button("Muffle the alarm").disabled);
  }

  expect(await sent()).toMatchObject([
    { management: { co_alarm: 500 } },
    { management: { co_exit_alarm: 500 } },
    { management: { gas_alarm: 500 } },
    { management: { gas_exit_alarm: 500 } },
  ]);
});

it("CTRL-040 CTRL-044 CTRL-103 the measurement mode has an interval, hidden for the continuous mode", async () => {
  const interval = { kind: "number", unit: "minute", minimum: 5, maximum: 30, step: 1 };
  const { sent } = await openControl(
    {},
    { measurement_mode: { active: true, settings: { measurement_mode: {}, interval } } },
  );
  await type(field("Mode"), "1");
  expect(() => field("Interval")).toThrow();

  await type(field("Mode"), "0");
  expect(await enter("Interval", "60")).toBe("30");
  await submit("Measurement mode");

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([{ management: { measurement_mode: 0, interval: 30 } }]);
});

it("CTRL-043 the frequency is asked for first, because a wrong one loses the device", async () => {
  const { sent } = await openControl({}, onlyControls("setFrequency"));

  await type(field("Frequency"), "868100000");
  await submit("Frequency");
  await found(() => says("On a wrong one the device will no longer be reachable"));
  await confirmed("Frequency");

  expect(await sent()).toMatchObject([{ management: { setFrequency: 868_100_000 } }]);
});

it("CTRL-053 CTRL-054 CTRL-055 CTRL-056 CTRL-097 a complex set is 7 archives as a sum of powers of 2, and 6 messages", async () => {
  const { sent } = await openControl({}, onlyControls("complex_set"));
  const boxes = form("Complex set")?.querySelectorAll<HTMLInputElement>("[type=checkbox]") ?? [];
  expect(boxes).toHaveLength(7);
  const slots = [1, 2, 3, 4, 5, 6].map((number) => `Message ${String(number)}`);
  for (const slot of slots)
    expect(optionsOf(slot)).toEqual(["0", ...Array.from({ length: 14 }, (_, at) => String(600 + at))]);

  await click(field("Hourly"));
  await click(field("Weekly"));
  await click(field("Yearly"));
  await submit("Complex set");
  expect(faultAt(field("Message 1"))).toBe("A value is missing");
  for (const [at, slot] of slots.entries()) await type(field(slot), at === 5 ? "0" : String(600 + at));
  await submit("Complex set");

  await found(() => says("The device has done it"));
  const messages = { m_msg1: 600, m_msg2: 601, m_msg3: 602, m_msg4: 603, m_msg5: 604, m_msg6: 0 };
  expect(await sent()).toMatchObject([
    { management: { complex_set: { arch_type: 1 + 4 + 64, ...messages } } },
  ]);
});

it("CTRL-057 CTRL-095 the report period is sent with its offset", async () => {
  const { sent } = await openControl({}, onlyControls("report_period"));

  expect(await enter("Period", "3601")).toBe("3\u00a0600");
  await submit("Report period");
  expect(faultAt(field("Offset"))).toBe("A value is missing");
  await type(field("Offset"), "120");
  await submit("Report period");

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([{ management: { report_period: 3600, offset: 120 } }]);
});

it("CTRL-059 Vega settings are set one at a time", async () => {
  const { sent } = await openControl({}, onlyControls("vega_settings"));

  await type(field("Setting"), "uplink_repeats");
  await submit("Vega settings");
  expect(faultAt(field("Uplink repeats"))).toBe("A value is missing");
  await type(field("Uplink repeats"), "3");
  await submit("Vega settings");

  await found(() => says("The device has done it"));
  expect((await sent()).map((each) => (each as { management: unknown }).management)).toEqual([
    { vega_settings: 1, uplink_repeats: 3 },
  ]);
});

it("CTRL-060 CTRL-061 CTRL-098 CTRL-099 settings and setpoints have blocks of their own; setpoints are asked for first", async () => {
  const { sent } = await openControl({}, onlyControls("set_settings", "set_setpoint"));
  const titles = [...document.querySelectorAll(".control-card h3")].map(({ textContent }) => textContent);
  expect(titles).toEqual(expect.arrayContaining(["Settings", "Setpoints"]));

  await type(field("Sleep time"), "600");
  await type(field("Connection interval"), "3600");
  await submit("Set settings");
  await found(() => says("The device has done it"));
  await found(() => !field("Cathodic protection speed").matches(":disabled"));
  await type(field("Cathodic protection speed"), "1");
  await type(field("Cathodic protection boost"), "2");
  await type(field("Cathodic protection shift"), "3");
  await submit("Set setpoints");
  await found(() => says("The protection of the pipeline changes at once"));
  await confirmed("Set setpoints");

  await found(async () => (await sent()).length === 2);
  expect(await sent()).toMatchObject([
    { management: { set_settings: { sleep_time: 600, range_connect: 3600 } } },
    { management: { set_setpoint: { skz_speed: 1, skz_boost: 2, skz_move: 3 } } },
  ]);
});

it("CTRL-069 the scheduler card writes a task of the device", async () => {
  const { sent } = await openControl({}, onlyControls("lartech_settings"));

  for (const input of form("Task scheduler")?.querySelectorAll("input") ?? []) await type(input, "7");
  await type(field("Task"), "3");
  for (const input of form("Task scheduler")?.querySelectorAll("input") ?? []) await type(input, "7");
  await click(button("Write the task"));

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([
    { management: { task_id: 3, delay: 7, param1: 7, param8: 7, profile: 7, refresh: 7 } },
  ]);
});

it("CTRL-070 special days are read, taken over, stored and written", async () => {
  const stored = vi.fn(() => answer({}));
  const { sent } = await openControl(
    { "device/save_schedule": stored },
    onlyControls("get_special_day", "set_special_day"),
  );

  await type(field("Month"), "3");
  await type(field("Day"), "8");
  await click(button("Add"));
  await click(field("1"));
  await click(button("Write"));

  await found(() => says("The device has done it"));
  expect(stored).toHaveBeenCalledOnce();
  expect(await sent()).toMatchObject([
    { management: { set_special_day: { day_list: ["03-08"], shedule: { tariff0: ["00:00"] } } } },
  ]);
});
