// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { startSession } from "#lib/token";
import { answer } from "#testing/browser.ts";
import { device, enter, onlyControls, openControl, radio, submit } from "#testing/control.tsx";
import { button, click, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { shownFields } from "./arguments/argumentForm.ts";
import { blocksOf } from "./offered.ts";

useScreen("control", "bridge");
beforeEach(() => startSession("token"));

it("CTRL-030 CTRL-031 CTRL-033 CTRL-035 CTRL-040 CTRL-041 CTRL-083 the limit and its mode, confirmed, and back when cancelled", async () => {
  const { sent } = await openControl({}, onlyControls("limit"));
  expect([field("Limit").value, field("Auto-reclose pause").value]).toEqual(["20", "0"]);

  await type(field("Limit"), "30");
  await type(field("Measurement mode"), "1");
  expect(field("Auto-reclose pause").value).toBe("30");
  await type(field("Measurement mode"), "0");
  expect(field("Auto-reclose pause").value).toBe("0");
  await submit("Power limit");
  await click(await found(() => button("Cancel")));

  await found(() => field("Limit").value === "20");
  expect(await sent()).toEqual([]);
});

it("CTRL-034 CTRL-036 additional limits need a measurement mode; without it nothing is sent", async () => {
  const status = { ...device.status, additional_limit: {} };
  const { sent } = await openControl({
    "device/metering_device/7": () => answer({ metering_device: { ...device, status } }),
  });

  await type(field("Limit"), "30");
  await submit("Power limit");

  await found(() => faultAt(field("Measurement mode")) === "A value is missing");
  expect(document.querySelectorAll("dialog")).toHaveLength(1);
  expect(await sent()).toEqual([]);
});

it("CTRL-031 a model without additional limits shows the limit alone", () => {
  const settings = { limit: { kind: "number", minimum: 0, maximum: 60 }, limit_mode: { choices: [] } };
  const [block] = blocksOf({ limit: { active: true, settings } });

  expect(shownFields(block?.commands[0]?.fields ?? [], {}).map(({ key }) => key)).toEqual(["limit"]);
});

it("CTRL-037 CTRL-038 CTRL-039 CTRL-049 CTRL-050 CTRL-078 CTRL-079 a number outside its bounds becomes the bound", async () => {
  await openControl({}, onlyControls("limit", "time_correct", "time_correct2"));
  const both = async (label: string, high: string, low: string) => [
    await enter(label, high),
    await enter(label, low),
  ];
  const [whole, precise] = ["Time correction", "Precise time correction"].map((name) =>
    document.querySelector<HTMLFormElement>(`form[aria-label="${name}"]`),
  );

  expect(await both("Correction", "40", "-99")).toEqual(["30", "−30"]);
  expect(says(/Set to the minimum.*−30|−30/)).toBe(true);
  whole?.remove();
  expect(await both("Correction", "100000", "-1")).toEqual(["86\u00a0400", "0"]);
  expect(await enter("Correction", "12.34")).toBe("12.3");
  expect(precise?.isConnected).toBe(true);
  expect(await both("Limit", "1000", "-5")).toEqual(["60", "0"]);
  expect(await both("Auto-reclose pause", "61", "-1")).toEqual(["60", "0"]);
  expect(await both("Auto-reclose timer", "10", "-1")).toEqual(["9", "0"]);
  expect(await both("Auto-reclose count", "12", "-1")).toEqual(["9", "0"]);
});

it("CTRL-078 CTRL-079 CTRL-080 the notes name the bound, and vanish after 2 s", async () => {
  await openControl({}, onlyControls("limit"));
  const startTimer = setTimeout;
  let vanish: () => void = () => undefined;
  vi.stubGlobal("setTimeout", (run: () => void, ms?: number) => {
    if (ms !== 2000) return startTimer(run, ms);
    vanish = run;
    return 0;
  });
  const note = () => field("Limit").closest(".field")?.querySelector("[aria-live]")?.textContent;
  const range = note();

  await enter("Limit", "1000");
  expect(note()).toContain("60");
  expect(note()).not.toBe(range);
  act(() => vanish());
  expect(note()).toBe(range);

  await enter("Limit", "-1");
  expect(note()).not.toBe(range);
  act(() => vanish());
  expect(note()).toBe(range);
});

it("CTRL-046 CTRL-047 CTRL-048 the clock is set with a day and a time; without a time, at 00:00", async () => {
  const { sent } = await openControl({}, onlyControls("get_datetime", "time_set"));

  await type(field("Date and time"), "26.11.2026");
  const set = async () => {
    await submit("Set date and time");
    await click(await found(() => button("Set date and time")));
    await found(() => !button("Read date and time").disabled);
  };
  await set();
  await type(field("Date and time"), "26.11.2026");
  await type(field("Time"), "14:05");
  await set();

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([
    { management: { time_set: "2026-11-26 00:00" } },
    { management: { time_set: "2026-11-26 14:05:00" } },
  ]);
});

it("CTRL-062 CTRL-063 CTRL-064 CTRL-065 CTRL-066 CTRL-067 CTRL-068 bytes are checked before they are sent", async () => {
  const { sent } = await openControl({}, onlyControls("send_raw_payload"));
  await submit("Free command");
  await found(() => says("A value is missing"));
  await type(field("Port"), "2");
  await type(field("Class"), "C");
  await type(field("Payload"), "0a1");
  await submit("Free command");
  expect(faultAt(field("Payload"))).toBe("The number of hexadecimal digits is odd");
  await type(field("Payload"), "zz");
  await submit("Free command");
  expect(faultAt(field("Payload"))).toBe("Only digits 0–9 and letters A–F are allowed");
  await type(field("Payload"), "0a1b");
  await submit("Free command");
  await click(await found(() => button("Free command")));

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([
    { management: { send_raw_payload: 1, payload: "0a1b", fport: 2, class: "C" } },
  ]);
});

it("CTRL-052 TARIFF-012 the tariff schedule is stored, then written into the device", async () => {
  const stored = vi.fn(() => answer({}));
  const { sent } = await openControl({ "device/save_schedule_electro": stored });

  await click(radio("2"));
  const form = document.querySelector<HTMLElement>('form[aria-label="Tariff schedule"] [type=submit]');
  if (form) await click(form);

  await found(() => says("The device has done it"));
  expect(stored).toHaveBeenCalledOnce();
  expect(await sent()).toMatchObject([
    { management: { set_shedule_tariff: { tariff0: ["23:00"], tariff1: ["07:00"] } } },
  ]);
});
