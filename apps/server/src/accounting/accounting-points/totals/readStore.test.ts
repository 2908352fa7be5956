import { afterAll, beforeAll, expect, it } from "vitest";
import { statuses, type AccountingPointId } from "@metrum/vocabulary";
import { worstStatus } from "#metering/messages";
import { openTestStore, type TestStore } from "#testing/readings";
import { dayRowsOfPoints, monthsOfPoint, registersOfPoint, totalsOfPoints } from "./readStore.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

async function aPoint(timezone: string): Promise<AccountingPointId> {
  await store.addDevice();
  const rows = await store.query<{ id: AccountingPointId }>(
    `insert into accounting_point (company_id, name, resource_type_id, timezone)
      select max(id), 'Point', 1, $1 from company returning id`,
    [timezone],
  );
  if (!rows[0]) throw new Error("no point");
  return rows[0].id;
}

type Day = Readonly<Record<string, unknown>> & { readonly day: string };
async function addDays(pointId: AccountingPointId, days: readonly Day[]): Promise<void> {
  for (const day of days) {
    const row = {
      point_id: pointId,
      field: "main",
      length_sec: 86_400,
      known_sec: 86_400,
      computed_at: 0,
      ...day,
    };
    const names = Object.keys(row);
    await store.query(
      `insert into point_day (${names.join(", ")}) values (${names.map((_, n) => `$${String(n + 1)}`).join(", ")})`,
      Object.values(row),
    );
  }
}

const total = async (pointId: AccountingPointId, fromDay: string, toDay: string) =>
  (await totalsOfPoints(store.services.database.system, { pointIds: [pointId], fromDay, toDay }))[0];

it("TRUST-011 a total is the exact sum of its days, and says which part of the period it covers", async () => {
  const id = await aPoint("Europe/Berlin");
  await addDays(id, [
    { day: "2026-03-28", amount: "0.1", start_value: 10, end_value: 10.1, status: 1 },
    {
      day: "2026-03-29",
      amount: "0.2",
      length_sec: 82_800,
      known_sec: 80_000,
      end_value: 10.3,
      status: 5,
      flags: 8,
    },
  ]);

  expect(await total(id, "2026-03-28", "2026-03-29")).toEqual({
    pointId: id,
    amount: "0.3",
    estimated: "0",
    coveredSec: 166_400,
    // The clocks went forward on the 29th.
    lengthSec: 169_200,
    flags: 8,
    status: 5,
    firstRegister: 10,
    lastRegister: 10.3,
  });
});

it("TRUST-011 a gap counts in a period that contains it, and is missing in one that cuts it", async () => {
  const id = await aPoint("UTC");
  await addDays(id, [
    { day: "2026-03-01", amount: "5", known_sec: 43_200 },
    {
      day: "2026-03-04",
      amount: "1",
      known_sec: 43_200,
      gap_amount: "7.25",
      gap_from: 1_772_366_400,
      gap_day: "2026-03-01",
      gap_sec: 259_200,
      gap_estimated: "7.25",
    },
  ]);

  expect(await total(id, "2026-03-01", "2026-03-04")).toMatchObject({
    amount: "13.25",
    estimated: "7.25",
    coveredSec: 345_600,
    lengthSec: 345_600,
  });
  expect(await total(id, "2026-03-02", "2026-03-04")).toMatchObject({
    amount: "1",
    estimated: "0",
    coveredSec: 43_200,
    lengthSec: 259_200,
  });
});

it("TRUST-011 nothing known is null and never zero", async () => {
  const id = await aPoint("UTC");
  await addDays(id, [{ day: "2026-03-01", known_sec: 0, start_value: 1, end_value: 1 }]);

  expect(await total(id, "2026-03-01", "2026-03-31")).toMatchObject({ amount: null, coveredSec: 0 });
  expect(await total(id, "2027-03-01", "2027-03-31")).toMatchObject({ amount: null, coveredSec: 0 });
});

it("AP-019 months of a point include a gap within the month only; registers are listed", async () => {
  const id = await aPoint("UTC");
  const gap = { gap_amount: "2", gap_sec: 86_400, gap_from: 0 };
  await addDays(id, [
    { day: "2026-02-10", amount: "1", ...gap, gap_day: "2026-02-08" },
    { day: "2026-03-01", amount: "4", ...gap, gap_day: "2026-02-27" },
    { day: "2026-03-02", field: "tariff1", amount: "3" },
  ]);
  const db = store.services.database.system;

  const months = await monthsOfPoint(db, { pointId: id, fromMonth: "2026-01", toMonth: "2026-03" });

  expect(months.map(({ month, amount, lengthSec }) => [month, amount, lengthSec / 86_400])).toEqual([
    ["2026-02", "3", 28],
    ["2026-03", "4", 31],
  ]);
  expect(await registersOfPoint(db, id)).toEqual(["main", "tariff1"]);
  expect(
    await dayRowsOfPoints(db, {
      pointIds: [id],
      fields: ["tariff1"],
      fromDay: "2026-01-01",
      toDay: "2026-12-31",
    }),
  ).toMatchObject([{ day: "2026-03-02", amount: "3", gapAmount: null }]);
});

it("TRUST-011 a total has the worst status of its days, and their first and last known registers, stored in any order", async () => {
  const ids = Object.values(statuses).map(({ id }) => id);
  const pairs = ids.flatMap((a) => ids.filter((b) => b > a).map((b) => [a, b] as const));
  const point = await aPoint("Etc/UTC");
  // Each pair has a month.
  const monthAt = (at: number) => new Date(Date.UTC(2024, at, 1)).toISOString().slice(0, 8);
  for (const [at, [a, b]] of pairs.entries())
    await addDays(point, [
      { day: `${monthAt(at)}04`, status: null, start_value: null, end_value: null, amount: 1 },
      { day: `${monthAt(at)}03`, status: b, start_value: 7, end_value: 8, amount: 1 },
      { day: `${monthAt(at)}02`, status: a, start_value: 5, end_value: 7, amount: 2 },
      { day: `${monthAt(at)}01`, status: null, start_value: null, end_value: 5, amount: 1 },
    ]);

  const found = await Promise.all(
    pairs.map(async (_, at) => {
      const days = { fromDay: `${monthAt(at)}01`, toDay: `${monthAt(at)}28` };
      const [total] = await totalsOfPoints(store.services.database.system, { pointIds: [point], ...days });
      return total;
    }),
  );

  expect(found.map((total) => total?.status)).toEqual(pairs.map((pair) => worstStatus(pair)));
  for (const total of found) expect(total).toMatchObject({ firstRegister: 5, lastRegister: 8, amount: "5" });
});
