// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { ScheduleDialog } from "../ScheduleDialog.tsx";

useScreen("control");
beforeEach(() => startSession("token"));

const tariff = { tariff0: ["23:00"], tariff1: ["07:00"] };
const status = {
  last_shedule_tariff: { tariff0: ["22:00"], tariff1: ["07:00"] },
  last_special_shedule_day: ["12-31"],
  last_special_shedule_tariff: { tariff0: ["00:00"] },
};

const model = {
  ...{ id: 101, title: "Line", brand_id: 1, brand: "Acme", device_group_id: 4, device_type_id: 3 },
  ...{ interface_ids: [4], protocol: "modbus-rtu", tabs: {}, fields: [], has_own_starting_value: false },
  options: { control: {}, virtual_bridge: { active: true } },
  ...{ has_login: false, has_vectors: false },
};
const device = {
  ...{ id: 7, name: "Mill", place: "", deviceID: "SN-1", inside_addr: "1", interface_id: 4, model_id: 101 },
  ...{ timezone_name: "Asia/Ulaanbaatar", report_period_update: 3600, warning_report_period: 86_400 },
  ...{
    impulse_weight: 1,
    starting_value: 0,
    transformation_ratio: 1,
    properties: {},
    secrets: [],
    version: 1,
  },
  ...{ gatewayID: null, gateway: null, base_station: null, model_title: "Line", device_type_id: 3, status },
  ...{ device_group_id: 4, resource_type_id: 3, deviceTimezone: 8, is_active: true, is_archived: false },
  ...{ is_deleted: false, state: "never", last_data_at: null, last_reading: null, completeness: [] },
  ...{ created_at: 1_790_000_000, model, device_fields_titles: [], tied_point: null },
};

async function open(mayChange: boolean, answers: Readonly<Record<string, () => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/get_schedule": () =>
      answer({ schedule: { id: 7, device_id: 7, rules: { tariff }, saved_at: 1_793_491_200 } }),
    "device/metering_device/7": () => answer({ metering_device: device }),
    "device/save_schedule_electro": () => answer({}),
    "device/save_special_days": () => answer({}, 200, { msg: "Saved" }),
    ...answers,
  });
  await loadSession();
  const onClose = vi.fn();
  await draw(
    <ScheduleDialog
      device={{ id: 7, name: "Mill" }}
      mayChange={mayChange}
      isPermitted={() => true}
      onClose={onClose}
    />,
  );
  await found(() => says("Schedule: Mill") && says("Special days"));
  return async (path: string): Promise<unknown> =>
    requests
      .findLast(({ url }) => url.endsWith(path))
      ?.clone()
      .json();
}

const saveTariffs = () =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Save") ??
  button("Save");

it("TARIFF-012 TARIFF-006 TARIFF-007 TARIFF-013 the tariffs are saved alone, and compared with those of the device", async () => {
  const sent = await open(true);
  expect(says("T1 to apply, T2 on the device")).toBe(true);

  await click(saveTariffs());

  await found(() => says("The tariff schedule was saved"));
  expect(await sent("save_schedule_electro")).toEqual({ device_id: 7, schedule_electro: tariff });
  expect(await sent("save_schedule")).toBeUndefined();
});

it("SPECDAY-010 SPECDAY-012 special days are saved by themselves: what another has stored meanwhile stays", async () => {
  const sent = await open(true);

  await click(button("Save special days"));

  await found(() => says("Saved"));
  const special_days = { day_list: ["12-31"], shedule: { tariff0: ["00:00"] } };
  expect(await sent("save_special_days")).toEqual({ device_id: 7, special_days });
  expect(await sent("save_schedule")).toBeUndefined();
});

it("TARIFF-015 a refusal of the server is shown at its time", async () => {
  await open(true, {
    "device/save_schedule_electro": () =>
      refusal(422, "wrong_input", "Some fields are wrong", { "schedule_electro.tariff1.0": ["time_twice"] }),
  });

  await click(saveTariffs());

  await found(() => faultAt(field("T2 until")) === "This time is already in the schedule");
});

it("ACL-017 without the right to change devices nothing can be changed", async () => {
  await open(false);

  expect([saveTariffs().disabled, button("Save special days").disabled]).toEqual([true, true]);
  expect([...document.querySelectorAll("fieldset:disabled input")].length).toBeGreaterThan(0);
});
