// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { pollResults } from "@metrum/contract/headend";
import { fields } from "@metrum/vocabulary";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { queryClient } from "#lib/call";
import { changeLanguage } from "#lib/i18n";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { anAccess, asUser } from "#testing/session.ts";
import { aTask } from "#testing/tasks.ts";
import { button, click, draw, field, found, says, useScreen } from "#testing/dom.tsx";
import { DeviceDataPage } from "./DeviceDataPage.tsx";
import { screens } from "./routes.ts";
import { typeTitle } from "./tabs/tabs.ts";

/** The test browser has no canvas. */
vi.mock("uplot", () => ({
  default: class {
    data = [];
    series = [];
    batch() {}
    redraw() {}
    setSize() {}
    destroy() {}
  },
}));

useScreen("chart", "dateRange", "deviceData", "devices", "grid", "requests");
beforeEach(() => {
  startSession("token");
  Object.defineProperty(document, "fonts", { value: { ready: Promise.resolve() }, configurable: true });
});

const at = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400 + 1800;

const device = {
  id: 7,
  name: "Boiler house",
  place: "",
  deviceID: "412",
  gatewayID: null,
  gateway: null,
  base_station: null,
  inside_addr: "",
  interface_id: 4,
  model_id: 101,
  model_title: "SDM630",
  device_type_id: 3,
  device_group_id: 4,
  deviceTimezone: 5.5,
  // Five and a half hours ahead of UTC; the user is in Ulaanbaatar, eight.
  timezone_name: "Asia/Kolkata",
  report_period_update: 3600,
  warning_report_period: 7200,
  starting_value: 0,
  impulse_weight: 1,
  transformation_ratio: 1,
  properties: {},
  status: {},
  is_active: true,
  is_archived: false,
  is_deleted: false,
  state: "on_time",
  last_data_at: at,
  last_reading: null,
  completeness: [],
  created_at: at,
  version: 1,
  resource_type_id: 3,
  secrets: [],
  device_fields_titles: [],
  tied_point: null,
  model: {
    id: 101,
    title: "SDM630",
    brand_id: 1,
    brand: "Eastron",
    device_group_id: 4,
    device_type_id: 3,
    interface_ids: [4],
    protocol: "modbus",
    options: { control: { now_value: { active: true } }, virtual_bridge: { active: false } },
    tabs: {
      instant_readings: { msgTypes: [2], chart_fields: ["voltage1", "voltage2"] },
      power_profiles: { msgTypes: [5], chart_fields: [] },
      archives: { msgTypes: [100, 101], chart_fields: ["tariff0"] },
    },
    fields: ["voltage1", "voltage2"],
    has_own_starting_value: false,
    has_login: false,
    has_vectors: false,
  },
};
const headersOfVoltages = ["voltage1", "voltage2"].map((name) => ({
  name,
  title: name,
  title_en: name,
  unit: "V",
  decimals: 1,
}));
const voltages = { datetime: [at], voltage1: [230.14159], voltage2: [231.2] };
const rows = (columns: object = voltages, fields_headers = headersOfVoltages) =>
  answer({
    columns,
    fields_headers,
    "max_r/a": 0,
    max_ra_percent: 0,
    truncated: false,
    summary: {
      expected: null,
      received: null,
      received_share: null,
      gaps: [],
      gap_count: 0,
      totals: [],
      tg_phi: null,
      totals_from: null,
    },
  });

const serve = (messages: () => Response = rows) =>
  stubServer({
    ...asUser(anAccess("admin")),
    "device/metering_device/7": () => answer({ metering_device: device }),
    "device/messages": () => messages(),
    "device/messages/types": () => answer({ types: [] }),
    "device/control": () =>
      answer({ msg: "Done", control_set: { result: "The device has answered" }, device_task: aTask }),
    "task/device/list": () => answer({ device_tasks: pageOf([]), counts: [] }),
    "user/settings": () => answer({ settings: {} }),
  });

let history = createMemoryHistory();

/** Opens the page of device 7 with its session; returns the requests. */
async function open(search = "", messages: () => Response = rows, requests = serve(messages)) {
  await loadSession();
  const root = createRootRoute();
  const page = createRoute({ getParentRoute: () => root, path: "/data/$id", component: DeviceDataPage });
  history = createMemoryHistory({ initialEntries: [`/data/7${search}`] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  await draw(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await found(() => document.querySelector("h1"));
  /** Bodies sent to a path. */
  return bodiesOf(requests);
}
const bodiesOf = (requests: readonly Request[]) => (path: string) =>
  Promise.all(
    requests
      .filter(({ url }) => new URL(url).pathname === `/api/${path}`)
      .map(async (each) => JSON.parse((await each.clone().text()) || "{}") as Record<string, unknown>),
  );
const sent = async (bodies: Promise<Record<string, unknown>[]>) => (await bodies).at(-1);
const segments = (label: string) =>
  [...document.querySelectorAll(`.segments[aria-label="${label}"] button`)].map((each) => each.textContent);

it("DATA-001: the page opens by the id of the device and requests its data", async () => {
  const bodies = await open();

  expect(document.querySelector("h1")?.textContent).toBe("Boiler house");
  await found(() => says("230.1"));
  expect(await sent(bodies("device/messages"))).toMatchObject({ device_id: 7, msgType: 2 });
});

it.each(["", "?tab=archives&type=101", "?from=1700000000&to=1700086399"])(
  "device and readings requested while the page was loading are not requested again: %s",
  async (search) => {
    const requests = serve();
    await screens[0]?.start?.({ id: "7" }, Object.fromEntries(new URLSearchParams(search)));

    const bodies = await open(search, rows, requests);

    await found(() => document.querySelector(".slot b"));
    expect(await bodies("device/metering_device/7")).toHaveLength(1);
    expect(await bodies("device/messages")).toHaveLength(1);
  },
);

it.each([
  ["a tab with a chart", "", true],
  ["a tab without one", "?tab=power_profiles", false],
])("while its readings load %s keeps the place of the chart: %s", async (_, search, hasChart) => {
  const requests = serve();
  const reply = fetch;
  let arrive: (() => void) | undefined;
  const readings = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    if (address.includes("device/messages")) await readings;
    return reply(address, init);
  });
  const place = () => document.querySelector(".chart-place");
  await open(search, rows, requests);
  await found(() => document.querySelector(".data-table"));
  expect(place() !== null).toBe(hasChart);

  arrive?.();
  await found(() => document.querySelector(".slot b"));
  expect(place()).toBeNull();
});

/** A window of this width. */
const widen = (width: number) =>
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: width <= Number(/\d+/.exec(query)?.[0]),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
const buttons = () => [...document.querySelectorAll(".device-actions > button")].map(nameOf);
const nameOf = (each: Element) => each.getAttribute("aria-label") ?? each.textContent;
async function menuOf(): Promise<(string | null)[]> {
  await click(await found(() => document.querySelector<HTMLElement>(".device-actions [aria-label=Actions]")));
  return [...document.querySelectorAll("[role=menuitem] > span:first-of-type")].map(
    (each) => each.textContent,
  );
}
/** The page of a device whose model has these controls, in a window of this width. */
async function openWith(controls: object, width = 1440, access = anAccess("admin"), more: object = {}) {
  widen(width);
  const options = { control: controls, virtual_bridge: { active: false } };
  const requests = serve();
  const served = { ...device, ...more, model: { ...device.model, options } };
  const before = fetch;
  vi.stubGlobal("fetch", (address: string, init: RequestInit) =>
    address.includes("device/metering_device/7")
      ? Promise.resolve(answer({ metering_device: served }))
      : address.includes("user/access")
        ? Promise.resolve(asUser(access)["user/access"]())
        : before(address, init),
  );
  const bodies = await open("", rows, requests);
  await found(() => document.querySelector(".device-actions button"));
  return bodies;
}
const active = { active: true };
const everything = {
  now_value: active,
  tariff: active,
  read_info: active,
  archive: active,
  archive_profile: active,
  event_log: { active: true, settings: { journals: [{ event_index: 0, title: "Ж", title_en: "J" }] } },
};

it.each([
  ["Current values", { now_value: 1 }],
  ["Current indications", { tariff: 1 }],
  ["Read device information", { read_info: true }],
])(
  "DATA-006 REQ-025 REQ-026 REQ-027 CTRL-017: %s are requested at once, and the answer is shown",
  async (name, management) => {
    const bodies = await openWith(everything);

    if (name !== "Current values") await menuOf();
    await click(name === "Current values" ? button(name) : await found(() => menuItem(name)));

    await found(() => says("The device has answered"));
    await expect
      .poll(() => bodies("task/device/list"))
      .toContainEqual(expect.objectContaining({ device_id: 7, is_open: true }));
    const [sentBody] = await bodies("device/control");
    expect(sentBody).toMatchObject({ id: 7, management });
    expect([sentBody?.["title"], sentBody?.["title_en"]].every((title) => title !== "")).toBe(true);
  },
);
const menuItem = (name: string) =>
  [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find((each) =>
    each.textContent.includes(name),
  );

it("REQ-013 REQ-027 DATA-007 DATA-008 DATA-009 DATA-045: actions are those of the model, the dialogs of archive and profile open from buttons", async () => {
  await openWith(everything);
  expect(buttons()).toEqual(["Current values", "Request archive", "Request profile", "Actions"]);

  await click(button("Request profile"));

  await found(() => document.querySelector("dialog form"));
  expect(document.querySelector("dialog h2")?.textContent).toBe("Request the power profile");
});

it("REQ-013: without journals of the model none can be requested", async () => {
  await openWith({ now_value: active, event_log: active });

  expect(buttons()).toEqual(["Current values"]);
});

it("ACL-021 ACL-022 DATA-014: read on 4 is enough for the buttons; in the collapsed menu the same entries need update", async () => {
  await openWith(everything, 1280, anAccess([4]));

  expect(buttons()).toEqual(["Actions"]);
  const shown = (await menuOf()).join();
  expect(shown).toContain("Request archive");
  expect(shown).not.toContain("Current values");
  expect(shown).not.toContain("Request profile");
});

it("ACL-021: with read on 4 a wide window has the buttons", async () => {
  await openWith(everything, 1440, anAccess([4]));

  expect(buttons()).toEqual(["Current values", "Request archive", "Request profile", "Actions"]);
});

const updating = anAccess([4], {
  access_group: {
    id: 1,
    name: "g",
    access_rules: { create: [], read: [4], update: [4], delete: [], access_all: [] },
  },
});
it.each([
  ["update on 4 and a command of the model", { power: active }, updating, true],
  ["read on 4 alone", { now_value: active, power: active }, anAccess([4]), false],
  ["no command of the model", { now_value: active }, updating, false],
] as const)("ACL-020: the control button with %s", async (_, controls, access, isShown) => {
  await openWith(controls, 1440, access);

  expect(buttons().includes("Control…")).toBe(isShown);
});

it("nothing is requested of a device in the archive: the buttons say why", async () => {
  await openWith(everything, 1440, anAccess("admin"), { is_archived: true });

  expect(button("Current values").disabled).toBe(true);
  expect(button("Current values").title).toBe("The device is in the archive or in the trash");
});

it("TASK-006: of a device without any data the last poll and its result are told, with the way to the log", async () => {
  const empty = rows({ datetime: [], voltage1: [], voltage2: [] });
  const device_polling = {
    ...{ device_id: 7, poll_group_id: null, is_active: true, interval: 60, last_success_at: null },
    ...{ last_run_at: at, last_result_code: pollResults.timeout.id, next_run_at: at + 60 },
  };
  const requests = stubServer({
    ...asUser(anAccess("admin")),
    "device/metering_device/7": () =>
      answer({ metering_device: { ...device, state: "never", last_data_at: null } }),
    "device/messages": () => empty.clone(),
    "device/messages/types": () => answer({ types: [] }),
    "device/opros": () => answer({ device_polling }),
  });
  await open("", rows, requests);

  await found(() => says("No data has come from this device yet"));
  await found(() => says("No answer"));
  await click(button("Open the poll log"));

  expect(history.location.search).toContain("tab=journal");
  expect(await sent(bodiesOf(requests)("device/opros"))).toEqual({ device_id: 7 });
});

it("DATA-031: the server's message for a failed request is shown instead of the rows", async () => {
  await open("", () => refusal(500, "internal", "The store is being repaired"));

  const note = await found(() => document.querySelector(".grid-note[role=alert]"));
  expect(note.textContent).toContain("The store is being repaired");
});

it("DATA-039: hidden columns are stored by model and tab", async () => {
  const bodies = await open();
  await found(() => says("230.1"));

  await click(button("Columns"));
  const boxes = await found(() => {
    const all = [...document.querySelectorAll<HTMLInputElement>(".grid-choice input")];
    return all.length > 0 && all;
  });
  const second = boxes.find((each) => /2|B/.test(each.labels?.[0]?.textContent ?? "") && !each.disabled);
  await click(second ?? document.body);

  expect(await sent(bodies("user/settings"))).toEqual({
    settings: { "grid.data.101.instant_readings": { cols: ["datetime", "voltage1", "status"] } },
  });
});

it("DATA-050: hidden series are stored by model and tab", async () => {
  const bodies = await open();

  const legend = await found(() => document.querySelectorAll<HTMLElement>(".chart-head button")[1]);
  await click(legend);

  expect(await sent(bodies("user/settings"))).toEqual({
    settings: { "chart.data.101.instant_readings": ["voltage2"] },
  });
});

it("a counter is drawn by its growth unless the switch is off, whatever the table shows", async () => {
  const columns = { datetime: [at], tariff0: [1000], delta_tariff0: [2.5] };
  const headers = Object.keys(columns)
    .slice(1)
    .map((name) => ({ name, title: name, title_en: name, unit: "kWh", decimals: 3 }));
  await open("?tab=archives", () => rows(columns, headers));
  const drawn = () => document.querySelector(".chart-head button")?.textContent;

  await found(() => drawn() === "Energy A+, total, growth");
  await click(field("Counter in the chart"));
  await found(() => drawn() === "Energy A+, total");
});

it("DATA-051: times of data are those of the zone of the device, not of the user", async () => {
  await open();

  const slot = await found(() => document.querySelector(".slot b"));
  expect(slot.textContent).toBe("06:00");
});

it("GENERAL-008: the date column is fixed at the left edge", async () => {
  await open();
  await found(() => says("230.1"));

  const sticky = [...document.querySelectorAll(".is-sticky")];
  expect(sticky).toHaveLength(2);
  expect(sticky[0]?.textContent).toContain("Date");
  expect(sticky[1]?.querySelector(".slot")).not.toBeNull();
});

it("GENERAL-024: numbers of the table have the decimals of their field, one to four", async () => {
  await open();

  const cell = await found(() =>
    document.querySelector("tbody tr[data-index] td:nth-child(2), tbody td:nth-child(2) span"),
  );
  expect(cell.textContent).toBe("230.1");
  for (const { decimals } of Object.values(fields)) expect([1, 2, 3, 4]).toContain(decimals);
});

it("RANGE-002: a profile has a selector of 30 and 60 minutes, other tabs have none", async () => {
  const bodies = await open("?tab=power_profiles");
  expect(segments("Profile period")).toEqual(["30 min", "60 min"]);
  await expect.poll(async () => (await sent(bodies("device/messages")))?.["profile_type"]).toBe(30);

  await click(button("60 min"));
  await expect.poll(async () => (await sent(bodies("device/messages")))?.["profile_type"]).toBe(60);

  await click(button("Instant readings"));
  await expect.poll(() => segments("Profile period")).toEqual([]);
});

it("Back marks the tab of the address, also before the other tab was drawn", async () => {
  await open("?tab=power_profiles");
  const marked = () => document.querySelector("[role=tab][aria-selected=true]")?.textContent;

  await click(button("Instant readings"));

  await expect.poll(marked).toBe("Instant readings");
  history.back();
  await expect.poll(marked).toBe("Power profile");
  await expect.poll(() => segments("Profile period")).toHaveLength(2);
  await click(button("Instant readings"));
  await expect.poll(() => history.location.href).toContain("instant");
  history.back();
  await expect.poll(marked).toBe("Power profile");
});

it("RANGE-004: the type of archive can be chosen where there is more than one", async () => {
  const bodies = await open("?tab=archives");
  expect(segments("Archive type")).toHaveLength(2);

  await click(button(segments("Archive type")[1] ?? ""));
  await expect.poll(async () => (await sent(bodies("device/messages")))?.["msgType"]).toBe(101);

  await click(button("Instant readings"));
  await expect.poll(() => segments("Archive type")).toEqual([]);
});

it("RANGE-006: in Mongolian the titles of data are English", async () => {
  await changeLanguage("mn");
  onTestFinished(() => changeLanguage("en"));
  await open("?tab=archives");

  const titles = [...document.querySelectorAll(".data-bar .segments button")].map((each) => each.textContent);
  expect(titles).toEqual([100, 101].map((type) => typeTitle(type, "en")));
  expect(titles.join()).toMatch(/^[A-Za-z ,]+$/);
});

it("DATA-015: the selector of dates and period stands above the tabs", async () => {
  await open("?tab=power_profiles");

  const [tabs, dates] = [".tabs", ".data-bar .range"].map((each) => document.querySelector(each));
  const [period] = document.querySelectorAll(".data-bar .segments");
  if (!tabs || !dates || !period) throw new Error("the page has no tabs or no bar");
  for (const each of [dates, period])
    expect(each.compareDocumentPosition(tabs)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
