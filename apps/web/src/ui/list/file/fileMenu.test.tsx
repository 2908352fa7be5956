// @vitest-environment happy-dom
import { baseStations, type BaseStation } from "@metrum/contract/metering";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { columnsOf, defineList, ListView, pageInput, search, useList } from "#ui/list";
import { answer, refusal, stubServer } from "#testing/browser.ts";
import { button, click, draw, found, says, useScreen } from "#testing/dom.tsx";
import { anAccess, asUser } from "#testing/session.ts";

useScreen("baseStations", "grid");

const saved: { readonly name: string; readonly text: Promise<string> }[] = [];
beforeEach(() => {
  startSession("token");
  saved.splice(0);
  let content: Blob | MediaSource | undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    content = blob;
    return "blob:1";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    if (content instanceof Blob) saved.push({ name: this.download, text: content.text() });
  });
});
afterEach(() => vi.restoreAllMocks());

const { text, number, toggle, at, actions } = columnsOf<BaseStation>();
const stations = defineList({
  call: baseStations.list,
  texts: ["baseStations"],
  label: "list",
  empty: "empty",
  hasChooser: true,
  sort: { field: "name", desc: false },
  input: (state) => ({ body: pageInput(state) }),
  answer: ({ base_stations: { data, total } }) => ({ rows: data, total }),
  rowKey: (row: BaseStation) => String(row.id),
  filters: [search("search")],
  columns: [
    text("name", 220, (row) => row.name, { isName: true, file: "name" }),
    number("devices", 110, (row) => row.devices_count, { file: "devices_count" }),
    text("number", 110, (row) => row.device_id, { isOptional: true, file: "device_id" }),
    toggle(
      "desc",
      76,
      {
        isOn: (row) => row.is_active,
        label: () => "on",
        isDisabled: () => true,
        change: () => Promise.resolve(),
      },
      { file: "is_active" },
    ),
    at("radius", 100, (row) => row.created_at, { file: "created_at" }),
    actions("menu", 56, () => null, { title: "" }),
  ],
  phone: (row) => row.name,
});
const Stations = () => <ListView list={useList(stations, {})} />;

async function show(file: () => Response) {
  const rows: BaseStation[] = [
    {
      id: 9,
      name: "Roof",
      radius: 4000,
      desc: "",
      poll_pause: 0,
      device_id: "1c",
      model_id: null,
      model_title: null,
      is_active: true,
      is_deleted: false,
      is_archived: false,
      devices_count: 5,
      created_at: 1_793_491_200,
    },
  ];
  const list = { data: rows, current_page: 1, last_page: 8, per_page: 25, total: 1_234 };
  let requestCount = 0;
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/base_stations": () => {
      requestCount += 1;
      return requestCount === 1
        ? answer({ base_stations: list, counts: { all: 2, archived: 0, deleted: 1 } })
        : file();
    },
  });
  await loadSession();
  await draw(<Stations />);
  await found(() => says("Roof"));
  await click(button("Save as a file"));
  return requests;
}
const item = (name: string) =>
  found(() =>
    [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find((each) => each.textContent === name),
  );

it("XLS-010 XLS-015 the whole list is saved by the server, with the visible columns and words of the user", async () => {
  const requests = await show(
    () =>
      new Response("PK", {
        headers: {
          "content-disposition": "attachment; filename=\"x\"; filename*=UTF-8''%D0%91%D0%A1%20(2).xlsx",
        },
      }),
  );
  await found(() => says(/The whole list: 1.234 rows/));

  await click(await item("Excel (.xlsx)"));

  const [file] = await found(() => (saved.length > 0 ? saved : null));
  expect([file?.name, await file?.text]).toEqual(["БС (2).xlsx", "PK"]);
  await found(() => says("Saved: БС (2).xlsx"));
  const sent = requests.filter(({ url }) => url.endsWith("device/base_stations")).at(-1);
  expect(await sent?.json()).toMatchObject({
    sort: "asc",
    file: {
      format: "xlsx",
      title: "Base stations",
      zone: "Asia/Ulaanbaatar",
      columns: [
        { title: "Name", of: ["name"] },
        { title: "Devices", of: ["devices_count"] },
        { title: "Description", of: ["is_active"], words: { true: "yes", false: "no" } },
        { title: "Radius", of: ["created_at"], shows: "time" },
      ],
    },
  });
});

it("API-005 a refused file says why and saves nothing", async () => {
  await show(() => refusal(429, "too_many_requests", "Too many requests"));

  await click(await item("CSV"));

  await found(() => says("Too many requests"));
  expect(saved).toEqual([]);
});
