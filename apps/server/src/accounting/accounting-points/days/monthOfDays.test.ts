import type { AccountingPointId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestStore, type TestStore } from "#testing/readings";
import { packedDaysOfPoints } from "../totals/packedDaysStore.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** Days since 1970-01-01. */
const first = Date.UTC(2026, 1, 27) / 86_400_000;
const range = { first, last: first + 3 };

it("BAL-006 BAL-011 TRUST-011 the month of a point follows every change of its days, in the same transaction", async () => {
  await store.addDevice({ zone: "UTC" });
  const [point] = await store.query<{ id: AccountingPointId }>(
    `insert into accounting_point (company_id, name, resource_type_id, timezone)
      select company_id, 'Point', 1, 'UTC' from device limit 1 returning id`,
  );
  const id = point?.id ?? (0 as AccountingPointId);
  const days = () => packedDaysOfPoints(store.services.database.system, [id], range);
  const put = (sql: string) => store.query(`with k as (select $1::int as id) ${sql}`, [id]);
  await put(`insert into point_day (point_id, field, day, amount, length_sec, known_sec, computed_at)
    select k.id, field, d, extract(day from d), 86400, 86400, 0
    from k, generate_series('2026-02-25'::date, '2026-03-05', '1 day') d, unnest('{main,tariff1}'::text[]) field`);

  // February has 28 days: the last two of the request are of March.
  expect(await days()).toEqual(new Map([[id, { whole: [27e6, 28e6, 1e6, 2e6], others: [] }]]));

  await put(`update point_day set amount = 7.5, flags = 1, known_sec = 82800, gap_amount = 3, gap_from = 0,
    gap_day = '2026-02-26', gap_sec = 3600 from k where point_id = k.id and field = 'main' and day = '2026-03-01'`);
  await put("update point_day set amount = 99 from k where point_id = k.id and field = 'tariff1'");
  await put("delete from point_day using k where point_id = k.id and field = 'main' and day = '2026-02-27'");

  expect((await days()).get(id)).toMatchObject({
    whole: [Number.NaN, 28e6, Number.NaN, 2e6],
    others: [{ at: 2, amount: "7.5", missingSec: 3600, gapAmount: "3", gapFrom: -1, gapSec: 3600, flags: 1 }],
  });

  const months = () => store.query("select month from point_month");
  await put("delete from point_day using k where point_id = k.id and field = 'main' and day < '2026-03-01'");
  expect(await months()).toHaveLength(1);
  await store.query("delete from accounting_point where id = $1", [id]);
  expect(await months()).toHaveLength(0);
});
