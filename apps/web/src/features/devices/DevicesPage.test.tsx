// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { messageText, snackQueue } from "#ui/snackbar";
import { answer, pageOf, stubServer } from "#testing/browser.ts";
import { controls, model } from "#testing/control.tsx";
import { button, click, draw, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { aTask } from "#testing/tasks.ts";
import { AttributesDialog } from "./AttributesDialog.tsx";
import { DevicesPage } from "./DevicesPage.tsx";

useScreen("devices", "deviceForm", "grid", "gateways");
beforeEach(() => startSession("token"));

const present = {
  id: 7,
  name: "Meter 7",
  place: "",
  deviceID: "SN-7",
  model_id: 101,
  model_title: "Line",
  device_group_id: 4,
  interface_id: 4,
  inside_addr: "3",
  gateway: null as { readonly id: number; readonly name: string } | null,
  state: "never",
  is_active: true,
  is_archived: false,
  is_deleted: false,
  last_data_at: null,
  last_reading: null,
  completeness: [],
};
const trashed = { ...present, is_deleted: true };

const known = {
  ...model,
  options: { ...model.options, control: { ...controls, now_value: { active: true } } },
};

async function open(
  row: typeof present,
  access: object,
  answers: Readonly<Record<string, () => Response>> = {},
) {
  const requests = stubServer({
    ...asUser(access),
    "device/model/metering_devices": () => answer({ metering_devices: [known] }),
    "device/metering_devices": () => answer({ metering_devices: pageOf([row]) }),
    ...answers,
  });
  await loadSession();
  await draw(<DevicesPage />);
  await found(() => says("Meter 7"));
  return async (path: string): Promise<unknown[]> => {
    const bodies = requests.filter(({ url }) => url.endsWith(path)).map((each) => each.clone().text());
    return (await Promise.all(bodies)).map((text): unknown => (text === "" ? null : JSON.parse(text)));
  };
}

const entries = () =>
  [...document.querySelectorAll("[role=menuitem]")].map((each) => each.textContent.trim());
const choose = async (title: string) => {
  const item = await found(() =>
    [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find(
      (each) => each.textContent.trim() === title,
    ),
  );
  await click(item);
};
const openMenu = async () => {
  await click(button("Actions: Meter 7"));
  await found(() => entries().length > 0);
};

const onPhone = () =>
  vi.stubGlobal("matchMedia", () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));

it("on a phone a row has a menu, and rows can be selected", async () => {
  onPhone();
  await open(present, anAccess("admin"));

  const row = await found(() => document.querySelector<HTMLAnchorElement>(".grid-phone > a"));
  const followed: boolean[] = [];
  document.body.addEventListener("click", (event) => followed.push(!event.defaultPrevented), { once: true });
  await openMenu();
  await found(() => entries().length > 0);

  expect(row.contains(button("Actions: Meter 7"))).toBe(true);
  expect(followed).toEqual([false]);
  expect(entries()).toEqual(expect.arrayContaining(["Edit", "Attributes"]));
  expect(says("Select")).toBe(true);
});

it("DEV-031 DEV-032 devices in use, archived and trashed are shown in separate tabs with counts", async () => {
  const sent = await open(present, anAccess("admin"));
  await found(() => says("Archive 1") && says("Trash 1"));

  const trash = [...document.querySelectorAll<HTMLInputElement>("input[name=place]")].at(-1);
  expect(says("Add device")).toBe(true);
  await click(await found(() => trash));

  await found(() => document.querySelector("input[value=trash]:checked"));
  expect(says("Add device")).toBe(false);
  const bodies = await sent("metering_devices");
  expect(bodies).toContainEqual(expect.objectContaining({ is_deleted: true, per_page: 25 }));
  expect(bodies).toContainEqual({ page: 1, per_page: 1, is_archived: true });
});

it("a device is polled from the menu of its row, as one task", async () => {
  const sent = await open(present, anAccess("admin"), {
    "task/device/create": () => answer({ device_task: aTask }),
  });

  await openMenu();
  await choose("Poll now");

  await found(() => snackQueue.get().some(({ text }) => text === "Poll of 1 device is queued"));
  expect(await sent("task/device/create")).toMatchObject([{ command_type: "poll", device_ids: [7] }]);
});

it("CTRL-072 GW-004 the menu of a row has control, another gateway and ties where its model, its gateway and the rights allow them", async () => {
  const behind = { ...present, gateway: { id: 5, name: "Roof" } };
  const offered = () => answer({ gateways: [] });
  await open(behind, anAccess("admin"), { "device/gateways/compatible": offered });

  await openMenu();
  await found(() => entries().includes("Control…"));
  expect(entries().slice(0, 5)).toEqual(["Poll now", "Control…", "Edit", "Another gateway", "Users"]);
  await choose("Another gateway");

  await found(() => says("Another gateway for Meter 7"));
});

it("CTRL-073 for a device in the trash nothing of that is offered", async () => {
  await open(trashed, anAccess("admin"));

  await openMenu();
  await found(() => entries().length > 0);

  for (const title of ["Poll now", "Control…", "Another gateway", "Users"])
    expect(entries(), title).not.toContain(title);
});

it("DEV-005 UI-065 a device goes to the trash from the menu of its row, and the snackbar offers to undo it", async () => {
  const sent = await open(present, anAccess("admin"), {
    "device/metering_device/trash": () => answer({}, 200, { msg: "Devices moved to the trash: 1" }),
  });

  await openMenu();
  expect(entries()).toEqual([
    "Poll now",
    "Control…",
    "Edit",
    "Users",
    "Attributes",
    "Schedule",
    "Log of actions",
    "Accounting point",
    "To the archive",
    "To the trash",
  ]);
  await choose("To the trash");
  await found(() => says("Devices moved to the trash: 1"));
  expect(snackQueue.get().at(-1)?.kind).toBe("undo");
  await click(button("Undo"));

  await found(async () => (await sent("metering_device/trash")).length === 2);
  expect(await sent("metering_device/trash")).toEqual([
    { ids: [7], is_deleted: true },
    { ids: [7], is_deleted: false },
  ]);
});

it("DEV-030 an archived device leaves the list at once, without a reload", async () => {
  let isArchived = false;
  await open(present, anAccess("admin"), {
    "device/metering_devices": () => answer({ metering_devices: pageOf(isArchived ? [] : [present]) }),
    "device/metering_device/archive": () => {
      isArchived = true;
      return answer({}, 200, { msg: "Devices archived: 1" });
    },
  });

  await openMenu();
  await choose("To the archive");

  await found(() => says("Devices archived: 1"));
  await found(() => !says("Meter 7"));
});

it("UI-050 UI-053 DEV-007 a device is removed for good only after its id was typed; another id is refused with msg_63", async () => {
  const sent = await open(trashed, anAccess("admin"), {
    "device/metering_device/remove_from_trash/7": () => answer({}, 200, { msg: "Gone" }),
  });
  const label = "Type the id of the device to confirm: 7";
  const confirmAs = async (id: string) => {
    await openMenu();
    await choose("Remove for good");
    await type(await found(() => says(label) && field(label)), id);
    await click(button("Remove for good"));
  };

  await openMenu();
  expect(entries()).toEqual([
    "Attributes",
    "Schedule",
    "Log of actions",
    "Accounting point",
    "Bring back from the trash",
    "Remove for good",
  ]);
  await choose("Attributes");
  await click(await found(() => button("Close")));
  await confirmAs("8");
  await found(() => says("The number entered does not match the metering device"));
  expect(await sent("remove_from_trash/7")).toEqual([]);
  await confirmAs("7");

  await found(() => says("Gone"));
  expect(await sent("remove_from_trash/7")).toHaveLength(1);
});

it("ACL-018 a user with read access only sees no actions for changing or removing", async () => {
  await open(present, anAccess([4]));

  await openMenu();

  expect(entries()).toEqual(["Attributes", "Schedule", "Log of actions"]);
  expect(says("Add device")).toBe(false);
});

it("ACL-018 the import is offered to a user who may only create", async () => {
  const rules = { create: [4], read: [4], update: [], delete: [], access_all: [] };
  await open(present, anAccess([], { access_group: { id: 1, name: "g", access_rules: rules } }));

  expect(document.querySelector('a[href="#/cloud/devices/import"]')).not.toBeNull();
  expect(says("Add device")).toBe(true);
});

it("DEV-045 DEV-047 attributes are added to a device and removed in one dialog", async () => {
  let attributes = [{ name: "Feeder", value: "4" }];
  const sent = await open(present, anAccess("admin"), {
    "device/attributes": () => answer({ attributes }),
    "device/attributes/list": () => answer({ attributes: [] }),
    "device/attribute/add": () => {
      attributes = [...attributes, { name: "Year", value: "2019" }];
      return answer({}, 200, { msg: "Saved" });
    },
    "device/attribute/delete": () => {
      attributes = attributes.slice(1);
      return answer({}, 200, { msg: "Removed" });
    },
  });
  await openMenu();
  await choose("Attributes");
  await found(() => says("Feeder"));

  await type(field("Attribute"), "Year");
  await type(field("Value"), "2019");
  await click(button("Add"));
  await found(() => says("2019"));
  await click(button("Remove: Feeder"));

  await found(() => !says("Feeder"));
  expect(await sent("attribute/add")).toEqual([{ device_id: 7, name: "Year", value: "2019" }]);
  expect(await sent("attribute/delete")).toEqual([{ device_id: 7, name: "Feeder" }]);
});

it("ACL-029 attributes are not changed without the right, which may be revoked meanwhile", async () => {
  const sent = await open(present, anAccess([4]), {
    "device/attributes": () => answer({ attributes: [{ name: "Feeder", value: "4" }] }),
    "device/attributes/list": () => answer({ attributes: [] }),
  });
  await draw(<AttributesDialog device={present} mayChange onClose={() => undefined} />);
  await found(() => says("Feeder"));
  const words = await messageText("msg_45");

  await click(button("Remove: Feeder"));

  await found(() => says(words));
  expect(await sent("attribute/delete")).toEqual([]);
});

it("DEV-019 the log of a device names user, action and changed fields", async () => {
  const log = [
    {
      id: 1,
      created_at: 1_790_000_000,
      user_name: "Bat",
      action: "device.edit",
      action_title: "Changing a device",
      ...{ user_id: 1, user_company: null, entered_from_admin: false, staff_name: null, ip_address: null },
      ...{ object_type: "device", object_id: "7", api_token: null, result: "ok", result_text: "" },
      before: { name: "Old" },
      after: { name: "New" },
    },
  ];
  const refused = { ...log[0], id: 2, result: "identifier_taken", result_text: "The number is taken" };
  await open(present, anAccess([4]), {
    "device/get_log": () =>
      answer({ log: [...log, refused], current_page: 1, last_page: 1, per_page: 25, total: 2 }),
  });

  await openMenu();
  await choose("Log of actions");

  await found(() => says("Changing a device"));
  expect(document.querySelector(".device-log del")?.textContent).toBe("Old");
  expect(document.querySelector(".device-log ins")?.textContent).toBe("New");
  const actions = [...document.querySelectorAll(".device-log b")].map((each) => each.textContent);
  expect(actions).toEqual(["Changing a device", "Changing a device: The number is taken"]);
});
