// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { messageText } from "#ui/snackbar";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { aGateway, aStation } from "#testing/carriers.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { DeviceDialog } from "./DeviceDialog.tsx";

useScreen("devices", "deviceForm");
const onClose = vi.fn();
beforeEach(() => {
  onClose.mockClear();
  startSession("token");
});

const options = { control: {}, virtual_bridge: { active: true } };
const model = (id: number, title: string, more: object = {}) => ({
  id,
  title,
  brand_id: 1,
  brand: "Acme",
  device_group_id: 4,
  device_type_id: 3,
  interface_ids: [4],
  protocol: "modbus-rtu",
  options,
  tabs: { power_profiles: { msgTypes: [5], chart_fields: [] } },
  fields: [],
  has_own_starting_value: false,
  has_login: false,
  has_vectors: false,
  ...more,
});
const radio = model(311, "Radio", {
  device_group_id: 1,
  interface_ids: [5],
  options: { control: {}, virtual_bridge: { active: false } },
  tabs: {},
});
const reader = model(551, "Reader", { has_login: true, tabs: {} });
const sheet = (id: number, secrets: readonly string[], settings: readonly string[]) => () =>
  answer({
    model: {
      ...{
        id,
        kind: "meter",
        title: "Model",
        brand: "Acme",
        interface_ids: [4],
        protocol: null,
        connection: null,
      },
      ...{
        device_group_id: 4,
        device_type_id: 3,
        fields: [],
        tabs: {},
        controls: [],
        archives: [],
        rules: [],
      },
      ...{ profile_from: null, counter_capacity: null, evidence: [], comparisons: [], sources: [] },
      ...{ secrets, settings },
    },
  });
const catalogue = {
  "device/model/metering_devices": () => answer({ metering_devices: [model(101, "Line"), radio, reader] }),
  "device/model/sheet/101": sheet(101, [], ["transformation_ratio"]),
  "device/model/sheet/311": sheet(311, ["encryption"], []),
  "device/model/sheet/551": sheet(551, ["password"], []),
};
const stored = {
  id: 7,
  name: "Substation 4",
  place: "Basement",
  deviceID: "SN-1",
  inside_addr: "17",
  interface_id: 5,
  model_id: 311,
  timezone_name: "Asia/Ulaanbaatar",
  report_period_update: 5400,
  warning_report_period: 86_400,
  impulse_weight: 1,
  starting_value: 0,
  transformation_ratio: 1,
  properties: { type_water_meter: 1, service_params: { note: "Key at the porter", seal: "A" } },
  secrets: ["encryption"],
  version: 3,
  // Shown by the list and the data page, and not by the form.
  ...{ gatewayID: null, gateway: null, base_station: null, model_title: "Radio", device_type_id: 3 },
  ...{ device_group_id: 1, resource_type_id: 1, deviceTimezone: 8, status: {}, is_active: true },
  ...{ is_archived: false, is_deleted: false, state: "never", last_data_at: null, last_reading: null },
  ...{
    completeness: [],
    created_at: 1_790_000_000,
    model: radio,
    device_fields_titles: [],
    tied_point: null,
  },
};

const cellar = aGateway({ id: 12, name: "Cellar", device_id: "350000000000017" });

async function open(id: number | null, answers: Readonly<Record<string, () => Response>>) {
  const requests = stubServer({ ...asUser(anAccess("admin")), ...catalogue, ...answers });
  await loadSession();
  await draw(<DeviceDialog id={id} onClose={onClose} />);
  await found(() => says("Model"));
  return async (path: string): Promise<unknown> =>
    requests
      .findLast(({ url }) => url.endsWith(path))
      ?.clone()
      .json();
}
const has = (label: string) => {
  try {
    field(label);
    return true;
  } catch {
    return false;
  }
};
const choose = async (id: number) => {
  await type(field("Model"), String(id));
  await found(() => has("Note of the service staff"));
};

it("DEV-033 the model is chosen first; then the form shows the fields it needs", async () => {
  await open(null, {});
  expect(has("Interface")).toBe(false);

  await choose(101);
  const line = ["Address on the line", "Transformation ratio", "Encryption key", "Water", "Login"].map(has);
  const bounds = has("Lower bound of power, kW");
  expect(says("Keys and passwords")).toBe(false);
  await choose(311);
  const network = ["Address on the line", "Transformation ratio", "Encryption key", "Water", "Login"].map(
    has,
  );
  await choose(551);

  expect(line).toEqual([true, true, false, false, false]);
  expect(bounds).toBe(true);
  expect(network).toEqual([false, false, true, true, false]);
  expect(["Login", "Password"].map(has)).toEqual([true, true]);
});

it("DEV-033 if the fields of the model cannot be loaded, the reason is shown and loading can be retried", async () => {
  let isDown = true;
  await open(null, {
    "device/model/sheet/101": () =>
      isDown ? refusal(404, "not_found", "No such model") : sheet(101, [], ["transformation_ratio"])(),
  });
  await type(field("Model"), "101");
  await found(() => says("No such model"));
  const isDisabled = button("Add").disabled;

  isDown = false;
  await click(button("Retry"));
  await found(() => has("Transformation ratio"));

  expect(isDisabled).toBe(true);
  expect(button("Add").disabled).toBe(false);
});

it("DEV-042 a new device is sent with the fields of its model, and the dialog closes", async () => {
  const sent = await open(null, {
    "device/metering_device/create": () => answer({ metering_device: stored }, 200, { msg: "Added" }),
    "device/gateways/compatible": () => answer({ gateways: [cellar] }),
    "device/base_stations": () =>
      answer({ base_stations: pageOf([aStation()]), counts: { all: 1, archived: 0, deleted: 0 } }),
  });
  await choose(101);
  await type(field("Name"), "Pump 3");
  await type(field("Number"), "SN-9");
  await type(field("Gateway"), "cel");
  await expect
    .poll(() => sent("device/gateways/compatible"))
    .toEqual({ model_id: 101, search_string: "cel" });
  await found(() => document.querySelector("[role=option]"));
  await press("Enter");
  await type(field("Base station"), "9");
  await type(field("Speed of the line, baud"), "2400");
  await click(field("The converter repeats what is sent"));
  await type(field("Address on the line"), "12");
  await type(field("Report period"), "900");
  await type(field("Transformation ratio"), "40");
  await press("Enter", { ctrlKey: true });

  await found(() => onClose.mock.calls.length === 1);
  expect(await sent("metering_device/create")).toMatchObject({
    model_id: 101,
    name: "Pump 3",
    deviceID: "SN-9",
    interface_id: 4,
    inside_addr: "12",
    gateway_id: 12,
    base_station_id: 9,
    report_period_update: 900,
    transformation_ratio: 40,
    properties: { min_value: null, max_value: null, echo: true, fixed_baud: 2400 },
  });
});

it("DEV-033 missing or refused input is reported at its field", async () => {
  await open(null, {
    "device/metering_device/create": () =>
      refusal(422, "wrong_input", "Wrong", {
        inside_addr: ["not an address"],
        "keys.encryption": ["no key"],
      }),
  });
  await choose(101);
  await click(button("Add"));
  expect(faultAt(field("Name"))).toBe("is needed");

  await type(field("Name"), "Pump 3");
  await type(field("Number"), "SN-9");
  await click(button("Add"));

  await found(() => faultAt(field("Address on the line")) === "not an address");
  expect(onClose).not.toHaveBeenCalled();
});

it("ACL-029 without the right, which may be revoked meanwhile, nothing is sent and the missing right is reported", async () => {
  const sent = await open(null, { ...asUser(anAccess([4])) });
  await choose(101);
  await type(field("Name"), "Pump 3");
  await type(field("Number"), "SN-9");
  const words = await messageText("msg_20");
  await click(button("Add"));

  await found(() => says(words));
  expect(await sent("metering_device/create")).toBeUndefined();
  expect(field("Name").value).toBe("Pump 3");
});

it("DEV-023 a number can be generated", async () => {
  const uuid = "12345678-1234-1abc-8def-123456789abc";
  await open(null, { generate_uuid1: () => answer({ uuid }) });

  await click(button("Generate"));

  await found(() => field("Number").value === uuid);
});

it("DEV-043 DEV-064 an edited device keeps its secret and its own properties; a secret is never shown", async () => {
  const sent = await open(7, {
    "device/metering_device/7": () => answer({ metering_device: stored }),
    "device/metering_device/edit": () => answer({ metering_device: stored }, 200, { msg: "Saved" }),
  });
  await found(() => has("Encryption key"));
  expect(field("Encryption key").value).toBe("");
  expect(says("Stored. Leave empty to keep it")).toBe(true);
  expect(field("Report period").value).toBe("5400");

  await type(field("Note of the service staff"), "Key at the guard");
  await press("Enter", { ctrlKey: true });

  await found(() => onClose.mock.calls.length === 1);
  const body = await sent("metering_device/edit");
  expect(body).toMatchObject({
    id: 7,
    version: 3,
    properties: { type_water_meter: 1, service_params: { note: "Key at the guard", seal: "A" } },
  });
  expect(body).not.toHaveProperty("keys");
  expect(body).not.toHaveProperty("password");
});

it("DEV-064 a stored secret is removed only if the box is ticked", async () => {
  const sent = await open(7, {
    "device/metering_device/7": () => answer({ metering_device: stored }),
    "device/metering_device/edit": () => answer({ metering_device: stored }),
  });
  await found(() => has("Remove"));

  await click(field("Remove"));
  await press("Enter", { ctrlKey: true });

  await found(() => onClose.mock.calls.length === 1);
  expect(await sent("metering_device/edit")).toMatchObject({ keys: { encryption: "" } });
});

it("UI-063 when another user has saved meanwhile, both versions are shown", async () => {
  let name = "Substation 4";
  await open(7, {
    "device/metering_device/7": () => answer({ metering_device: { ...stored, name, version: 4 } }),
    "device/metering_device/edit": () => refusal(409, "conflict", "Changed"),
  });
  await found(() => has("Name"));
  await type(field("Name"), "Mine");
  name = "Theirs";
  await press("Enter", { ctrlKey: true });

  await found(() => says("Theirs"));
  expect(field("Name").value).toBe("Mine");
  expect(onClose).not.toHaveBeenCalled();
});

it("DEV-060 DEV-061 a device is made of others: field, device and coefficient; what was stored can be taken away", async () => {
  const titles = ["tariff0", "tariff1"].map((name) => ({
    ...{ name, title: name, title_en: `Title of ${name}`, unit: { title: "kWh" }, device_group_id: 1 },
    ...{ device_type_id: 0, protocol_id: 0, device_id: null },
  }));
  const offered = [stored, { ...stored, id: 8, name: "Feeder 1", deviceID: "F-1" }];
  const virtual = {
    ...stored,
    properties: {
      concat_device: 8,
      virtual_fields_map: { tariff0: { device_id: 8, field: "tariff1", coefficient: 0.5 } },
    },
  };
  const sent = await open(7, {
    "device/metering_device/7": () => answer({ metering_device: virtual }),
    "device/get_field_titles": () => answer({ fields: titles }),
    "device/metering_devices": () => answer({ metering_devices: pageOf(offered) }),
    "device/metering_device/edit": () => answer({ metering_device: virtual }),
  });
  await found(() => says("Computed of other devices"));
  await found(() => [...document.querySelectorAll("input")].some(({ value }) => value === "Feeder 1"));

  await click(button("Add a device to the sum"));
  await type(field("Coefficient 2"), "-1");
  await click(button("Save"));
  expect(says("every sum needs its field, devices and coefficients")).toBe(true);
  await type(field("Device 2"), "Feed");
  await found(() => document.querySelector("[role=option]"));
  await press("Enter");
  await press("Enter", { ctrlKey: true });
  await found(() => onClose.mock.calls.length === 1);

  expect(await sent("metering_device/edit")).toMatchObject({
    properties: {
      virtual_fields_map: null,
      virtual_fields_map_multiple: {
        tariff0: [
          { device_id: 8, field: "tariff1", coefficient: 0.5 },
          { device_id: 8, field: "tariff0", coefficient: -1 },
        ],
      },
    },
  });
});
