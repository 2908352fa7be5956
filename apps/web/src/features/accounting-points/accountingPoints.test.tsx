// @vitest-environment happy-dom
import { accountingPoints } from "@metrum/contract/accounting";
import { act } from "react";
import { readGridState } from "#ui/grid";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { refetch } from "#lib/call";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { unevenColumns } from "#testing/columns.ts";
import { button, click, draw, faultAt, field, found, press, says, type, useScreen } from "#testing/dom.tsx";
import { aPoint } from "#testing/points.ts";
import { anAccess, asUser } from "#testing/session.ts";
import { updateInput, valuesOf } from "./form/pointForm.ts";
import { PointForm } from "./form/PointForm.tsx";
import { pointList } from "./list/pointList.tsx";
import { listInput } from "./points.ts";
import { PointsOfNode } from "./list/PointsOfNode.tsx";
import { PointsPage } from "./list/PointsPage.tsx";
import { Recount } from "./Recount.tsx";
import { TieDeviceDialog } from "./ties/TieDeviceDialog.tsx";
import { UntieDeviceDialog } from "./ties/UntieDeviceDialog.tsx";

useScreen("accountingPoints", "objectTabs", "objects", "grid", "listViews");
beforeEach(() => startSession("token"));

async function serve(
  more: Readonly<Record<string, (body: string) => Response>> = {},
  access = anAccess("admin"),
) {
  const requests = stubServer({
    ...asUser(access),
    "objects/accounting_point/company/list": () =>
      answer({
        accounting_points: pageOf([
          aPoint(),
          aPoint({
            id: 145,
            name: "Heat input",
            resource_type_id: 4,
            device: null,
            device_id: null,
            last_reading: null,
            state: "no_device",
          }),
        ]),
      }),
    "objects/build_tree": () => answer({ tree: [] }),
    "reference/consumer/list": () => answer({ consumers: pageOf([]) }),
    "reference/supplier/list": () => answer({ suppliers: pageOf([]) }),
    "reference/transformer/list": () => answer({ transformers: pageOf([]) }),
    "device/metering_devices": () =>
      answer({ metering_devices: pageOf([{ id: 8, name: "Spare meter", deviceID: "5200391" }]) }),
    "views/list": () => answer({ views: [] }),
    ...more,
  });
  await loadSession();
  return requests;
}
const sent = async (requests: readonly Request[], path: string): Promise<unknown> =>
  (await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)))).clone().json();
const menuEntry = (name: string) =>
  found(() =>
    [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].find(
      ({ textContent }) => textContent === name,
    ),
  );
const submit = () => found(() => document.querySelector<HTMLElement>("dialog button[type=submit]"));

it("AP-021 TRUST-028: the list shows address, resource, device, last reading and state", async () => {
  await serve();
  await draw(<PointsPage />);
  await found(() => says("Heat input"));

  const [row] = [...document.querySelectorAll("tr")].filter(({ textContent }) =>
    textContent.includes("AP-144"),
  );
  const text = row?.textContent.replaceAll("\u00A0", " ");
  expect(text).toContain("Darkhan, Sukhbaatar, 14");
  expect(text).toContain("Electricity");
  expect(text).toContain("Khutul meter №5200144");
  expect(text).toContain("233 502.955 kWh");
  expect(unevenColumns()).toEqual([]);
  expect(text).toContain("On time");
  expect(row?.querySelector("a[href='#/cloud/devices/accounting-point-card/7?point_id=144']")).not.toBeNull();
});

it("AP-021 UI-027: the tab counts all points, also while the search leaves a few", async () => {
  await serve({
    "objects/accounting_point/company/list": (body) =>
      answer({
        accounting_points: { ...pageOf([aPoint()]), total: body.includes("search_string") ? 4 : 233 },
      }),
  });
  await draw(<PointsPage />, "/?q=Bakery");

  await found(() => says("Found: 4"));
  const tab = await found(() => document.querySelector('[role=tab][aria-selected="true"]'));
  await found(() => tab.textContent.endsWith("233"));
});

describe.each([
  { modules: [6], hrefs: [] },
  { modules: [4, 6], hrefs: ["#/cloud/devices/data/7"] },
])(
  "AP-021: the device of a point leads to its data for those who may open them: $modules",
  ({ modules, hrefs }) => {
    const named = async () => {
      await found(() => says("Khutul meter"));
      return [...document.querySelectorAll("a[href*='/devices/data/']")].map((each) =>
        each.getAttribute("href"),
      );
    };
    it("in the list", async () => {
      await serve({}, anAccess(modules));
      await draw(<PointsPage />);
      expect(await named()).toEqual(hrefs);
    });
    it("at its node", async () => {
      await serve(
        { "objects/accounting_point/list": () => answer({ accounting_points: pageOf([aPoint()]) }) },
        anAccess(modules),
      );
      await draw(<PointsOfNode node={aNode} />);
      expect(await named()).toEqual(hrefs);
    });
  },
);

it("TRUST-011: while totals are recounted, the days left are said; nothing is said afterwards", async () => {
  let days_left = 12;
  await serve({
    "objects/accounting_point/progress": () => answer({ progress: [], points_left: 1, days_left }),
  });
  await draw(<Recount of={{ accounting_point_id: "144" }} />);
  await found(() => says("Being recounted: 12 days left"));

  days_left = 0;
  await act(() => refetch(accountingPoints.progress));
  await found(() => !says("Being recounted"));
});

it("AP-021: the address filters by branch, resource, state and consumer; wrong values are ignored", () => {
  const stateAt = (search: Readonly<Record<string, unknown>>) => readGridState(search, pointList.defaults);
  const filters = { "f.object": "12", "f.resource": "3", "f.status": "silent", "f.consumer": "9" };

  expect(listInput(stateAt({ ...filters, q: "line", sort: "-last_data_at" }))).toEqual({
    object_ids: [12],
    resource_type_id: [3],
    state: ["silent"],
    consumer_id: "9",
    search_string: "line",
    sort_field: "last_data_at",
    sort: "desc",
    page: 1,
    per_page: 25,
  });
  expect(
    listInput(stateAt({ "f.object": "x", "f.resource": "77", "f.status": "constructor", sort: "hack" })),
  ).toEqual({
    sort_field: "name",
    sort: "asc",
    page: 1,
    per_page: 25,
  });
});

it("UI-051: a point is deleted only when its own number is typed, else msg_60 is shown", async () => {
  const requests = await serve({
    "objects/accounting_point/delete": () => answer({}, 200, { msg: "Deleted" }),
  });
  await draw(<PointsPage />);
  await found(() => says("Heat input"));
  const remove = async (number: string) => {
    await click(await found(() => document.querySelector<HTMLElement>("[aria-label='Actions: Heat input']")));
    await click(await menuEntry("Delete…"));
    await type(await found(() => field("Type the number 145 to confirm")), number);
    await click(button("Delete the point"));
  };

  await remove("144");
  await found(() => says("The number entered does not match the record"));
  expect(requests.some(({ method }) => method === "DELETE")).toBe(false);

  await remove("145");
  expect(await sent(requests, "objects/accounting_point/delete")).toEqual({ ids: [145] });
});

it("AP-021: a point is taken from its object, with the way back", async () => {
  const requests = await serve({
    "objects/accounting_point/untie_object": () => answer({}, 200, { msg: "Taken" }),
    "objects/accounting_point/tie_object": () => answer({}, 200, { msg: "Placed" }),
  });
  await draw(<PointsPage />);
  await click(
    await found(() => document.querySelector<HTMLElement>("[aria-label='Actions: Khutul Cement, line 2']")),
  );
  await click(await menuEntry("Take from its object"));

  expect(await sent(requests, "objects/accounting_point/untie_object")).toEqual({
    accounting_point_id: 144,
    object_id: "12",
  });
  await click(await found(() => button("Undo")));
  expect(await sent(requests, "objects/accounting_point/tie_object")).toEqual({
    accounting_point_id: 144,
    object_id: "12",
  });
});

it("AP-021: a point with a meter offers its replacement, one without offers to tie one", async () => {
  await serve();
  await draw(<PointsPage />);
  await click(
    await found(() => document.querySelector<HTMLElement>("[aria-label='Actions: Khutul Cement, line 2']")),
  );
  expect((await menuEntry("Replace the meter…")).getAttribute("href")).toBe(
    "#/cloud/objects/points/144/replace",
  );

  await click(await found(() => document.querySelector<HTMLElement>("[aria-label='Actions: Heat input']")));
  await click(await menuEntry("Tie a meter…"));
  await found(() => says("Tie a meter to Heat input"));
});

it("AP-021: a meter is tied with the reading and the moment at which it begins to measure", async () => {
  const requests = await serve({
    "objects/accounting_point/registers": () =>
      answer({
        main: "tariff0",
        registers: [
          {
            field: "tariff0",
            title: "Всего",
            title_en: "Total, A+",
            unit: "kWh",
            last_value: 0.214,
            last_at: 1_792_636_200,
            accounting_point_id: null,
          },
        ],
      }),
    "objects/accounting_point/tie_device": () => answer({}, 200, { msg: "Tied" }),
  });
  await draw(<TieDeviceDialog point={aPoint({ device: null, device_id: null })} onClose={() => undefined} />);

  await click(await submit());
  expect(faultAt(field("Meter"))).toBeDefined();
  await click(field("Meter"));
  await found(() => says("Spare meter"));
  await press("Enter");
  await type(field("Measures from"), "22.10.2026 11:25");
  await found(() => says("Last poll"));
  await type(field("Reading at that moment"), "0,214");
  await click(await submit());

  expect(await sent(requests, "objects/accounting_point/tie_device")).toEqual({
    accounting_point_id: 144,
    device_id: 8,
    from: Date.parse("2026-10-22T03:25:00Z") / 1000,
    starting_value: 0.214,
  });
});

it("TRUST-028: a meter is untied with a doubted reading only once a reason confirms it", async () => {
  const answers = [
    refusal(409, "point_reading_doubted", "The readings contradict the device", {
      last_value: ["below the reading before it, 12"],
    }),
    answer({}, 200, { msg: "Untied" }),
  ];
  const requests = await serve({
    "objects/accounting_point/registers": () => answer({ main: "tariff0", registers: [] }),
    "objects/accounting_point/untie_device": () => answers.shift() ?? answer({}),
  });
  await draw(<UntieDeviceDialog point={aPoint()} onClose={() => undefined} />);
  const reading = await found(() => field("Last reading"));
  await type(reading, "11");
  await click(await submit());

  await found(() => says("below the reading before it, 12"));
  await type(field("Reason to confirm the readings"), "Photographed");
  await click(await submit());
  await found(() => requests.filter(({ url }) => url.includes("untie_device")).length > 1);

  expect(await sent(requests, "objects/accounting_point/untie_device")).toMatchObject({
    last_value: 11,
    confirm: true,
    confirm_reason: "Photographed",
  });
});

it("AP-021: a point is made with address, terms and the moment from which they hold", async () => {
  const requests = await serve({
    "objects/accounting_point/create": () =>
      answer({ accounting_point: aPoint({ id: 200 }) }, 200, { msg: "Made" }),
  });
  await draw(<PointForm point={null} parent={{ _id: "12", name: "Line 2" }} onClose={() => undefined} />);

  await type(field("Name"), "Input 1");
  await type(field("Street"), "Sukhbaatar");
  await type(field("Losses"), "2,5");
  await type(field("A day"), "3100");
  await type(field("Terms hold from"), "01.10.2026 00:00");
  await click(await submit());

  expect(await sent(requests, "objects/accounting_point/create")).toEqual({
    name: "Input 1",
    street: "Sukhbaatar",
    parent_id: "12",
    has_own_zone: false,
    resource_type_id: 3,
    loss_factor: 0.025,
    standard: { day: 3100, month: null, hour: null },
    valid_from: Date.parse("2026-09-30T16:00:00Z") / 1000,
  });
});

it("AP-021: a change sends only what differs, so that no other term begins anew", () => {
  const point = aPoint({ loss_factor: 0.02 });
  const stored = valuesOf(point, null, "UTC");

  expect(updateInput(144, { ...stored, consumer: null, valid_from: 1_790_784_000 }, stored)).toEqual({
    id: 144,
    consumer_id: null,
    valid_from: 1_790_784_000,
  });
  expect(updateInput(144, stored, stored)).toEqual({ id: 144 });
  // Percent on the screen, a share in the call.
  expect(updateInput(144, { ...stored, loss: 2.3 }, stored)).toEqual({ id: 144, loss_factor: 0.023 });
});

it("AP-021: the form says that a change rewrites nothing of yesterday", async () => {
  await serve();
  await draw(<PointForm point={aPoint()} parent={null} onClose={() => undefined} />);

  expect(says("nothing of yesterday is rewritten")).toBe(true);
  // The ratio follows from the transformers, and the resource from the meter.
  expect(field("Transformation ratio").disabled).toBe(true);
  expect(field("Resource").disabled).toBe(true);
});

it("AP-021: an object shows the points of its branch and takes another one", async () => {
  const requests = await serve({
    "objects/accounting_point/tie_object": () => answer({}, 200, { msg: "Placed" }),
  });
  await draw(<PointsOfNode node={aNode} />);
  await found(() => says("Heat input"));

  expect(await sent(requests, "objects/accounting_point/company/list")).toMatchObject({ object_ids: [12] });
  await click(button("Place a point here…"));
  await click(field("Accounting point"));
  const option = await found(() =>
    [...document.querySelectorAll("[role=option]")].find(({ textContent }) =>
      textContent.includes("Heat input"),
    ),
  );
  option.dispatchEvent(new Event("pointerdown", { bubbles: true, cancelable: true }));
  await found(() => field("Accounting point").value === "Heat input");
  await click(await submit());

  expect(await sent(requests, "objects/accounting_point/tie_object")).toEqual({
    accounting_point_id: 145,
    object_id: "12",
  });
});

const none = { devices: 0, gateways: 0, base_stations: 0, points: 0, silent: 0 };
const aNode = {
  _id: "12",
  name: "Line 2",
  parentId: null,
  type: "other",
  childs_count: 0,
  nodes_below: 0,
  devices_info: none,
  childs_devices_info: none,
  address: null,
  created_at: 1_790_784_000,
};

vi.setConfig({ testTimeout: 60_000 });
