// @vitest-environment happy-dom
import type { DeviceCommand } from "@metrum/contract";
import { act } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { snackQueue } from "#ui/snackbar";
import { answer, pageOf, refusal, stubServer } from "../../testing/browser.ts";
import {
  button,
  click,
  draw,
  faultAt,
  field,
  found,
  press,
  says,
  type,
  useScreen,
} from "../../testing/dom.tsx";
import { anAccess, asUser } from "../../testing/session.ts";
import { ControlDialog } from "./ControlDialog.tsx";
import { shownFields } from "./argumentForm.ts";
import { hasControls } from "./hasControls.ts";
import { blocksOf } from "./offered.ts";

useScreen("control");
beforeEach(() => startSession("token"));

const byte = { kind: "number", unit: "none", minimum: 0, maximum: 255, step: 1 };
const controls = {
  power: { active: true, settings: { power: { kind: "choice", choices: [1, 0] } } },
  relay_state: { active: true },
  valve: { active: true, settings: { valve: { kind: "choice", choices: [1, 0] } } },
  unblock: { active: false },
  limit: {
    active: true,
    settings: {
      limit: { kind: "number", unit: "kW", minimum: 0, maximum: 60, step: 0.1 },
      limit_mode: { kind: "choice", choices: [0, 1] },
      apv_pause: { ...byte, maximum: 60 },
      apv_timer: { ...byte, maximum: 9 },
      apv_count: { ...byte, maximum: 9 },
    },
  },
  limit_state: { active: true },
  get_datetime: { active: true },
  time_set: { active: true, settings: { time_set: { kind: "datetime" } } },
  time_correct: {
    active: true,
    settings: { time_correct: { ...byte, unit: "second", minimum: -30, maximum: 30 } },
  },
  set_shedule_tariff: { active: true, settings: {} },
  get_shedule_tariff: { active: true },
  set_special_day: { active: true, settings: {} },
  get_special_day: { active: true },
  get_settings: { active: true },
  get_setpoints: { active: true },
  read_info: { active: true },
  reset: { active: true },
  mts_activate: { active: true },
  complex_set: { active: true, settings: {} },
  report_period: { active: true, settings: {} },
  set_plomb: { active: true },
  setFrequency: { active: true, settings: {} },
  measurement_mode: { active: true, settings: {} },
  set_settings: { active: true, settings: {} },
  set_setpoint: { active: true, settings: {} },
  time_correct2: { active: true, settings: {} },
  vega_settings: { active: true, settings: {} },
  send_raw_payload: { active: true, settings: { payload: { kind: "bytes", minimum: 2, maximum: 444 } } },
  mg08: {
    active: true,
    properties: {
      muffling: { kind: "read" },
      get_alarm_value: { kind: "read" },
      get_exit_alarm_value: { kind: "read" },
      test_mode: { kind: "toggle" },
      solenoid_valve_closed: { kind: "toggle" },
      co_alarm: { ...byte, maximum: 500 },
    },
  },
};
const told_at = { power: 1_793_491_200 };
const model = {
  ...{ id: 101, title: "Line", brand_id: 1, brand: "Acme", device_group_id: 4, device_type_id: 3 },
  ...{ interface_ids: [4], protocol: "modbus-rtu", tabs: {}, fields: [], has_own_starting_value: false },
  options: { control: controls, virtual_bridge: { active: true } },
  ...{ has_login: false, has_vectors: false },
};
const device = {
  ...{ id: 7, name: "Mill", place: "Orkhon", deviceID: "SN-1", inside_addr: "1", interface_id: 4 },
  ...{ model_id: 101, timezone_name: "Asia/Ulaanbaatar", report_period_update: 3600 },
  ...{ warning_report_period: 86_400, impulse_weight: 1, starting_value: 0, transformation_ratio: 1 },
  ...{ properties: {}, secrets: [], version: 1, gatewayID: null, gateway: null, base_station: null },
  ...{ model_title: "Line", device_type_id: 3, device_group_id: 4, resource_type_id: 3, deviceTimezone: 8 },
  status: { power: 1, last_set_limit: 20, additional_limit: { limit_mode: 0, apv_pause: 0 }, told_at },
  ...{ is_active: true, is_archived: false, is_deleted: false, state: "never", last_data_at: null },
  last_reading: { field: "power_a_plus", value: 84, unit: "kW", at: 1_793_491_200 },
  ...{ completeness: [], created_at: 1_790_000_000, model, device_fields_titles: [] },
};
const aTask = (ended_at: number | null) => ({
  ...{ id: 3, title: "", title_en: "", command_type: "control", status_id: 1, device_ids: [7] },
  ...{ created_at: 0, expires_at: 1, ended_at, user_id: 1, user_name: "N" },
  ...{ device_count: 1, done_count: 0, failed_count: 0 },
});
const aCommand = (more: Partial<DeviceCommand> = {}): DeviceCommand => ({
  ...{ id: 1, device_task_id: 3, device_id: 7, key: "power", management: { power: 0 }, state: "done" },
  ...{ user_id: 1, user_name: "Engineer", created_at: 1_793_491_200, expires_at: 1_793_491_800 },
  ...{
    sent_at: null,
    ended_at: null,
    attempts: 1,
    result_code: null,
    message: "",
    before: null,
    after: null,
  },
  ...more,
});
const done = () =>
  answer({ msg: "The device has done it", control_set: { result: "ok" }, device_task: aTask(9) });
const waiting = () => answer({ msg: "Accepted", control_set: {}, device_task: aTask(null) });

async function open(answers: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/metering_device/7": () => answer({ metering_device: device }),
    "device/control/list": () => answer({ commands: pageOf([]) }),
    "device/control/state": () => answer({ freezes: [], asks_second_factor: false }),
    "device/get_schedule": () => answer({ schedule: { id: 7, device_id: 7, rules: {}, saved_at: null } }),
    "device/control": done,
    ...answers,
  });
  await loadSession();
  const onClose = vi.fn();
  await draw(<ControlDialog device_id={7} model_id={101} onClose={onClose} />);
  await found(() => document.querySelector(".control-blocks .control-card"));
  await found(() => !button("Relay state").disabled);
  const sent = () =>
    Promise.all(
      requests
        .filter(({ url }) => url.endsWith("/device/control"))
        .map((each): Promise<unknown> => each.clone().json()),
    );
  return { sent, onClose };
}

function radio(label: string): HTMLInputElement {
  const all = [...document.querySelectorAll<HTMLInputElement>("[type=radio]")];
  const wanted = all.find((each) => each.getAttribute("aria-label") === label);
  if (!wanted) throw new Error(`no choice "${label}"`);
  return wanted;
}
const isOn = (label: string) =>
  [...document.querySelectorAll<HTMLInputElement>("[role=switch]")].some(
    (each) => each.checked && each.parentElement?.textContent === label,
  );

describe("frame", () => {
  it("CTRL-001 CTRL-002 without a device, or one that cannot be read, msg_79 is shown and the dialog closes", async () => {
    stubServer({ ...asUser(anAccess("admin")) });
    await loadSession();
    const onClose = vi.fn();

    await draw(<ControlDialog device_id={undefined} model_id={undefined} onClose={onClose} />);

    await found(() => says("There are no data for the device; the control window is closed"));
    expect(onClose).toHaveBeenCalled();
  });

  it("CTRL-003 CTRL-004 CTRL-005 95 % wide, a spinner until the device is loaded, enabled 100 ms later", async () => {
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
    expect(button("Relay state").disabled).toBe(true);
    act(() => enable());

    expect(button("Relay state").disabled).toBe(false);
  });

  it("CTRL-006 CTRL-007 CTRL-009 CTRL-071 active controls of the model are drawn, others are not", async () => {
    await open();

    for (const name of [
      "Load",
      "Power limit",
      "Date and time",
      "Tariff schedule",
      "Gas alarm",
      "Free command",
    ])
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
    await open();
    const cards = () => document.querySelectorAll(".control-card").length;
    const all = cards();

    await type(field("Find a command"), "correction");
    expect(cards()).toBe(1);
    expect(says("Date and time")).toBe(true);
    await type(field("Find a command"), "");
    expect(cards()).toBe(all);
    await click(button("Fold: Load"));
    expect(() => button("Relay state")).toThrow();
    expect(button("Unfold: Load").getAttribute("aria-expanded")).toBe("false");
  });

  it("CTRL-074 CTRL-075 CTRL-076 CTRL-077 CTRL-082 one command at a time: all controls wait for its answer", async () => {
    let isAnswered: (value: Response) => void = () => undefined;
    const { sent } = await open();
    const served = fetch;
    vi.stubGlobal("fetch", (address: string, init: RequestInit) =>
      address.endsWith("device/control")
        ? (served(address, init), new Promise<Response>((resolve) => (isAnswered = resolve)))
        : served(address, init),
    );

    await click(button("Relay state"));
    await found(() => button("Relay state").disabled && button("Reboot").disabled);
    await act(async () => {
      isAnswered(done());
      await Promise.resolve();
    });

    await found(() => says("The device has done it"));
    expect(snackQueue.get().map(({ kind }) => kind)).toEqual(["brief"]);
    await found(() => !button("Reboot").disabled);
    expect(await sent()).toEqual([
      { id: 7, management: { relay_state: 1 }, title: "Состояние реле", title_en: "Relay state" },
    ]);
  });
});

describe("commands", () => {
  it.each([
    ["CTRL-015", "Read settings", { get_settings: 1 }],
    ["CTRL-016", "Read setpoints", { get_setpoints: 1 }],
    ["CTRL-017", "Read device information", { read_info: 1 }],
    ["CTRL-023", "Relay state", { relay_state: 1 }],
    ["CTRL-032", "Read the power limit", { limit_state: 1 }],
    ["CTRL-045", "Read date and time", { get_datetime: 1 }],
    ["CTRL-051", "Read the tariff schedule", { get_shedule_tariff: 1 }],
    ["CTRL-070 SPECDAY-011", "Read the special days", { get_special_day: 1 }],
    ["CTRL-058", "Activate data transfer", { mts_activate: 1 }],
    ["CTRL-010", "Muffle the alarm", { muffling: 1 }],
    ["CTRL-092", "Read the alarm thresholds", { get_alarm_value: 1 }],
    ["CTRL-093", "Read the exit thresholds", { get_exit_alarm_value: 1 }],
  ])("%s button %s", async (_, name, management) => {
    const { sent } = await open();

    await click(button(name));

    await found(() => says("The device has done it"));
    expect(await sent()).toMatchObject([{ management }]);
  });

  it("CTRL-018 a reboot is confirmed first, then sends reset", async () => {
    const { sent } = await open();

    await click(button("Reboot"));
    await found(() => says("It cannot be reached") || says("cannot be reached"));
    await click(button("Reboot"));

    await found(() => says("The device has done it"));
    expect(await sent()).toMatchObject([{ management: { reset: 1 } }]);
  });

  it("CTRL-024 CTRL-026 CTRL-027 power is switched off after a question 25 % wide with its consequence and the load", async () => {
    const { sent } = await open();
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

  it("CTRL-025 CTRL-028 CTRL-029 a cancelled or refused change returns to the previous state", async () => {
    const { sent } = await open({
      "device/control": () => refusal(409, "control_repeated", "The same command has already been sent"),
    });

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
    await open({
      "device/control": () => {
        queue.push(aCommand({ state: "queued" }));
        return waiting();
      },
      "device/control/list": () => answer({ commands: pageOf(queue) }),
      "task/device/cancel": () => {
        queue[0] = aCommand({ state: "cancelled" });
        return answer({ cancelled: 1 }, 200, { msg: "Cancelled" });
      },
    });

    await click(radio("Off"));
    await click(await found(() => button("Switch off")));
    await found(() => says("Off, waiting for the device") && says("Gives up"));
    expect(button("Relay state").disabled).toBe(true);
    await click(await found(() => [...document.querySelectorAll<HTMLElement>(".control-history button")][0]));

    await found(() => radio("On").checked && !button("Relay state").disabled);
    expect(says("Cancelled")).toBe(true);
  });

  it("CTRL-014 CTRL-011 a toggle returns to its previous value when its command fails", async () => {
    await open({ "device/control": () => refusal(409, "control_frozen", "Stopped by the provider") });
    expect(isOn("Test mode")).toBe(false);
    await click(field("Test mode"));

    await found(() => says("Stopped by the provider"));
    await found(() => !isOn("Test mode"));
  });

  it("CTRL-030 CTRL-031 CTRL-033 CTRL-035 CTRL-040 CTRL-041 CTRL-083 the limit and its mode, confirmed, and back when cancelled", async () => {
    const { sent } = await open();
    expect([field("Limit").value, field("Auto-reclose pause").value]).toEqual(["20", "0"]);

    await type(field("Limit"), "30");
    await type(field("Measurement mode"), "1");
    expect(field("Auto-reclose pause").value).toBe("30");
    await type(field("Measurement mode"), "0");
    expect(field("Auto-reclose pause").value).toBe("0");
    const form = document.querySelector<HTMLFormElement>('form[aria-label="Power limit"]');
    await act(async () => {
      form?.requestSubmit();
      await Promise.resolve();
    });
    await click(await found(() => button("Cancel")));

    await found(() => field("Limit").value === "20");
    expect(await sent()).toEqual([]);
  });

  it("CTRL-034 CTRL-036 additional limits need a measurement mode; without it nothing is sent", async () => {
    const status = { ...device.status, additional_limit: {} };
    const { sent } = await open({
      "device/metering_device/7": () => answer({ metering_device: { ...device, status } }),
    });

    await type(field("Limit"), "30");
    const form = document.querySelector<HTMLFormElement>('form[aria-label="Power limit"]');
    await act(async () => {
      form?.requestSubmit();
      await Promise.resolve();
    });

    await found(() => faultAt(field("Measurement mode")) === "A value is missing");
    expect(document.querySelectorAll("dialog")).toHaveLength(1);
    expect(await sent()).toEqual([]);
  });

  it("CTRL-031 a model without additional limits shows the limit alone", () => {
    const settings = { limit: { kind: "number", minimum: 0, maximum: 60 }, limit_mode: { choices: [] } };
    const [block] = blocksOf({ limit: { active: true, settings } });

    expect(shownFields(block?.commands[0]?.fields ?? [], {}).map(({ key }) => key)).toEqual(["limit"]);
  });

  it("CTRL-037 CTRL-049 CTRL-078 CTRL-079 CTRL-080 a number outside its bounds becomes the bound, with a note for 2 s", async () => {
    await open();
    const enter = async (label: string, text: string) => {
      await type(field(label), text);
      await act(async () => {
        field(label).blur();
        await Promise.resolve();
      });
      return field(label).value;
    };

    expect([await enter("Correction", "40"), await enter("Correction", "-99")]).toEqual(["30", "−30"]);
    expect(says(/−30/)).toBe(true);
    expect(await enter("Limit", "1000")).toBe("60");
  });

  it("CTRL-046 CTRL-047 CTRL-048 the clock is set with a day and a time; without a time, at 00:00", async () => {
    const { sent } = await open();

    await type(field("Date and time"), "26.11.2026");
    const form = document.querySelector<HTMLFormElement>('form[aria-label="Set date and time"]');
    const submit = async () => {
      await act(async () => {
        form?.requestSubmit();
        await Promise.resolve();
      });
      await click(await found(() => button("Set date and time")));
      await found(() => !button("Relay state").disabled);
    };
    await submit();
    await type(field("Date and time"), "26.11.2026");
    await type(field("Time"), "14:05");
    await submit();

    await found(() => says("The device has done it"));
    expect(await sent()).toMatchObject([
      { management: { time_set: "2026-11-26 00:00" } },
      { management: { time_set: "2026-11-26 14:05:00" } },
    ]);
  });

  it("CTRL-062 CTRL-063 CTRL-064 CTRL-065 CTRL-066 CTRL-067 CTRL-068 bytes are checked before they are sent", async () => {
    const { sent } = await open();
    const form = () => document.querySelector<HTMLFormElement>('form[aria-label="Free command"]');
    const submit = () =>
      act(async () => {
        form()?.requestSubmit();
        await Promise.resolve();
      });

    await submit();
    await found(() => says("A value is missing"));
    await type(field("Port"), "2");
    await type(field("Class"), "C");
    await type(field("Payload"), "0a1");
    await submit();
    expect(faultAt(field("Payload"))).toBe("The number of hexadecimal digits is odd");
    await type(field("Payload"), "zz");
    await submit();
    expect(faultAt(field("Payload"))).toBe("Only digits 0–9 and letters A–F are allowed");
    await type(field("Payload"), "0a1b");
    await submit();
    await click(await found(() => button("Free command")));

    await found(() => says("The device has done it"));
    expect(await sent()).toMatchObject([
      { management: { send_raw_payload: 1, payload: "0a1b", fport: 2, class: "C" } },
    ]);
  });

  it("CTRL-052 TARIFF-012 the tariff schedule is stored, then written into the device", async () => {
    const stored = vi.fn(() => answer({}));
    const { sent } = await open({ "device/save_schedule_electro": stored });

    await click(radio("2"));
    const form = document.querySelector<HTMLElement>('form[aria-label="Tariff schedule"] [type=submit]');
    if (form) await click(form);

    await found(() => says("The device has done it"));
    expect(stored).toHaveBeenCalledOnce();
    expect(await sent()).toMatchObject([
      { management: { set_shedule_tariff: { tariff0: ["23:00"], tariff1: ["07:00"] } } },
    ]);
  });
});

describe("history", () => {
  it("CTRL-085 CTRL-108 who, when, what and the outcome; an unknown one is read back, never sent again", async () => {
    const { sent } = await open({
      "device/control/list": () =>
        answer({
          commands: pageOf([
            aCommand({ id: 2, state: "unknown", message: "connection lost after sending" }),
            aCommand({ id: 1, state: "failed", message: "refused by the meter" }),
          ]),
        }),
    });

    await found(
      () => says("Outcome unknown, connection lost after sending") && says("Failed, refused by the meter"),
    );
    expect(says("Engineer") && says("Load Switch off")).toBe(true);
    expect(() => button("Send again")).toThrow();
    await click(button("Read it back"));

    await found(() => says("The device has done it"));
    expect(await sent()).toMatchObject([{ management: { relay_state: 1 } }]);
  });

  it("CTRL-109 a freeze by the provider is visible with its reason", async () => {
    await open({
      "device/control/state": () =>
        answer({ freezes: [{ company_id: null, reason: "Flood", since: 1 }], asks_second_factor: false }),
    });

    await found(() => says("The provider has stopped control of devices: Flood"));
  });

  it("CTRL-104 a command that asks for a proof asks for the password, and is sent with it", async () => {
    let asked = 0;
    const { sent } = await open({
      "device/control": () => {
        asked += 1;
        return asked === 1 ? refusal(409, "control_proof", "Confirm the command") : done();
      },
    });

    await click(button("Relay state"));
    await found(() => says("Enter your password again"));
    await type(field("Password"), "secret-1");
    await press("Enter");

    await found(() => says("The device has done it"));
    expect((await sent()).at(-1)).toMatchObject({ current_password: "secret-1" });
  });

  it("CTRL-090 each block says when it was read", async () => {
    await open();

    expect(says(/Read 01\.11\.2026/) || says(/Read \d\d\.\d\d\.2026/)).toBe(true);
    expect(says("Never read")).toBe(true);
  });
});
