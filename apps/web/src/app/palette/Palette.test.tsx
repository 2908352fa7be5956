// @vitest-environment happy-dom
import type { Consumer } from "@metrum/contract/access";
import { beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, holdBack, pageOf, stubServer } from "#testing/browser.ts";
import { draw, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { aGateway } from "#testing/carriers.ts";
import { aPoint } from "#testing/points.ts";
import { anAccess, asUser } from "#testing/session.ts";
import { Palette } from "./Palette.tsx";

useScreen("shell");
const onClose = vi.fn();
beforeEach(() => {
  onClose.mockClear();
  startSession("token");
});

async function open(routes: Parameters<typeof stubServer>[0] = asUser(anAccess([]))) {
  const requests = stubServer(routes);
  await loadSession();
  await draw(<Palette onClose={onClose} />);
  return requests;
}

const consumer: Consumer = {
  ...{ _id: "9", name: "Bakery 00412", inn: "7701234567", number_of_contract: "12-A", subject_type_id: 2 },
  ...{ address: "Darkhan", comment: "", registration_date: null, registration_number: null },
  ...{ phone_number: null, email: null, account_access_enabled: false, measurement_code_object: "" },
  ...{ point_count: 1, created_at: 0, erased_at: null },
};
const noItems = { devices: 0, gateways: 0, base_stations: 0, points: 0 };
const node = (_id: string, name: string, parentId: string | null) => ({
  ...{ _id, name, parentId, type: "house", childs_count: 0, nodes_below: 0, address: null, created_at: 0 },
  ...{ devices_info: noItems, childs_devices_info: noItems },
});

const input = () => field("Search and commands");
const selected = () => document.querySelector("[role=option][aria-selected=true]");

it("tells assistive technology which line Enter takes, and none where nothing is found", async () => {
  await open();
  await type(input(), "the");
  await found(() => selected()?.textContent === "Theme: Light");
  expect(input().getAttribute("aria-activedescendant")).toBe(selected()?.id);

  await press("ArrowDown");
  expect(selected()?.textContent).toBe("Theme: Dark");
  expect(input().getAttribute("aria-activedescendant")).toBe(selected()?.id);

  await type(input(), "zzz");
  await found(() => selected() === null);
  expect(input().hasAttribute("aria-activedescendant")).toBe(false);
});

it("Enter takes the selected line and closes the palette", async () => {
  await open();
  await type(input(), "dark");
  await found(() => selected()?.textContent === "Theme: Dark");
  await press("Enter");

  expect(onClose).toHaveBeenCalledOnce();
  expect(document.documentElement.dataset["theme"]).toBe("dark");
});

it("the number of lines is announced", async () => {
  await open();
  await type(input(), "theme:");
  await found(() => says("2 results"));
});

it("finds what the company has by name, number and address, each with its group and page", async () => {
  const requests = await open({
    ...asUser(anAccess("admin")),
    "device/metering_devices": () => answer({ metering_devices: pageOf([]) }),
    "device/gateways": () =>
      answer({
        gateways: pageOf([aGateway({ name: "Roof 00412" })]),
        counts: { all: 1, archived: 0, deleted: 0 },
      }),
    "objects/build_tree": () =>
      answer({ tree: [node("1", "City", null), { ...node("2", "House 00412", "1"), is_found: true }] }),
    "objects/accounting_point/company/list": () =>
      answer({ accounting_points: pageOf([aPoint({ id: 7, name: "Feeder 7", device_id: 12 })]) }),
    "reference/consumer/list": () => answer({ consumers: pageOf([consumer]) }),
    "company/users": () => answer({ users: [], total: 0 }),
  });
  await type(input(), "00412");
  await found(() => says("Bakery 00412"));

  const lines = [...document.querySelectorAll("[role=option]")];
  expect(
    lines.map((line) => [line.getAttribute("data-group"), line.querySelector("span")?.textContent]),
  ).toEqual([
    ["Gateways", "Roof 00412"],
    ["Objects", "House 00412"],
    ["Accounting points", "Feeder 7"],
    ["Consumers", "Bakery 00412"],
  ]);
  expect(lines.map((line) => line.querySelector("small")?.textContent).slice(1)).toEqual([
    "City",
    "Darkhan, Sukhbaatar, 14, 5200144",
    "12-A, 7701234567",
  ]);
  const sent = requests.find(({ url }) => url.endsWith("company/list"));
  expect(await sent?.clone().json()).toMatchObject({ search_string: "00412" });

  await press("ArrowDown");
  await press("ArrowDown");
  await press("Enter");
  expect(location.hash).toBe("#/cloud/devices/accounting-point-card/12?point_id=7");
});

it("no line moves that Enter may take: a group waits for those before it, and other text hides it", async () => {
  await open({
    ...asUser(anAccess([4, 6])),
    "device/metering_devices": () => answer({ metering_devices: pageOf([{ id: 5, name: "Meter 00412" }]) }),
    "device/gateways": () => answer({ gateways: pageOf([]), counts: { all: 0, archived: 0, deleted: 0 } }),
    "objects/build_tree": () => answer({ tree: [{ ...node("2", "House 00412", null), is_found: true }] }),
    "objects/accounting_point/company/list": () => answer({ accounting_points: pageOf([]) }),
    "reference/consumer/list": () => answer({ consumers: pageOf([]) }),
  });
  const release = holdBack("metering_devices");
  await type(input(), "00412");
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect([says("House 00412"), says("Searching")]).toEqual([false, true]);

  release();
  await found(() => says("House 00412"));
  expect(selected()?.querySelector("span")?.textContent).toBe("Meter 00412");

  await type(input(), "004123");
  expect(selected()).toBeNull();
});
