import type { CompanyId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { closedSpans, isClosed, refuseClosed } from "./index.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  await sql`insert into settlement_period (company_id, from_day, to_day, state) values
    (${api.companies.first}, '2026-09-01', '2026-09-30', 'closed'),
    (${api.companies.first}, '2026-10-01', '2026-10-31', 'open'),
    (${api.companies.second}, '2026-10-01', '2026-10-31', 'closed')`.execute(system());
});
afterAll(() => api.close());

const system = () => api.services.database.system;
const company = (): CompanyId => api.companies.first;
const utc = (...at: [number, number, number, number?]): number => Date.UTC(...at) / 1000;

it("TRUST-017 a span is closed as far as it lies in days of the point's zone that are closed", async () => {
  const almaty = "Asia/Almaty";
  const end = utc(2026, 8, 30, 19);

  expect(await closedSpans(system(), company(), { from: 0, to: null, zone: almaty })).toMatchObject([
    { from_day: "2026-09-01", to_day: "2026-09-30", from: utc(2026, 7, 31, 19), to: end },
  ]);
  const closed = (from: number, to: number | null, zone = almaty) =>
    isClosed(system(), company(), { from, to, zone });
  expect(await closed(end - 1, null)).toBe(true);
  expect(await closed(end, null)).toBe(false);
  expect(await closed(end, null, "Europe/Moscow")).toBe(true);
  expect(await closed(0, utc(2026, 7, 31, 19))).toBe(false);
});

it("TRUST-017 a change of what a closed period rests on is refused with the days of the period", async () => {
  const span = { from: utc(2026, 8, 5), to: utc(2026, 8, 6), zone: "UTC" };

  await expect(refuseClosed(system(), company(), span)).rejects.toMatchObject({
    code: "period_closed",
    params: { from: "2026-09-01", to: "2026-09-30" },
  });
  await refuseClosed(system(), company(), { ...span, from: utc(2026, 9, 5), to: null });
});
