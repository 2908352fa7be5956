// @vitest-environment happy-dom
import type { DeviceCommand } from "@metrum/contract/headend";
import { beforeEach, expect, it } from "vitest";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal } from "#testing/browser.ts";
import { aCommand, isOn, onlyControls, openControl, radio, waiting } from "#testing/control.tsx";
import { button, click, field, found, says, useScreen } from "#testing/dom.tsx";

useScreen("control", "bridge");
beforeEach(() => startSession("token"));

it("CTRL-018 a reboot is confirmed first, then sends reset", async () => {
  const { sent } = await openControl({}, onlyControls("reset"));

  await click(button("Reboot…"));
  await found(() => says("It cannot be reached") || says("cannot be reached"));
  await click(button("Reboot"));

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([{ management: { reset: 1 } }]);
});

it("CTRL-024 CTRL-026 CTRL-027 power is switched off after a question 25 % wide with its consequence and the load", async () => {
  const { sent } = await openControl({}, onlyControls("power", "relay_state"));
  expect(radio("On").checked).toBe(true);

  await click(radio("Off"));
  await found(() => says("Switch the load: Mill?"));
  const question = [...document.querySelectorAll("dialog")].at(-1);
  expect(question?.dataset["size"]).toBe("25%");
  expect(says("The consumer will have no electricity until the load is switched on again")).toBe(true);
  expect(says("Last reading 84 kW")).toBe(true);
  expect(document.activeElement?.textContent).toBe("Cancel");
  await click(button("Switch off"));

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([{ management: { power: 0 } }]);
});

it.each([
  ["measured", { power_active: 4.2, power_active_kkt: 84.5 }, "Load 84.5 kW"],
  ["measured", { power_active: 4.2 }, "Load 4.2 kW"],
  ["suspect", { power_active: 4.2 }, "Last reading 84 kW"],
  ["measured", { power_active: null }, "Last reading 84 kW"],
  ["measured", { power_active: 4.2, power_active_status: "suspect" }, "Last reading 84 kW"],
  ["suspect", { power_active: 4.2, power_active_status: "measured" }, "Load 4.2 kW"],
] as const)(
  "CTRL-024 the load beside the switch is the newest power, of the primary side: %s %j",
  async (status, values, said) => {
    const at = Math.floor(Date.now() / 1000) - 600;
    const row = {
      datetime: at,
      realdatetime: at,
      created_at: at,
      message_api: false,
      status,
      source: "polled",
    };
    const summary = {
      ...{ expected: null, received: null, received_share: null, gaps: [], gap_count: 0, totals: [] },
      ...{ tg_phi: null, totals_from: null },
    };
    const header = { name: "power_active", title: "Power", title_en: "Power", unit: "kW", decimals: 3 };
    await openControl(
      {
        "device/messages": () =>
          answer({
            ...{ data: [{ ...row, ...values }], fields_headers: [header] },
            ...{ "max_r/a": 0, max_ra_percent: 0, truncated: false, summary },
          }),
      },
      onlyControls("power"),
      { instants: { msgTypes: [2], chart_fields: [] } },
    );

    await found(() => says(said));
  },
);

it("CTRL-025 CTRL-028 CTRL-029 a cancelled or refused change returns to the previous state", async () => {
  const { sent } = await openControl(
    {
      "device/control": () => refusal(409, "control_repeated", "The same command has already been sent"),
    },
    onlyControls("power", "valve"),
  );

  await click(radio("Off"));
  await click(await found(() => button("Cancel")));
  await found(() => radio("On").checked);
  expect(await sent()).toEqual([]);

  await click(radio("Closed"));
  await click(await found(() => button("Close")));
  await found(() => says("The same command has already been sent"));
  expect(await sent()).toMatchObject([{ management: { valve: 0 } }]);
  expect(radio("Closed").checked).toBe(false);
});

it("CTRL-084 CTRL-105 a command that waits is shown as awaited, never as done; it can be cancelled", async () => {
  const queue: DeviceCommand[] = [];
  await openControl(
    {
      "device/control": () => {
        queue.push(aCommand({ state: "queued" }));
        return waiting();
      },
      "device/control/list": () => answer({ commands: pageOf(queue) }),
      "task/device/cancel": () => {
        queue[0] = aCommand({ state: "cancelled" });
        return answer({ cancelled: 1 }, 200, { msg: "Cancelled" });
      },
    },
    onlyControls("power", "relay_state"),
  );

  await click(radio("Off"));
  await click(await found(() => button("Switch off")));
  await found(() => says("Off, waiting for the device") && says("Gives up"));
  expect(button("Relay state").disabled).toBe(true);
  await click(await found(() => [...document.querySelectorAll<HTMLElement>(".control-history button")][0]));

  await found(() => radio("On").checked && !button("Relay state").disabled);
  expect(says("Cancelled")).toBe(true);
});

it("CTRL-014 CTRL-011 a toggle returns to its previous value when its command fails", async () => {
  await openControl(
    { "device/control": () => refusal(409, "control_frozen", "Stopped by the provider") },
    onlyControls("mg08"),
  );
  expect(isOn("Test mode")).toBe(false);
  await click(field("Test mode"));

  await found(() => says("Stopped by the provider"));
  await found(() => !isOn("Test mode"));
});

it("CTRL-094 the solenoid valve is a toggle: asked first, sent as its new state, back when cancelled", async () => {
  const { sent } = await openControl({}, onlyControls("mg08"));

  await click(field("Solenoid valve closed"));
  await found(() => says("The supply of the consumer will stop or start"));
  await click(button("Cancel"));
  await found(() => !isOn("Solenoid valve closed"));
  await click(field("Solenoid valve closed"));
  await click(await found(() => button("Solenoid valve closed")));

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([{ management: { solenoid_valve_closed: true } }]);
});

it("CTRL-042 CTRL-096 the seal and the release of the lock are asked for first, then sent", async () => {
  const { sent } = await openControl({}, { ...onlyControls("set_plomb"), unblock: { active: true } });

  for (const name of ["Electronic seal", "Unblock"]) {
    await click(button(`${name}…`));
    await click(await found(() => button(name)));
    await found(() => !button(`${name}…`).disabled);
  }

  expect(await sent()).toMatchObject([{ management: { set_plomb: 1 } }, { management: { unblock: 1 } }]);
});

it("the load stands beside the switch, and the last command with its outcome on its card", async () => {
  const { sent } = await openControl(
    {
      "device/control/list": () =>
        answer({ commands: pageOf([aCommand({ state: "expired", ended_at: 1_793_491_900 })]) }),
    },
    onlyControls("power"),
  );

  const card = document.querySelector(".control-card");
  expect(card?.textContent).toContain("Last reading 84 kW");
  expect(card?.querySelector("[data-state=expired]")?.textContent).toContain("Expired");
  await click(await found(() => card?.querySelector<HTMLElement>("[data-state=expired] button")));
  await found(() => says("Switch the load: Mill?"));
  await click(button("Switch off"));

  await found(() => says("The device has done it"));
  expect(await sent()).toMatchObject([{ management: { power: 0 } }]);
});
