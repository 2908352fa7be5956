import type { DeviceCommand } from "@metrum/contract/headend";
import type { DeviceModel } from "@metrum/contract/metering";
import { act } from "react";
import { vi } from "vitest";
import { loadSession } from "#lib/session";
import { ControlDialog } from "#control";
import { answer, pageOf, stubServer } from "./browser.ts";
import { draw, field, found, type } from "./dom.tsx";
import { anAccess, asUser } from "./session.ts";

const byte = { kind: "number", unit: "none", minimum: 0, maximum: 255, step: 1 };
export const controls = {
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
  lartech_settings: { active: true, settings: { task_id: { minimum: 1, maximum: 4 } } },
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
      co_exit_alarm: { ...byte, maximum: 500 },
      gas_alarm: { ...byte, maximum: 500 },
      gas_exit_alarm: { ...byte, maximum: 500 },
    },
  },
};

/** Controls of a model that has only these. */
export const onlyControls = (...keys: readonly (keyof typeof controls)[]) =>
  Object.fromEntries(keys.map((key) => [key, controls[key]]));

const told_at = { power: 1_793_491_200 };
export const model = {
  ...{ id: 101, title: "Line", brand_id: 1, brand: "Acme", device_group_id: 4, device_type_id: 3 },
  ...{
    interface_ids: [4],
    protocol: "modbus-rtu",
    tabs: {} as DeviceModel["tabs"],
    fields: [],
    has_own_starting_value: false,
  },
  options: { control: controls, virtual_bridge: { active: true } },
  ...{ has_login: false, has_vectors: false },
};
export const device = {
  ...{ id: 7, name: "Mill", place: "Orkhon", deviceID: "SN-1", inside_addr: "1", interface_id: 4 },
  ...{ model_id: 101, timezone_name: "Asia/Ulaanbaatar", report_period_update: 3600 },
  ...{ warning_report_period: 86_400, impulse_weight: 1, starting_value: 0, transformation_ratio: 1 },
  ...{ properties: {}, secrets: [], version: 1, gatewayID: null, gateway: null, base_station: null },
  ...{ model_title: "Line", device_type_id: 3, device_group_id: 4, resource_type_id: 3, deviceTimezone: 8 },
  status: { power: 1, last_set_limit: 20, additional_limit: { limit_mode: 0, apv_pause: 0 }, told_at },
  ...{ is_active: true, is_archived: false, is_deleted: false, state: "never", last_data_at: null },
  last_reading: { field: "power_a_plus", value: 84, unit: "kW", at: 1_793_491_200 },
  ...{ completeness: [], created_at: 1_790_000_000, model, device_fields_titles: [], tied_point: null },
};
const aTask = (ended_at: number | null) => ({
  ...{ id: 3, title: "", title_en: "", command_type: "control", status_id: 1, device_ids: [7] },
  ...{ created_at: 0, expires_at: 1, ended_at, user_id: 1, user_name: "N" },
  ...{ device_count: 1, done_count: 0, failed_count: 0 },
});
export const aCommand = (more: Partial<DeviceCommand> = {}): DeviceCommand => ({
  ...{ id: 1, device_task_id: 3, device_id: 7, key: "power", management: { power: 0 }, state: "done" },
  ...{ user_id: 1, user_name: "Engineer", created_at: 1_793_491_200, expires_at: 1_793_491_800 },
  ...{
    sent_at: null,
    ended_at: null,
    attempts: 1,
    result_code: null,
    message: "",
    message_code: null,
    before: null,
    after: null,
  },
  ...more,
});
export const done = () =>
  answer({ msg: "The device has done it", control_set: { result: "ok" }, device_task: aTask(9) });
export const waiting = () => answer({ msg: "Accepted", control_set: {}, device_task: aTask(null) });

/** Opens the dialog of a device whose model has these controls, and returns the commands that it sends. */
export async function openControl(
  answers: Readonly<Record<string, () => Response>> = {},
  control: Readonly<Record<string, unknown>> = controls,
  tabs: typeof model.tabs = {},
) {
  const shown = { ...device, model: { ...model, tabs, options: { ...model.options, control } } };
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/metering_device/7": () => answer({ metering_device: shown }),
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
  const inputs = () => [
    ...document.querySelectorAll<HTMLButtonElement | HTMLFieldSetElement | HTMLInputElement>(
      ".control-actions button, .control-blocks fieldset, .control-blocks [role=switch]",
    ),
  ];
  // Enabled a while after loading.
  await found(() => inputs().every((each) => !each.disabled));
  const sent = () =>
    Promise.all(
      requests
        .filter(({ url }) => url.endsWith("/device/control"))
        .map((each): Promise<unknown> => each.clone().json()),
    );
  return { sent, onClose };
}

export function radio(label: string): HTMLInputElement {
  const all = [...document.querySelectorAll<HTMLInputElement>("[type=radio]")];
  const wanted = all.find((each) => each.getAttribute("aria-label") === label);
  if (!wanted) throw new Error(`no choice "${label}"`);
  return wanted;
}
export const isOn = (label: string) =>
  [...document.querySelectorAll<HTMLInputElement>("[role=switch]")].some(
    (each) => each.checked && each.parentElement?.textContent === label,
  );

/** Submits the form of a command by its name. */
export const submit = (name: string) =>
  act(async () => {
    document.querySelector<HTMLFormElement>(`form[aria-label="${name}"]`)?.requestSubmit();
    await Promise.resolve();
  });

/** Leaves a field after typing into it. Returns what it shows then. */
export async function enter(label: string, text: string): Promise<string> {
  await type(field(label), text);
  await act(async () => {
    field(label).blur();
    await Promise.resolve();
  });
  return field(label).value;
}
