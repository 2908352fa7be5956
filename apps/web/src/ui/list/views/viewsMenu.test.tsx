// @vitest-environment happy-dom
import type { ListViewRow } from "@metrum/contract/core";
import { baseStations, type BaseStation } from "@metrum/contract/metering";
import { beforeEach, expect, it } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { columnsOf, defineList, ListView, pageInput, search, useList } from "#ui/list";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, faultAt, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";
import { isSameView, viewOf } from "./views.ts";

useScreen("baseStations", "grid");
beforeEach(() => startSession("token"));

const { text, number } = columnsOf<BaseStation>();
const stations = defineList({
  call: baseStations.list,
  key: "baseStations",
  texts: ["baseStations"],
  label: "list",
  empty: "empty",
  hasChooser: true,
  builtIn: [
    { id: "silent", state: { q: "roof", sort: { field: "name", desc: true }, filters: {}, cols: null } },
  ],
  sort: { field: "name", desc: false },
  input: (state) => ({ body: pageInput(state) }),
  answer: ({ base_stations: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: BaseStation) => String(row.id),
  filters: [search("search")],
  columns: [
    text("name", 220, (row) => row.name, { isName: true, sort: "name" }),
    number("devices", 110, (row) => row.devices_count),
    text("number", 110, (row) => row.device_id, { isOptional: true }),
  ],
  phone: (row) => row.name,
});
const Stations = () => <ListView list={useList(stations, {})} />;

const aView = (id: number, name: string, fields: Partial<ListViewRow> = {}): ListViewRow => ({
  id,
  name,
  state: { q: "mast", sort: { field: "name", desc: false }, filters: {}, cols: ["name", "number"] },
  is_shared: false,
  may_change: true,
  ...fields,
});

async function show(views: readonly ListViewRow[], { mayShare = true, refused = false } = {}) {
  const list = { data: [], current_page: 1, last_page: 1, per_page: 25, total: 0 };
  const counts = { all: 0, archived: 0, deleted: 0 };
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/base_stations": () => answer({ base_stations: list, counts }),
    "list/views": () => answer({ views, may_share: mayShare }),
    "list/view/add": () =>
      refused
        ? refusal(409, "view_name_taken", "Taken", { name: ["Taken"] })
        : answer({ view: aView(9, "Empty") }),
    "list/view/update": () => answer({ view: views[0] }),
    "list/view/delete": () => answer({}),
  });
  await loadSession();
  const router = await draw(<Stations />);
  await found(() => button("Saved views"));
  const sent = async (path: string): Promise<unknown> =>
    requests.findLast(({ url }) => url.endsWith(path))?.json();
  return { sent, search: () => router.latestLocation.search };
}
/** The page stays while the menu and its texts are loaded. */
const open = async () => {
  await click(button("Saved views"));
  expect(document.querySelector("[role=grid], table")).not.toBeNull();
};
const item = (name: string) =>
  found(() =>
    [...document.querySelectorAll<HTMLElement>("[role^=menuitem]")].find((each) =>
      each.textContent.startsWith(name),
    ),
  );

it("a view is shown by its name: search, order and columns go into the address, and it is ticked then", async () => {
  const { search: searched } = await show([aView(1, "Masts"), aView(2, "Ours", { is_shared: true })]);
  await open();
  expect((await item("Ours")).textContent).toContain("of the company");

  await click(await item("Masts"));

  await found(() => "q" in searched());
  expect(searched()).toEqual({ q: "mast", cols: "name,number" });
  await open();
  expect((await item("Masts")).getAttribute("aria-checked")).toBe("true");
  await click(await item("Silent, longest first"));
  await found(() => Reflect.get(searched(), "sort") === "-name");
  expect(searched()).toMatchObject({ q: "roof" });
});

it("the present filters, order and columns are saved under a name, for the company by those who may", async () => {
  const { sent } = await show([]);
  await open();
  await found(() => says("No saved views yet") || says("Silent, longest first"));
  await click(await item("Save this view"));

  await click(button("Save"));
  expect(faultAt(field("Name of the view"))).toBeTruthy();
  await type(field("Name of the view"), "Empty");
  await click(field("For everyone in the company"));
  await click(button("Save"));

  await found(() => !document.querySelector("dialog"));
  expect(await sent("list/view/add")).toEqual({
    list: "baseStations",
    name: "Empty",
    is_shared: true,
    state: { q: "", sort: { field: "name", desc: false }, filters: {}, cols: ["name", "devices"] },
  });
});

it("without the right a view is one's own, and a name in use is refused at its field", async () => {
  await show([], { mayShare: false, refused: true });
  await open();
  await click(await item("Save this view"));
  expect(() => field("For everyone in the company")).toThrow();

  await type(field("Name of the view"), "Masts");
  await click(button("Save"));

  await found(() => faultAt(field("Name of the view")));
});

it("a view is renamed, shared and removed; those of others are not offered", async () => {
  const { sent } = await show([
    aView(1, "Masts"),
    aView(2, "Theirs", { is_shared: true, may_change: false }),
  ]);
  await open();
  await click(await item("Edit views"));
  expect(document.querySelector("dialog")?.textContent).not.toContain("Theirs");

  await click(field("For everyone: Masts"));
  expect(await sent("list/view/update")).toEqual({ id: 1, is_shared: true });
  await click(await found(() => button("Rename: Masts")));
  await type(await found(() => field("Name of the view")), "Towers");
  await click(button("Save"));
  await expect.poll(() => sent("list/view/update")).toEqual({ id: 1, name: "Towers" });
  await click(await found(() => button("Remove the view “Masts”?")));
  await click(await found(() => button("Remove the view")));
  await expect.poll(() => sent("list/view/delete")).toEqual({ id: 1 });
});

it("a view without columns is shown with any, and the order of the values of a filter does not matter", () => {
  const state = { q: "", sort: null, page: 3, size: 25, filters: { status: ["b", "a"] }, cols: null };
  const view = { q: "", sort: null, filters: { status: ["a", "b"] }, cols: null };

  expect(isSameView(viewOf(state, ["name"]), view)).toBe(true);
  expect(isSameView(viewOf({ ...state, q: "x" }, ["name"]), view)).toBe(false);
  expect(isSameView(viewOf(state, ["name"]), { ...view, cols: ["number"] })).toBe(false);
});
