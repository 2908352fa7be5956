import { periods, pointHistory } from "@metrum/contract/accounting";
import { pathOf } from "@metrum/contract/core";
import { parse } from "csv-parse/sync";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { october, useMonths } from "#testing/series/months";
import { billedTotals } from "#accounting/closed-periods";
import { compareStale } from "./compareJob.ts";

const { at, api, system, ask, call, see, open, closed, aPoint, aDay, wholeMonth } = useMonths();

it("TRUST-017 balances and reports get the billed totals of a closed period, and none of an open one", async () => {
  const point = await aPoint("Billed");
  await wholeMonth(point);
  const days = { from_day: "2026-10-01", to_day: "2026-10-31" };
  const { rows } = await sql<{ id: never }>`select id from accounting_point`.execute(system());
  const billed = () =>
    billedTotals(system(), api().companies.first, { ...days, points: rows.map(({ id }) => id) });
  const before = await billed();
  const id = await closed();
  const monthOf = async () => {
    const { data } = await call(pointHistory.months, { input: { body: { accounting_point_id: point } } });
    return data.months.find(({ month }) => month === "2026-10");
  };
  expect(await monthOf()).toMatchObject({ consumption: 34.1, end_value: 101.1, now: null });
  await aDay(point, "2026-10-02", { amount: "99" });
  await sql`update point_day set end_value = 201.1 where day = '2026-10-31'`.execute(system());

  expect([before, (await billed())?.get(rows[0]?.id as never)]).toMatchObject([
    null,
    { amount: "34.1", version: 1, period_id: id },
  ]);
  expect(await monthOf()).toMatchObject({
    ...{ consumption: 34.1, end_value: 101.1, is_closed: true },
    now: { consumption: 132, start_value: 100, end_value: 201.1 },
  });
});

it("TRUST-017 TRUST-019 the losses of a closed month stay what was stored, whatever its days give now", async () => {
  const point = await aPoint("House 1");
  const ts = (moment: string) => Date.parse(moment) / 1000;
  await sql`insert into point_term (point_id, company_id, kind, from_ts, to_ts, number) values
    (${point}, ${api().companies.first}, 'loss', 0, ${ts("2026-10-16T12:00:00Z")}, 0.02),
    (${point}, ${api().companies.first}, 'loss', ${ts("2026-10-16T12:00:00Z")}, null, 0.06)`.execute(
    system(),
  );
  for (const day of october) await aDay(point, day, { amount: "10" });
  const lossOf = async () => {
    const { data } = await call(pointHistory.months, {
      input: { body: { accounting_point_id: point, months: 12, with_loss_factor: true } },
    });
    return data.months.find(({ month }) => month === "2026-10")?.loss;
  };
  // Fifteen days of 2 %, one of 4 %, fifteen of 6 %.
  const expected = 15 * 0.2 + 0.4 + 15 * 0.6;

  const open = await lossOf();
  const id = await closed();
  await aDay(point, "2026-10-09", { amount: "1000" });
  const billed = await lossOf();
  await ask("correct", { id, digest: (await ask("get", { id })).data.now.digest, reason: "Day 9 came late" });
  const corrected = await lossOf();

  expect([open, billed]).toEqual([expected, expected]);
  expect(corrected).toBeCloseTo(expected + 990 * 0.02, 9);
});

it("TRUST-017 losses that have changed since a closing are a difference, are shown beside the amounts and can be corrected", async () => {
  const point = await aPoint("Lossy");
  await wholeMonth(point);
  await sql`insert into point_term (point_id, company_id, kind, from_ts, number)
    values (${point}, ${api().companies.first}, 'loss', 0, 0.02)`.execute(system());
  await sql`delete from point_due`.execute(system());
  const { resources } = (await see()).preview;
  const id = await closed();
  await sql`update point_term set number = 0.03 where point_id = ${point}`.execute(system());
  await sql`delete from point_due`.execute(system());
  await sql`update settlement_period set is_stale = true`.execute(system());
  await compareStale(api().services);

  const after = await open(id);
  const listed = (await ask("list", {})).data.periods.data.find(({ month }) => month === "2026-10");

  expect(resources).toMatchObject([{ amount: 34.1, loss: 0.682 }]);
  expect([after.now.differing, listed?.differing]).toEqual([1, 1]);
  expect(after.totals.data).toMatchObject([
    { change: "changed", difference: 0, loss: 0.682, other: { amount: 34.1, loss: 1.023 } },
  ]);
  expect(after.resources).toMatchObject([{ difference: 0, loss: 0.682, loss_difference: 0.341 }]);
  const corrected = await ask("correct", { id, digest: after.now.digest, reason: "Losses were agreed anew" });
  const both = await open(id, { version: 1, compare: 2 });
  expect([corrected.status, (await open(id)).now.differing]).toEqual([200, 0]);
  expect(both.totals.data).toMatchObject([{ change: "changed", loss: 0.682, other: { loss: 1.023 } }]);
});

it("TRUST-017 TRUST-010 the explanation of a closed month tells what is billed, and how later data differ", async () => {
  const point = await aPoint("House 1");
  await wholeMonth(point);
  // The explanation follows from what the days consist of: here of added amounts.
  await sql`insert into point_amount (point_id, company_id, field, from_ts, to_ts, amount, method)
    select d.point_id, p.company_id, d.field, extract(epoch from d.day::timestamp at time zone p.timezone),
      extract(epoch from (d.day + 1)::timestamp at time zone p.timezone), d.amount, 'given'
    from point_day d join accounting_point p on p.id = d.point_id where d.point_id = ${point}`.execute(
    system(),
  );
  const settled = () => sql`delete from point_due where point_id = ${point}`.execute(system());
  await settled();
  const why = async (of: object = { month: "2026-10" }) => {
    const { data } = await call(pointHistory.why, {
      input: { body: { accounting_point_id: point, ...of } },
    });
    return { total: data.total, billed: data.billed };
  };

  const open = await why();
  const id = await closed();
  const same = await why();
  await aDay(point, "2026-10-09", { amount: "0.3" });
  await sql`update point_amount a set amount = 0.3 from accounting_point p where p.id = a.point_id and a.point_id = ${point}
    and a.from_ts = extract(epoch from timestamp '2026-10-09' at time zone p.timezone)`.execute(system());
  await settled();
  const later = await why();
  const ofDay = await why({ day: "2026-10-09" });
  await ask("correct", { id, digest: (await ask("get", { id })).data.now.digest, reason: "Day 9 came late" });
  const corrected = await why();
  await sql`delete from point_amount where point_id = ${point}`.execute(system());
  await sql`delete from point_day where point_id = ${point}`.execute(system());

  expect(open).toEqual({ total: 34.1, billed: null });
  expect(same).toEqual({ total: 34.1, billed: { version: 1, amount: 34.1, difference: 0 } });
  expect(later).toEqual({ total: 33.3, billed: { version: 1, amount: 34.1, difference: -0.8 } });
  expect(ofDay).toEqual({ total: 0.3, billed: null });
  expect(corrected).toEqual({ total: 33.3, billed: { version: 2, amount: 33.3, difference: 0 } });
  expect(await why()).toEqual({ total: null, billed: { version: 2, amount: 33.3, difference: null } });
});

it("TRUST-017 TRUST-026 of a running month each point counts the days that are over in its own zone", async () => {
  const [east, west] = [await aPoint("East", "Asia/Ulaanbaatar"), await aPoint("West", "America/New_York")];
  // In the east the 10th has begun, in the west it is still the 9th.
  at.now = Date.parse("2026-10-10T02:00:00Z") / 1000;
  for (const day of october.slice(0, 9)) await aDay(east, day);
  for (const day of october.slice(0, 8)) await aDay(west, day);
  await aDay(west, "2026-10-09", { amount: "0.4", known: 3600 });
  const summaryOf = async () =>
    (await ask("list", {})).data.periods.data.find(({ month }) => month === "2026-10")?.summary;

  const { preview } = await see();
  const listed = await summaryOf();
  await sql`delete from point_day where point_id = ${east} and day = '2026-10-09'`.execute(system());
  const holed = await see();

  expect(preview).toMatchObject({ state: "running", counted_to: "2026-10-08", lacking: 0, covered: 1 });
  expect(preview.resources).toMatchObject([{ points: 2, amount: 18.7 }]);
  expect(listed).toMatchObject({ lacking: 0, covered: 1 });
  expect(holed.preview).toMatchObject({ lacking: 1, resources: [{ amount: 17.6 }] });
  expect(holed.incomplete.data).toMatchObject([{ point_id: east }]);
});

it("TRUST-017 a register is told by its name, and its amounts in its own unit", async () => {
  const point = await aPoint("Reactive");
  await wholeMonth(point);
  for (const day of october) await aDay(point, day, { amount: "0.5", field: "tariff_reactive0" });

  const id = await closed({ accepts_incomplete: true });
  const { totals } = await open(id);

  expect(totals.data.map(({ field, register }) => [field, register.unit])).toEqual([
    ["main", "кВт·ч"],
    ["tariff_reactive0", "квар·ч"],
  ]);
  expect(totals.data[1]?.register.title).toMatch(/^Энергия R/);
});

it("TRUST-017 the file of a period ends with the total of its list, and says that it is incomplete", async () => {
  const [whole, half] = [await aPoint("Whole"), await aPoint("Half"), await aPoint("None")];
  await wholeMonth(whole);
  await wholeMonth(half);
  await sql`delete from point_day where point_id = ${half} and day > '2026-10-16'`.execute(system());
  const id = await closed({ accepts_incomplete: true });
  const { resources } = await open(id);

  const { body } = await api().fastify.inject({
    method: "POST",
    url: `/api/${pathOf(periods.get)}`,
    headers: {
      authorization: `Bearer ${await api().token("engineer@metrum.example")}`,
      ...{ "accept-language": "en", "accept-encoding": "identity" },
    },
    payload: { id, format: "csv" },
  });

  const rows = parse(body, { bom: true });
  expect(resources).toMatchObject([{ amount: 51.7 }]);
  expect(rows.map(([name, register, unit, , , amount]) => [name, register, unit, amount])).toEqual([
    ["Accounting point", "Register", "Unit", "Consumption"],
    ["Half", "main", "kWh", "17.600000"],
    ["None", "main", "kWh", ""],
    ["Whole", "main", "kWh", "34.100000"],
    [
      "Total: Consumption incomplete, 1 of 3; Consumption, compared incomplete, 1 of 3",
      ...["main", "kWh", "51.700000"],
    ],
  ]);
});
