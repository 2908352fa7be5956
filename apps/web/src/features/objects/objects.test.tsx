// @vitest-environment happy-dom
import type { TreeObject } from "@metrum/contract/accounting";
import { act } from "react";
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { snackQueue } from "#ui/snackbar";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { aGateway } from "#testing/carriers.ts";
import { aPoint } from "#testing/points.ts";
import { anAccess, asUser, aUser } from "#testing/session.ts";
import { NodePage } from "./NodePage.tsx";
import { ObjectsPage } from "./ObjectsPage.tsx";
import { PlacedPart } from "./PlacedPart.tsx";

useScreen("objects", "objectMap", "objectTabs", "accountingPoints", "devices", "grid");
beforeEach(() => startSession("token"));

const aNode = (_id: string, name: string, more: Partial<TreeObject> = {}): TreeObject => ({
  _id,
  name,
  parentId: null,
  type: "city",
  childs_count: 0,
  nodes_below: 0,
  devices_info: { devices: 0, gateways: 0, base_stations: 0, points: 0, silent: 0 },
  childs_devices_info: { devices: 0, gateways: 0, base_stations: 0, points: 0, silent: 0 },
  address: null,
  created_at: 1_793_491_200,
  ...more,
});
const darkhan = aNode("1", "Darkhan", {
  childs_count: 2,
  nodes_below: 2,
  childs_devices_info: { devices: 1326, gateways: 2, base_stations: 0, points: 7, silent: 3 },
});
const levels = [aNode("2", "East", { parentId: "1" }), aNode("3", "West", { parentId: "1" })];

async function serve(more: Readonly<Record<string, (body: string) => Response>> = {}) {
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "objects/build_tree": () => answer({ tree: [darkhan, ...levels] }),
    "objects/object/get": () => answer({ object: darkhan, parents: [] }),
    "objects/branch": () =>
      answer({ branch: { nodes: 3, devices: 1326, gateways: 2, base_stations: 0, points: 0, users: 1 } }),
    "objects/attributes": () => answer({ attributes: [{ name: "Built", value: "1987" }] }),
    "objects/users": () => answer({ users: [] }),
    "device/metering_devices": () => answer({ metering_devices: pageOf([]) }),
    "device/gateways": () => answer({ gateways: pageOf([]), counts: { all: 0, archived: 0, deleted: 0 } }),
    "device/base_stations": () =>
      answer({ base_stations: pageOf([]), counts: { all: 0, archived: 0, deleted: 0 } }),
    ...more,
  });
  await loadSession();
  return requests;
}
const sent = async (requests: readonly Request[], path: string): Promise<unknown> =>
  (await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)))).clone().json();
const row = (name: string) =>
  found(() => document.querySelector<HTMLElement>(`[role=treeitem][aria-label="${name}"]`));
const tree = () => found(() => document.querySelector<HTMLElement>("[role=tree]"));

it("TREE-026 TREE-023: the tree shows counters, and its branches open lazily", async () => {
  const requests = await serve();
  await draw(<ObjectsPage />);
  const top = await row("Darkhan");

  expect(top.textContent).toMatch(/◆ 3.*1.326/);
  await click(top.querySelector<HTMLElement>(".tree-open") ?? top);

  expect(await sent(requests, "objects/build_tree")).toEqual({
    with_stats: true,
    with_descendants: false,
    parent_ids: ["1"],
  });
  expect((await row("East")).getAttribute("aria-level")).toBe("2");
});

it("TREE-026: the first node is chosen as the screen opens, and a top of one node is open", async () => {
  await serve({
    "objects/build_tree": (body) => answer({ tree: body.includes("parent_ids") ? levels : [darkhan] }),
  });
  const router = await draw(<ObjectsPage />);

  await row("East");
  expect(await found(() => router.state.location.search)).toEqual({ node: "1" });
  await click(await row("East"));
  await found(() => (router.state.location.search as { node?: string }).node === "2");
  await click((await row("Darkhan")).querySelector<HTMLElement>(".tree-open") ?? document.body);
  await found(() => !document.querySelector('[aria-label="East"]'));
});

it("TREE-026: the overview tells consumption by type, what is incomplete in it, and the points without fresh data", async () => {
  const part = (day: string, amount: string | null, whole_count: number) => ({ day, amount, whole_count });
  const type = {
    ...{ resource_type_id: 4, title: "Heat", unit: "Gcal", estimated: "0.5", point_count: 3, whole_count: 2 },
    ...{ amount: "1614.514", change_percent: 2.4, compared_count: 2 },
    parts: [part("2026-11-01", "12", 3), part("2026-11-02", "6", 2), part("2026-11-03", null, 0)],
  };
  const requests = await serve({
    "objects/consumption": () =>
      answer({
        ...{ from_day: "2026-11-01", to_day: "2026-11-03", step: "day", is_too_large: false },
        ...{ before_from_day: "2026-10-01", before_to_day: "2026-10-03", types: [type] },
      }),
    "objects/accounting_point/company/list": () =>
      answer({ accounting_points: { ...pageOf([aPoint({ id: 7, name: "Boiler house" })]), total: 12 } }),
  });
  await draw(<NodePage id="1" hrefOf={String} onEdit={() => undefined} onAdd={() => undefined} />);

  await found(() => says(/1.614\.514/));
  expect(says("+2.4 %")).toBe(true);
  expect(says("2 of 3 points complete")).toBe(true);
  expect(says("of it 0.500 Gcal estimated")).toBe(true);
  const bars = [...document.querySelectorAll<HTMLElement>(".objects-bars span")];
  expect(bars.map(({ style, dataset }) => [style.height, "part" in dataset, "unknown" in dataset])).toEqual([
    ["100%", false, false],
    ["50%", true, false],
    ["100%", false, true],
  ]);
  expect(bars[1]?.title).toBe("02.11.2026: 6.000 Gcal, 2 of 3 points complete");
  expect(await sent(requests, "objects/consumption")).toEqual({ object_id: "1", period: "month" });
  const all = await found(() => document.querySelector<HTMLAnchorElement>('a[href*="f.status"]'));
  expect(all.getAttribute("href")).toBe(
    "#/cloud/objects/points?f.object=1&f.status=silent,never,off,no_device",
  );
  expect(all.textContent).toBe("All 12 in the list");
});

it("TREE-026 DEV-058: the page of a node counts its silent devices and lists them", async () => {
  const requests = await serve();
  await draw(<NodePage id="1" hrefOf={String} onEdit={() => undefined} onAdd={() => undefined} />);

  await click(await found(() => button("3")));

  expect(await sent(requests, "objects/object/get")).toEqual({ object_id: "1", with_stats: true });
  expect(await sent(requests, "device/metering_devices")).toMatchObject({
    object_ids: [1],
    fields_filter: { state: ["silent", "never"] },
  });
  await click(await found(() => document.querySelector<HTMLElement>(".objects-placed .checkbox")));
  await found(() => requests.filter(({ url }) => url.endsWith("metering_devices")).length === 2);
  expect(await sent(requests, "device/metering_devices")).not.toHaveProperty("fields_filter");
});

it("TREE-006 TREE-042: checked branches say what they hold", async () => {
  await serve();
  await draw(<ObjectsPage />);
  const box = (await row("Darkhan")).querySelector<HTMLElement>("input[type=checkbox]");

  await click(box ?? document.body);

  await found(() => says("3 nodes checked"));
  expect(says(/1.326 devices/)).toBe(true);
  expect((await row("Darkhan")).getAttribute("aria-checked")).toBe("true");
});

it("TREE-005: sorting by name changes its direction with each use", async () => {
  const requests = await serve();
  await draw(<ObjectsPage />);
  await row("Darkhan");

  await click(button("Name"));
  const first = await sent(requests, "objects/build_tree");
  await found(() => says(/↑/));
  await click(document.querySelector<HTMLElement>(".objects-columns button") ?? document.body);
  await found(() => says(/↓/));

  expect([first, await sent(requests, "objects/build_tree")]).toMatchObject([
    { sort: "asc" },
    { sort: "desc" },
  ]);
});

it("TREE-025 TREE-010: a node is added with an address that is typed by hand", async () => {
  const requests = await serve({
    "objects/add": () => answer({ object: aNode("9", "Sukhbaatar 14") }, 200, { msg: "Added" }),
  });
  await draw(<ObjectsPage />);
  await row("Darkhan");
  await click(button("Add"));

  await type(field("Name"), "Sukhbaatar 14");
  await type(field("Street"), "Sukhbaatar");
  await type(field("House"), "14");
  await click(await found(() => document.querySelector<HTMLElement>("dialog button[type=submit]")));

  expect(await sent(requests, "objects/add")).toEqual({
    name: "Sukhbaatar 14",
    type: "",
    address: { street: "Sukhbaatar", house: "14" },
    parent_id: null,
  });
});

it("TREE-027: the menu of a row is opened by the keyboard and moves its branch", async () => {
  const requests = await serve({
    "objects/update": () => answer({ object: levels[0] }, 200, { msg: "Saved" }),
  });
  await draw(<ObjectsPage />);
  await row("Darkhan");

  (await tree()).focus();
  await press("F10", { shiftKey: true });
  await click(
    await found(() =>
      [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find((each) =>
        each.textContent.includes("Move to"),
      ),
    ),
  );
  await click(await found(() => button("To the top")));

  expect(await sent(requests, "objects/update")).toEqual({ _id: "1", parent_id: null });
});

it("TREE-027: a row that is dropped on another one moves below it", async () => {
  const requests = await serve({
    "objects/update": () => answer({ object: levels[0] }, 200, { msg: "Saved" }),
  });
  await draw(<ObjectsPage />);
  await click((await row("Darkhan")).querySelector<HTMLElement>(".tree-open") ?? document.body);
  const [east, west] = [await row("East"), await row("West")];
  const data = { effectAllowed: "", setData: () => undefined };
  const drag = (target: HTMLElement, name: string) =>
    act(async () => {
      const event = Object.assign(new Event(name, { bubbles: true, cancelable: true }), {
        dataTransfer: data,
      });
      target.dispatchEvent(event);
      await Promise.resolve();
    });

  await drag(east, "dragstart");
  await drag(west, "dragover");
  await drag(west, "drop");

  expect(await sent(requests, "objects/update")).toEqual({ _id: "2", parent_id: "3" });
});

it("UI-056: a branch is removed only when the number of its top is typed, else msg_68 is shown", async () => {
  const requests = await serve({ "objects/remove": () => answer({}, 200, { msg: "Removed" }) });
  await draw(<ObjectsPage />);
  await row("Darkhan");
  const remove = async (number: string) => {
    (await tree()).focus();
    await press("F10", { shiftKey: true });
    await click(
      await found(() =>
        [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find(
          ({ textContent }) => textContent === "Remove",
        ),
      ),
    );
    await type(await found(() => field("Type the number 1 to confirm")), number);
    await click(button("Remove 3 nodes"));
  };

  await remove("2");
  await found(() => says("does not match the tree element"));
  expect(requests.some(({ method }) => method === "DELETE")).toBe(false);

  await remove("1");
  await found(() => requests.find(({ method }) => method === "DELETE"));
});

it.each([
  ["Keep the points, at no object", "The points stay too.", false],
  ["Remove the points with their history", "The points are removed with their history.", true],
] as const)(
  "TREE-011 TREE-042: the points of a branch are counted, and '%s' is sent",
  async (choice, words, isSent) => {
    const branch = { nodes: 3, devices: 4, gateways: 0, base_stations: 0, points: 2, users: 1 };
    const requests = await serve({
      "objects/branch": () => answer({ branch }),
      "objects/remove": () => answer({}, 200, { msg: "Removed" }),
    });
    await draw(<ObjectsPage />);
    await row("Darkhan");
    (await tree()).focus();
    await press("F10", { shiftKey: true });
    const entries = () => [...document.querySelectorAll<HTMLElement>("[role=menuitem]")];
    await click(await found(() => entries().find(({ textContent }) => textContent === "Remove")));
    await found(() => says("2 accounting points stand in the branch."));
    const choices = [...document.querySelectorAll("label")];
    await click(await found(() => choices.find(({ textContent }) => textContent === choice)));
    await click(button("Next"));

    await found(() => says(`Accounting points: 2, devices: 4`) && says(words));
    await type(await found(() => field("Type the number 1 to confirm")), "1");
    await click(button("Remove 3 nodes"));

    expect(await sent(requests, "objects/remove")).toEqual({ object_id: "1", remove_tied_points: isSent });
  },
);

it("TREE-026: the page of a node has tabs of what stands in its branch, its users and attributes", async () => {
  await serve();
  await draw(<NodePage id="1" onEdit={() => undefined} onAdd={() => undefined} hrefOf={(id) => id} />);
  await found(() => says("Users0") && says("Attributes1"));

  const tabs = [...document.querySelectorAll("[role=tab]")].map((each) => each.textContent);
  await click(
    await found(() =>
      [...document.querySelectorAll<HTMLElement>("[role=tab]")].find((each) =>
        each.textContent.startsWith("Attributes"),
      ),
    ),
  );

  expect(tabs.map((each) => each.replaceAll(/\s/g, " "))).toEqual([
    "Overview",
    "Points7",
    expect.stringMatching(/^Devices.*1.326$/),
    expect.stringMatching(/^Gateways.*2$/),
    expect.stringMatching(/^Base stations.*0$/),
    "Users0",
    "Attributes1",
    "Map",
  ]);
  await found(() => says("1987"));
});

it("TREE-026 DASH-006: the map of a node shows its branch, and nothing else", async () => {
  const requests = await serve({
    "objects/map/start": () =>
      answer({ bounds: null, total: 1, without: 0, tiles_url: null, tiles_attribution: "" }),
    "objects/map/view": () =>
      answer({
        ...{ total: 0, counts: { silent: 0, partly: 0, ok: 0, none: 0 } },
        ...{ clusters: [], objects: [], stations: [], names: [] },
      }),
  });
  await draw(<NodePage id="1" onEdit={() => undefined} onAdd={() => undefined} hrefOf={(id) => id} />);

  const tabs = () => [...document.querySelectorAll<HTMLElement>("[role=tab]")];
  await click(await found(() => tabs().find(({ textContent }) => textContent === "Map")));

  await found(() => says("Neither this object nor those below have coordinates"));
  expect(await sent(requests, "objects/map/view")).toMatchObject({ object_ids: [1], west: -180, east: 180 });
});

/** Draws the screen and checks these nodes. */
async function check(...names: readonly string[]): Promise<void> {
  await draw(<ObjectsPage />);
  await click((await row("Darkhan")).querySelector<HTMLElement>(".tree-open") ?? document.body);
  for (const name of names)
    await click((await row(name)).querySelector<HTMLElement>("input[type=checkbox]") ?? document.body);
  await found(() => says(/nodes checked/));
}
const entry = (words: string) =>
  found(() =>
    [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find(({ textContent }) =>
      textContent.startsWith(words),
    ),
  );
const bat = {
  ...{ ...aUser.user, id: 7, name: "Bat", access_group_name: null, is_invited: false },
  ...{ last_sign_in_at: null, version: 1, is_manageable: true },
};
const east = aNode("2", "East", { parentId: "1", all_child_ids: ["4"] });
const west = aNode("3", "West", { parentId: "1", all_child_ids: [] });

it("TREE-006 TREE-007: Escape clears the checks and leaves the keyboard in the tree", async () => {
  await serve();
  await check("East");
  button("Clear").focus();

  await press("Escape");

  expect(says(/nodes checked/)).toBe(false);
  expect(document.activeElement).toBe(await tree());
  expect((await row("East")).getAttribute("aria-checked")).toBe("false");
});

it("TREE-042 UI-066: checked branches are removed by their number; one that is refused stays checked with its reason", async () => {
  let body = "";
  const requests = await serve({
    "objects/get": () => answer({ objects: [east, aNode("4", "Flat", { parentId: "2" }), west] }),
    "objects/remove": (sentBody) => {
      body = sentBody;
      return sentBody.includes('"3"')
        ? refusal(409, "period_closed", "The month is closed")
        : answer({}, 200, { msg: "Removed" });
    },
  });
  await check("East", "West");

  await click(button("Remove"));
  await found(() => says("Remove 2 branches?") && says(/Nodes: 3/));
  await type(await found(() => field("Type the number of nodes, 3, to confirm")), "2");
  await click(button("Remove 3 nodes"));
  await found(() => says("Type 3"));
  expect(body).toBe("");
  await type(field("Type the number of nodes, 3, to confirm"), "3");
  await click(button("Remove 3 nodes"));

  await found(() => says("West The month is closed"));
  const removed = requests.filter(({ url }) => url.endsWith("objects/remove"));
  expect(await Promise.all(removed.map((each) => each.clone().json()))).toMatchObject([
    { object_id: "2" },
    { object_id: "3" },
  ]);
  expect((await row("East")).getAttribute("aria-checked")).toBe("false");
  expect((await row("West")).getAttribute("aria-checked")).toBe("true");
});

it("TREE-033 TREE-012: users are tied to every checked node; devices stand at one, so only one may be checked", async () => {
  const requests = await serve({
    "objects/get": () => answer({ objects: [east, west] }),
    "company/users": () => answer({ users: [bat], total: 1 }),
    "objects/tie_users": () => answer({}, 200, { msg: "Tied" }),
  });
  await check("East", "West");

  await click(button("Tie"));
  expect((await entry("Devices")).getAttribute("aria-disabled")).toBe("true");
  await click(await entry("Users"));
  await click(await found(() => document.querySelector<HTMLElement>("dialog li input")));
  await click(await found(() => document.querySelector<HTMLElement>("dialog button[type=submit]")));

  await found(() => !says(/nodes checked/));
  const tied = requests.filter(({ url }) => url.endsWith("objects/tie_users"));
  expect(await Promise.all(tied.map((each) => each.clone().json()))).toEqual([
    { object_id: "2", user_ids: [7] },
    { object_id: "3", user_ids: [7] },
  ]);
});

it("TREE-012: devices are placed at the checked node", async () => {
  await serve({ "objects/get": () => answer({ objects: [east] }) });
  await check("East");

  await click(button("Tie"));
  await click(await entry("Devices"));

  await found(() => document.querySelector("dialog")?.textContent.includes("East"));
});

it("TREE-034: a gateway that was taken from a node below is put back there", async () => {
  const stood = [{ object_id: 3, device_ids: [], gateway_ids: [7], base_station_ids: [] }];
  const requests = await serve({
    "device/gateways": () =>
      answer({
        gateways: pageOf([aGateway({ id: 7, name: "Cellar" })]),
        counts: { all: 1, archived: 0, deleted: 0 },
      }),
    "objects/untie": () => answer({ stood }, 200, { msg: "Taken away" }),
    "objects/tie_gateways": () => answer({}),
  });
  await draw(<PlacedPart node={darkhan} kind="gateways" />);

  await click(await found(() => document.querySelector<HTMLElement>("li button")));
  await sent(requests, "objects/untie");
  await expect.poll(() => snackQueue.get().length).toBe(1);
  act(() => {
    snackQueue.get()[0]?.action?.run();
  });

  expect(await sent(requests, "objects/tie_gateways")).toEqual({ object_id: "3", gateway_ids: [7] });
});
