// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { snackQueue } from "#ui/snackbar";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { device, done, model, onlyControls, openControl } from "#testing/control.tsx";
import { button, click, draw, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { ControlDialog } from "./ControlDialog.tsx";
import { hasControls } from "./hasControls.ts";

useScreen("control", "bridge");
beforeEach(() => startSession("token"));

it("CTRL-002 without a device, or one that cannot be read, msg_79 is shown and the dialog closes", async () => {
  stubServer({ ...asUser(anAccess("admin")) });
  await loadSession();
  const onClose = vi.fn();

  await draw(<ControlDialog device_id={undefined} model_id={undefined} onClose={onClose} />);

  await found(() => says("There are no data for the device; the control window is closed"));
  expect(onClose).toHaveBeenCalled();
});

it("CTRL-001 CTRL-003 CTRL-004 CTRL-005 the dialog of a device_id and model_id: 95 % wide, a spinner until the device is loaded, enabled 100 ms later", async () => {
  let isLoaded: (value: Response) => void = () => undefined;
  let enable: () => void = () => undefined;
  stubServer({
    ...asUser(anAccess("admin")),
    "device/control/list": () => answer({ commands: pageOf([]) }),
    "device/control/state": () => answer({ freezes: [], asks_second_factor: false }),
    "device/get_schedule": () => answer({ schedule: { id: 7, device_id: 7, rules: {}, saved_at: null } }),
  });
  await loadSession();
  const served = fetch;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) =>
    address.includes("metering_device/7")
      ? new Promise<Response>((resolve) => (isLoaded = resolve))
      : served(address, init),
  );

  await draw(<ControlDialog device_id={7} model_id={101} onClose={() => undefined} />);
  await found(() => document.querySelector(".spinner"));
  expect(document.querySelector("dialog")?.dataset["size"]).toBe("95%");
  // The delay is held back, so that its end does not depend on the speed of the machine.
  const startTimer = setTimeout;
  vi.stubGlobal("setTimeout", (run: () => void, ms?: number) => {
    if (ms !== 100) return startTimer(run, ms);
    enable = run;
    return 0;
  });
  await act(async () => {
    isLoaded(answer({ metering_device: device }));
    await Promise.resolve();
  });
  await found(() => document.querySelector(".control-card"));
  expect(says("Mill")).toBe(true);
  expect(button("Relay state").disabled).toBe(true);
  act(() => enable());

  expect(button("Relay state").disabled).toBe(false);
});

it("CTRL-006 CTRL-007 CTRL-009 CTRL-071 active controls of the model are drawn, others are not", async () => {
  await openControl();

  for (const name of ["Load", "Power limit", "Date and time", "Tariff schedule", "Gas alarm", "Free command"])
    expect(says(name), name).toBe(true);
  expect(says("Unblock")).toBe(false);
  expect(says("Setpoints")).toBe(true);
  expect(says("Invisible")).toBe(false);
});

it("CTRL-072 CTRL-073 the dialog is offered for a device in place whose model has more than requests", () => {
  const inPlace = { is_archived: false, is_deleted: false, model };
  const requestsOnly = { ...model, options: { control: { now_value: { active: true } } } };

  expect(hasControls(inPlace)).toBe(true);
  expect(hasControls({ ...inPlace, is_archived: true })).toBe(false);
  expect(hasControls({ ...inPlace, is_deleted: true })).toBe(false);
  expect(hasControls({ ...inPlace, model: requestsOnly })).toBe(false);
});

it("CTRL-091 blocks are found by the names of their commands, and can be folded", async () => {
  await openControl();
  const cards = () => document.querySelectorAll(".control-card").length;
  const all = cards();
  const box = await found(() => document.querySelector<HTMLInputElement>(".control-head [role=searchbox]"));

  await type(box, "correction");
  await found(() => cards() === 1);
  expect(says("Date and time")).toBe(true);
  // Escape clears the text; the dialog stays.
  box.focus();
  await press("Escape");
  await found(() => cards() === all);
  await click(button("Fold: Load"));
  expect(() => button("Relay state")).toThrow();
  expect(button("Unfold: Load").getAttribute("aria-expanded")).toBe("false");
});

it("CTRL-074 CTRL-075 CTRL-076 CTRL-077 CTRL-082 one command at a time: all controls wait for its answer", async () => {
  let isAnswered: (value: Response) => void = () => undefined;
  const { sent } = await openControl({}, onlyControls("relay_state", "reset"));
  const served = fetch;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) =>
    address.endsWith("device/control")
      ? (served(address, init), new Promise<Response>((resolve) => (isAnswered = resolve)))
      : served(address, init),
  );

  await click(button("Relay state"));
  await found(() => button("Relay state").disabled && button("Reboot…").disabled);
  await act(async () => {
    isAnswered(done());
    await Promise.resolve();
  });

  await found(() => says("The device has done it"));
  expect(snackQueue.get().map(({ kind }) => kind)).toEqual(["brief"]);
  await found(() => !button("Reboot…").disabled);
  expect(await sent()).toEqual([
    { id: 7, management: { relay_state: 1 }, title: "Состояние реле", title_en: "Relay state" },
  ]);
});
