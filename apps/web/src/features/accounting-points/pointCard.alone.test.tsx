// @vitest-environment happy-dom
import { vi, beforeEach, expect, it, onTestFinished } from "vitest";
import { changeLanguage } from "#lib/i18n";
import { loadSession } from "#lib/session";
import { startSession } from "#lib/token";
import { answer, pageOf, refusal, stubServer } from "#testing/browser.ts";
import { unevenColumns } from "#testing/columns.ts";
import { button, click, draw, field, found, says, type, useScreen } from "#testing/dom.tsx";
import { aHistory, aMonth, aPoint, aWhy } from "#testing/points.ts";
import { anAccess, asUser } from "#testing/session.ts";
import { PointCard } from "./card/PointCard.tsx";
import { PointCardPage } from "./card/PointCardPage.tsx";

const place = vi.hoisted(() => ({ params: {}, search: {} }));
vi.mock("@tanstack/react-router", async (load) => ({
  ...(await load<object>()),
  useParams: () => place.params,
  useSearch: () => place.search,
}));

useScreen("accountingPoints", "deviceData", "grid");
beforeEach(() => {
  startSession("token");
  Object.assign(place, { params: { deviceId: "7" }, search: {} });
});

async function serve(more: Readonly<Record<string, () => Response>> = {}, access = anAccess("admin")) {
  const requests = stubServer({
    ...asUser(access),
    "objects/accounting_point/company/list": () => answer({ accounting_points: pageOf([aPoint()]) }),
    "objects/accounting_point/144": () => answer({ accounting_point: aPoint() }),
    "objects/accounting_point/tabs": () =>
      answer({
        tabs: [
          {
            name: "power_profiles",
            title: "Профиль",
            title_en: "Power profile",
            msgTypes: [5],
            chart_fields: [],
          },
        ],
      }),
    "objects/accounting_point/history": () => answer(aHistory()),
    "objects/accounting_point/months": () =>
      answer({
        unit: "kWh",
        ratio_decimals: 0,
        fields: ["main"],
        months: [
          aMonth(),
          aMonth({
            month: "2026-09",
            consumption: 86_412.52,
            devices: 2,
            state: "partial",
            known_sec: 2_589_600,
            length_sec: 2_592_000,
          }),
          aMonth({ month: "2026-08", consumption: null, state: "none", known_sec: 0 }),
        ],
      }),
    "objects/accounting_point/why": () => answer(aWhy()),
    "objects/accounting_point/file/list": () => answer({ files: [] }),
    "objects/object/get": () => refusal(404, "not_found", "No"),
    ...more,
  });
  await loadSession();
  return requests;
}
const sent = async (requests: readonly Request[], path: string): Promise<unknown> =>
  (await found(() => requests.findLast(({ url }) => url.endsWith(`/api/${path}`)))).clone().json();

it("ROUTE-022 AP-017: the card opens by the device that measures the point", async () => {
  const requests = await serve();
  await draw(<PointCardPage />);

  await found(() => says("AP-144"));
  expect(await sent(requests, "objects/accounting_point/company/list")).toMatchObject({ measured_by: [7] });
});

it("AP-017: tabs of data have the names of the data page in Mongolian too", async () => {
  await changeLanguage("mn");
  onTestFinished(() => changeLanguage("en"));
  await serve();
  await draw(<PointCardPage />);

  const tab = await found(() => document.querySelector("a[role=tab]"));
  expect(tab.textContent).toBe("Чадлын профайл");
});

it("ROUTE-022: with point_id the point decides, whatever device is named", async () => {
  Object.assign(place, { params: { deviceId: "999" }, search: { point_id: 144 } });
  const requests = await serve();
  await draw(<PointCardPage />);

  await found(() => says("AP-144"));
  expect(requests.some(({ url }) => url.includes("company/list"))).toBe(false);
});

it("ROUTE-022: a device without a point says so, and a wrong id is no error page", async () => {
  await serve({ "objects/accounting_point/company/list": () => answer({ accounting_points: pageOf([]) }) });
  await draw(<PointCardPage />);
  await found(() => says("This device measures no accounting point"));

  Object.assign(place, { params: { deviceId: "x" } });
  await draw(<PointCardPage />);
  await found(() => says("There is no such accounting point"));
});

it("ROUTE-022: several points of one device are offered", async () => {
  await serve({
    "objects/accounting_point/company/list": () =>
      answer({ accounting_points: pageOf([aPoint(), aPoint({ id: 145, name: "Input 2" })]) }),
  });
  await draw(<PointCardPage />);

  await found(() => says("measures several accounting points"));
  const links = [...document.querySelectorAll("a")].map((each) => each.getAttribute("href"));
  expect(links).toContain("#/cloud/devices/accounting-point-card/7?point_id=145");
});

it("AP-020 AP-022: the card shows address, resource, device, parties, ratio, standard and history", async () => {
  await serve();
  await draw(<PointCard point={aPoint()} />);
  await found(() => says("3 meters since 04.06.2011"));

  const facts = Object.fromEntries(
    [...document.querySelectorAll(".points-facts > div")].map((each) => [
      each.querySelector("dt")?.textContent ?? "",
      each.querySelector("dd")?.textContent.replaceAll("\u00A0", " "),
    ]),
  );
  expect(facts).toMatchObject({
    Resource: "Electricity, HV",
    "Meter now": "Mercury 236 №5200144",
    Address: "Darkhan, Sukhbaatar, 14",
    Ratio: "40, by TT 200/5",
    Consumer: "Khutul Cement",
    Supplier: "Darkhan Utility Networks",
    Standard: "3 100 kWh a day",
    "Contract power": "280 kW",
  });
  expect(says("SA4U №441902: 04.06.2011 – 12.03.2019")).toBe(true);
  expect(says("Closed 04.09.2026 10:40")).toBe(true);
  expect(says("40 min without a meter, not counted")).toBe(true);
});

it("AP-022: tabs of the data lead to the data page of the point", async () => {
  await serve();
  await draw(<PointCard point={aPoint()} />);

  const tab = await found(() =>
    [...document.querySelectorAll("a[role=tab]")].find((each) => each.textContent === "Power profile"),
  );
  expect(tab.getAttribute("href")).toBe("#/cloud/devices/data/point/144?tab=power_profiles");
});

it("TRUST-010: a month explains itself, down to the exchange, and is copied as text", async () => {
  const copied: string[] = [];
  vi.stubGlobal("navigator", {
    clipboard: { writeText: (text: string) => Promise.resolve(copied.push(text)) },
  });
  const requests = await serve();
  await draw(<PointCard point={aPoint()} />);

  await click(
    await found(() => document.querySelector<HTMLElement>(".points-explained[aria-label^='September']")),
  );
  await found(() => says("because 2 intervals were measured apart"));

  expect(await sent(requests, "objects/accounting_point/why")).toEqual({
    accounting_point_id: 144,
    month: "2026-09",
  });
  expect(says(/Closing reading 04\.09\.2026 10:40, act № 118\/26/)).toBe(true);
  expect(says(/× 40/)).toBe(true);
  // What is missing is said beside the total.
  expect(says(/40 min of 30 d not known/)).toBe(true);
  expect(document.querySelector("del")?.textContent).toBe("nothing");
  expect(button("Open exchange")).toBeDefined();

  await click(button("Copy as text"));
  await found(() => copied.length > 0);
  expect(copied[0]).toContain("September 2026: 86\u00A0412.520 kWh");
  expect(copied[0]).toContain("− 187\u00A0212.902");
});

it("TRUST-028: months have one number of decimals a column, and an explanation the one that its numbers need", async () => {
  await serve({
    "objects/accounting_point/why": () => answer(aWhy({ decimals: { values: 6, amounts: 4 } })),
  });
  await draw(<PointCard point={aPoint()} />);

  await click(
    await found(() => document.querySelector<HTMLElement>(".points-explained[aria-label^='September']")),
  );
  await found(() => says("86\u00A0412.5200 kWh"));
  expect(unevenColumns()).toEqual([]);
  expect(says("− 187\u00A0212.902000")).toBe(true);
});

it("TRUST-026: while days wait to be counted, the explanation names no time as unknown", async () => {
  await serve({ "objects/accounting_point/why": () => answer(aWhy({ is_behind: true })) });
  await draw(<PointCard point={aPoint()} />);

  await click(
    await found(() => document.querySelector<HTMLElement>(".points-explained[aria-label^='September']")),
  );
  await found(() => says("Newer readings are being counted"));

  expect(says("not known and not counted")).toBe(false);
});

it("TRUST-017: the explanation of a closed month tells its bill, and how later data differ", async () => {
  const closed = [
    { version: 1, amount: 86_412.52, difference: 0 },
    { version: 2, amount: 86_400, difference: 12.52 },
  ];
  await serve({ "objects/accounting_point/why": () => answer(aWhy({ billed: closed.shift() ?? null })) });
  await draw(<PointCard point={aPoint()} />);

  await click(
    await found(() => document.querySelector<HTMLElement>(".points-explained[aria-label^='September']")),
  );
  await found(() => says("Billed as version 1 of the closed month"));
  await click(
    await found(() => document.querySelector<HTMLElement>(".points-explained[aria-label^='August']")),
  );

  await found(() =>
    says(/Version 2 of the closed month bills 86.400\.000 kWh\. Later data: difference \+12\.520 kWh/),
  );
  expect(says("Billed as version")).toBe(false);
});

it("TRUST-010: a reading entered with a replacement has no exchange, and says so", async () => {
  await serve();
  await draw(<PointCard point={aPoint()} />);
  await click(
    await found(() => document.querySelector<HTMLElement>(".points-explained[aria-label^='September']")),
  );

  const closing = await found(() =>
    [...document.querySelectorAll<HTMLElement>(".points-lines button")].find((each) =>
      each.textContent.startsWith("Closing reading"),
    ),
  );
  await click(closing);

  expect(says("This reading was entered with the replacement.")).toBe(true);
});

it("API-005 API-021: the months are saved as a workbook of the server, with words for their states", async () => {
  const requests = await serve();
  await draw(<PointCard point={aPoint()} />);
  await found(() => document.querySelector(".points-explained"));

  await click(button("Excel"));

  const asked = () => requests.filter(({ url }) => url.endsWith("objects/accounting_point/months"));
  const [, request] = await found(() => asked().length > 1 && asked());
  expect(await request?.clone().json()).toMatchObject({
    ...{ accounting_point_id: 144, months: 60 },
    file: {
      ...{ format: "xlsx", zone: "Asia/Ulaanbaatar" },
      columns: [
        { of: ["month"] },
        {},
        {},
        {},
        { of: ["consumption"] },
        { of: ["carried"] },
        {},
        { words: { none: "nothing known" } },
      ],
    },
  });
});

it("a month of which nothing is known is a dash, never zero", async () => {
  await serve();
  await draw(<PointCard point={aPoint()} />);

  const none = await found(() =>
    document.querySelector<HTMLElement>(".points-explained[aria-label^='August']"),
  );
  expect(none.textContent).toBe("—");
  expect(says("Nothing is known")).toBe(true);
});

it("AP-022: a verification is added to the history", async () => {
  const requests = await serve({
    "objects/accounting_point/event/add": () => answer({ event_id: 9 }, 200, { msg: "Added" }),
  });
  await draw(<PointCard point={aPoint()} />);
  await found(() => says("3 meters"));

  await click(button("Add event"));
  await type(field("When"), "04.09.2026 11:20");
  await type(field("Verified until"), "01.06.2036");
  await click(await found(() => document.querySelector<HTMLElement>("dialog button[type=submit]")));

  expect(await sent(requests, "objects/accounting_point/event/add")).toEqual({
    accounting_point_id: 144,
    kind: "verified",
    ts: Date.parse("2026-09-04T03:20:00Z") / 1000,
    verified_until: Date.parse("2036-05-31T16:00:00Z") / 1000,
  });
});

it("TRUST-018: the last replacement is undone only while the server allows it, after a question", async () => {
  const requests = await serve({
    "objects/accounting_point/undo_replacement": () => answer({}, 200, { msg: "Undone" }),
  });
  await draw(<PointCard point={aPoint()} />);
  await click(
    await found(() =>
      [...document.querySelectorAll("button")].find(
        ({ textContent }) => textContent === "Undo the replacement…",
      ),
    ),
  );
  await click(await found(() => button("Undo the replacement")));

  expect(await sent(requests, "objects/accounting_point/undo_replacement")).toEqual({
    accounting_point_id: 144,
  });
});

it("TRUST-018: a billed replacement offers no undo", async () => {
  await serve({ "objects/accounting_point/history": () => answer(aHistory({ can_undo: false })) });
  await draw(<PointCard point={aPoint()} />);
  await found(() => says("Opened 04.09.2026 11:20"));

  expect(says("Undo the replacement")).toBe(false);
});

it("AP-022: a reader sees the card without what would change it", async () => {
  await serve({}, anAccess([6]));
  await draw(<PointCard point={aPoint()} />);
  await found(() => says("3 meters"));

  expect(says("Add event")).toBe(false);
  expect(says("Replace meter")).toBe(false);
});

const correction = {
  "objects/accounting_point/check_correction": () =>
    answer({
      unit: "kWh",
      months: [{ month: "2026-09", before: 86_412.52, after: 86_332.52 }],
      is_too_long: false,
      meterless_before: [{ from: 1_788_489_600, to: 1_788_492_000, amount: 80 }],
      meterless_after: [],
    }),
  "objects/accounting_point/correct_tie": () => answer({}, 200, { msg: "Saved" }),
};
const openCorrection = async () => {
  await click(
    await found(() =>
      document.querySelector<HTMLElement>("[aria-label='Correct the interval of Mercury 236 №5200144']"),
    ),
  );
};

it("TRUST-018: an interval of a meter is corrected with a reason, the months before and after are shown first", async () => {
  const requests = await serve(correction);
  await draw(<PointCard point={aPoint()} />);
  await openCorrection();
  expect(says("Nothing is changed yet")).toBe(true);

  await type(field("Measured from"), "04.09.2026 10:40");
  await found(() => says(/September 2026.*86\u00A0412.520 kWh.*86\u00A0332.520 kWh/));
  expect(says(/Of it without a meter.*80\.000 kWh.*—/)).toBe(true);
  await click(button("Save the correction"));
  expect(requests.some(({ url }) => url.endsWith("correct_tie"))).toBe(false);
  await type(field("Reason"), "Act 118/26 names 10:40");
  await click(button("Save the correction"));

  const changed = {
    accounting_point_id: 144,
    tie_number: 3,
    from: Date.parse("2026-09-04T02:40:00Z") / 1000,
  };
  expect(await sent(requests, "objects/accounting_point/check_correction")).toEqual(changed);
  expect(await sent(requests, "objects/accounting_point/correct_tie")).toEqual({
    ...changed,
    reason: "Act 118/26 names 10:40",
  });
});

it("TRUST-017: a correction of a closed month says which, before it is sent", async () => {
  await serve({
    "objects/accounting_point/check_correction": () =>
      refusal(409, "period_closed", "The settlement period from 2026-09-01 to 2026-09-30 is closed"),
  });
  await draw(<PointCard point={aPoint()} />);
  await openCorrection();

  await type(field("Reading at the beginning"), "228000");

  await found(() => says("The settlement period from 2026-09-01 to 2026-09-30 is closed"));
});

it("TRUST-018: who may not tie meters corrects no interval", async () => {
  await serve({}, anAccess([6]));
  await draw(<PointCard point={aPoint()} />);
  await found(() => says("3 meters with their readings"));

  expect(document.querySelector("[aria-label^='Correct the interval']")).toBeNull();
});

it("TRUST-010 the explanation closes although the browser's scrolling returns a promise", async () => {
  await serve();
  vi.spyOn(Element.prototype, "scrollIntoView").mockReturnValue(Promise.resolve() as never);
  await draw(<PointCard point={aPoint()} />);
  await click(await found(() => document.querySelector<HTMLElement>(".points-explained")));
  await click(await found(() => button("Close the explanation")));

  await found(() => document.querySelector(".points-why") === null);
  expect(document.querySelectorAll(".points-explained")).toHaveLength(3);
});
