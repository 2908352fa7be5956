import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { companies, currentCompany, type Company } from "@metrum/contract/access";
import { peakHours } from "@metrum/contract/metering";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { peakHoursOf, readRegions } from "./peakHours.ts";

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await openTestApi();
  folder = mkdtempSync(join(tmpdir(), "metrum-peak-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await api.close();
});

const engineer = () => api.token("engineer@metrum.example");
const own = () => ({ params: { id: String(api.companies.first) } });
const save = async (body: unknown) =>
  api.ask(peakHours.set, { token: await engineer(), input: { ...own(), body: body as never } });
const range = (start: number, stop: number) => ({ start, stop });

test("SERV-017 the default peak hours are by region and price zone, and marked as unofficial", async () => {
  const { data } = await api.ask(peakHours.default, { token: await engineer(), language: "en" });

  const [region] = data.regions;
  const table = data.peak_hours_each_month_by_regions_id[String(region?.id)];
  expect(Object.keys(table ?? {})).toEqual(["price_0", "price_1"]);
  expect(table?.price_0).toHaveLength(12);
  expect(table?.price_0[0]).toEqual({ month: 1, ranges: [range(7, 10), range(17, 21)] });
  expect(region?.source).toContain("Not official");
});

test("SERV-017 an installation can bring its own table of regions in a file; an invalid file is refused with the name of its setting", () => {
  const file = join(folder, "regions.json");
  const inAllLanguages = (text: string) => ({ ru: text, en: text, mn: text });
  const hours = { price_0: [{ month: 2, ranges: [range(9, 12)] }], price_1: [] };
  writeFileSync(
    file,
    JSON.stringify([{ id: 7, title: inAllLanguages("Region"), source: inAllLanguages("Order 5"), hours }]),
  );
  const wrong = join(folder, "wrong.json");
  writeFileSync(wrong, "[{}]");

  expect(readRegions(file)).toMatchObject([{ id: 7, hours }]);
  expect(() => readRegions(wrong)).toThrow("METRUM_PEAK_HOURS_FILE");
  expect(() => readRegions(join(folder, "none.json"))).toThrow("METRUM_PEAK_HOURS_FILE");
});

test("SERV-019 a company's own list is saved with or without a wrapper, in the order of the months, without empty ones", async () => {
  const may = { month: 5, ranges: [range(8, 11), range(17, 24)] };
  const january = { month: 1, ranges: [range(0, 3)] };

  const bare = await save([may, january, { month: 6, ranges: [] }]);
  const stored = await api.ask(currentCompany.own, { token: await engineer() });
  const named = await save({ peak_hours: [may] });

  expect(bare.data.peak_hours).toEqual([january, may]);
  expect(stored.data.company.peak_hours).toEqual([january, may]);
  expect(named.data.peak_hours).toEqual([may]);
});

test.each([
  ["month 0", [{ month: 0, ranges: [] }]],
  ["month 13", [{ month: 13, ranges: [] }]],
  [
    "a month twice",
    [
      { month: 1, ranges: [] },
      { month: 1, ranges: [] },
    ],
  ],
  ["three ranges", [{ month: 1, ranges: [range(1, 2), range(3, 4), range(5, 6)] }]],
  ["an hour after 24", [{ month: 1, ranges: [range(20, 25)] }]],
  ["half an hour", [{ month: 1, ranges: [range(1.5, 3)] }]],
  ["an empty range", [{ month: 1, ranges: [range(8, 8)] }]],
  ["an end before the start", [{ month: 1, ranges: [range(9, 8)] }]],
  ["ranges that overlap", [{ month: 1, ranges: [range(8, 12), range(11, 14)] }]],
  ["ranges out of order", [{ month: 1, ranges: [range(17, 20), range(8, 12)] }]],
])("SERV-020 %s is refused and changes nothing", async (_, list) => {
  await save([{ month: 3, ranges: [range(8, 10)] }]);

  const answer = await save(list);

  const { data } = await api.ask(currentCompany.own, { token: await engineer() });
  expect(answer.status).toBe(422);
  expect(data.company.peak_hours).toEqual([{ month: 3, ranges: [range(8, 10)] }]);
});

test("SERV-019 an administrator of the parent company can save those of a child; a user without that right cannot", async () => {
  const ask = async (email: string) =>
    api.ask(peakHours.set, { token: await api.token(email), input: { ...own(), body: [] } });

  expect((await ask("dealer@metrum.example")).status).toBe(200);
  expect((await ask("engineer2@metrum.example")).status).toBe(404);
  expect((await ask("operator@metrum.example")).status).toBe(403);
  expect((await ask("demo@metrum.example")).code).toBe("demo_refused");
});

const regions = [
  {
    id: 1,
    title: { ru: "", en: "", mn: "" },
    source: { ru: "", en: "", mn: "" },
    hours: {
      price_0: [{ month: 11, ranges: [range(7, 10)] }],
      price_1: [{ month: 11, ranges: [range(8, 9)] }],
    },
  },
];
const company = (peak_hours_zone: "price_0" | "price_1" | "manual", timezone = "Asia/Ulaanbaatar") => ({
  timezone,
  options: { peak_hours_zone },
  peak_hours: [{ month: 11, ranges: [range(17, 21)] }],
});
/** Friday 20 November 2026, 12:00 in Ulaanbaatar. */
const friday = Date.UTC(2026, 10, 20, 4) / 1000;

test("SERV-018 the option of the company chooses between the price zones and the own list", () => {
  const chosen = (zone: "price_0" | "price_1" | "manual") => peakHoursOf(company(zone), friday, regions);

  expect(chosen("price_0")).toEqual([range(7, 10)]);
  expect(chosen("price_1")).toEqual([range(8, 9)]);
  expect(chosen("manual")).toEqual([range(17, 21)]);
});

test("SERV-018 the administrator's choice applies at once: a price zone of the region, or the company's own list", async () => {
  const token = await engineer();
  await save([{ month: 11, ranges: [range(17, 21)] }]);
  const offered = (await api.ask(peakHours.default, { token })).data;
  const choose = async (options: object) => {
    const answer = await api.ask(companies.update, { token, input: { body: { options } } });
    const { company: stored } = (await api.ask(currentCompany.own, { token })).data;
    return { status: answer.status, zone: stored.options.peak_hours_zone, hours: hoursOf(stored) };
  };
  const hoursOf = (stored: Company) =>
    peakHoursOf({ ...stored, timezone: stored.timezone_name }, friday, regions);

  const before = (await api.ask(currentCompany.own, { token })).data.company;
  const chosen = [
    await choose({ peak_hours_zone: "price_1" }),
    await choose({ peak_hours_zone: "manual" }),
    await choose({ peak_hours_zone: "price_0" }),
    await choose({ peak_hours_zone: "price_2" }),
  ];

  // Without a choice the first price zone applies.
  expect([before.options.peak_hours_zone, hoursOf(before)]).toEqual(["price_0", [range(7, 10)]]);
  expect(chosen).toEqual([
    { status: 200, zone: "price_1", hours: [range(8, 9)] },
    { status: 200, zone: "manual", hours: [range(17, 21)] },
    { status: 200, zone: "price_0", hours: [range(7, 10)] },
    { status: 422, zone: "price_0", hours: [range(7, 10)] },
  ]);
  expect(Object.keys(offered.peak_hours_each_month_by_regions_id["1"] ?? {})).toEqual(["price_0", "price_1"]);
});

test("SERV-018 of several regions that of the company applies, or the first if it has chosen none that exists", () => {
  const both = [
    ...regions,
    { ...regions[0], id: 2, hours: { price_0: [{ month: 11, ranges: [range(1, 2)] }], price_1: [] } },
  ];
  const hoursIn = (peak_hours_region: number | undefined) =>
    peakHoursOf(
      { ...company("price_0"), options: { peak_hours_zone: "price_0", peak_hours_region } },
      friday,
      both as typeof regions,
    );

  expect([2, 1, 9, undefined].map(hoursIn)).toEqual([
    [range(1, 2)],
    [range(7, 10)],
    [range(7, 10)],
    [range(7, 10)],
  ]);
});

test("SERV-020 Saturday and Sunday have no peak hours, in the calendar of the company's zone", () => {
  const days = [0, 1, 2, 3].map((day) => peakHoursOf(company("manual"), friday + day * 86_400, regions));
  // Friday 17:00 UTC is Saturday in Ulaanbaatar and still Friday in Samara.
  const late = Date.UTC(2026, 10, 20, 17) / 1000;

  expect(days.map((each) => each.length)).toEqual([1, 0, 0, 1]);
  expect(peakHoursOf(company("manual"), late, regions)).toEqual([]);
  expect(peakHoursOf(company("manual", "Europe/Samara"), late, regions)).toEqual([range(17, 21)]);
});

test("a month without an entry has no peak hours", () => {
  expect(peakHoursOf(company("manual"), friday + 14 * 86_400, regions)).toEqual([]);
});
