import { balanceLimits, balances, objectTies } from "@metrum/contract/accounting";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createSheetReader } from "#core";
import { month, november, openBalances, type BalanceApi } from "#testing/series/balance";
import { dayNumber } from "./series.ts";

let bench: BalanceApi;
beforeAll(async () => {
  bench = await openBalances();
});
afterAll(() => bench.api.close());
beforeEach(async () => {
  await bench.query("delete from balance_group");
});

const query: BalanceApi["query"] = (...given) => bench.query(...given);
const ask: BalanceApi["ask"] = (...given) => bench.ask(...given);
const aPoint: BalanceApi["aPoint"] = (...given) => bench.aPoint(...given);
const aDevice: BalanceApi["aDevice"] = (...given) => bench.aDevice(...given);
const aNode: BalanceApi["aNode"] = (...given) => bench.aNode(...given);
const days: BalanceApi["days"] = (...given) => bench.days(...given);
const aGroup: BalanceApi["aGroup"] = (...given) => bench.aGroup(...given);
const computed: BalanceApi["computed"] = (...given) => bench.computed(...given);

it("BAL-007 BAL-008 BAL-004 a group is created with its formula and opened by id", async () => {
  const [input, feeder, own] = [await aPoint("Input"), await aPoint("Feeder"), await aPoint("Own needs")];
  const id = await aGroup({
    name: "TP-14",
    allowed_imbalance: 3,
    loss_rule: "percent",
    loss_value: 2.2,
    input_point_ids: [input],
    points: [
      { point_id: feeder, role: "out", coefficient: 1.5, from_day: "2026-01-01" },
      { point_id: own, role: "loss" },
    ],
  });

  const { data } = await ask(balances.get, { params: { id: String(id) } });

  expect(data.balance_group).toMatchObject({
    ...{
      id,
      name: "TP-14",
      resource_type_id: 3,
      allowed_imbalance: 3,
      unit: "kWh",
      timezone: "Asia/Ulaanbaatar",
      version: 1,
    },
    ...{ loss_rule: "percent", loss_value: 2.2 },
    ...{ input_point_ids: [input], output_point_ids: [feeder], loss_point_ids: [own] },
  });
  expect(data.balance_group.points.find(({ point_id }) => point_id === feeder)).toEqual({
    ...{
      point_id: feeder,
      role: "out",
      name: "Feeder",
      coefficient: 1.5,
      from_day: "2026-01-01",
      to_day: null,
    },
  });
});

it("BAL-009 a list replaces the points of its role, the others keep theirs; an old version is refused", async () => {
  const [input, one, two] = [await aPoint("Input"), await aPoint("One"), await aPoint("Two")];
  const id = await aGroup({
    name: "TP-15",
    points: [
      { point_id: input, role: "in" },
      { point_id: one, role: "out", coefficient: 2 },
    ],
  });
  const params = { id: String(id) };

  const changed = await ask(balances.update, { params, body: { output_point_ids: [one, two], version: 1 } });
  const late = await ask(balances.update, { params, body: { name: "Late", version: 1 } });

  expect(changed.data.balance_group).toMatchObject({ version: 2, input_point_ids: [input] });
  expect(changed.data.balance_group.points.map(({ name, coefficient }) => [name, coefficient])).toEqual([
    ["Input", 1],
    ["One", 2],
    ["Two", 1],
  ]);
  expect([late.status, late.code]).toEqual([409, "conflict"]);
  const audited = await query("select after from audit where action = 'balance.update' and subject = $1", [
    `balance group ${String(id)}`,
  ]);
  expect(audited).toHaveLength(1);
});

it("BAL-010 a deleted group is gone, its points stay", async () => {
  const [input, out] = [await aPoint("Input"), await aPoint("Out")];
  const id = await aGroup({ name: "TP-16", input_point_ids: [input], output_point_ids: [out] });

  await ask(balances.delete, { params: { id: String(id) } });

  expect((await ask(balances.get, { params: { id: String(id) } })).status).toBe(404);
  expect(await query("select id from accounting_point where id = any($1)", [[input, out]])).toHaveLength(2);
});

it("BAL-005 points of another resource or zone, twice in a role, without an input, beyond the limits are refused", async () => {
  const [input, out] = [await aPoint("Input"), await aPoint("Out")];
  const [water, berlin] = [
    await aPoint("Water", { resource: 2 }),
    await aPoint("Berlin", { timezone: "Europe/Berlin" }),
  ];
  const create = async (body: object) =>
    ask(balances.create, {
      body: { name: "TP", input_point_ids: [input], output_point_ids: [out], ...body },
    });
  const fieldsOf = async (body: object) => Object.keys((await create(body)).attributes);

  expect(await fieldsOf({ output_point_ids: [out, water] })).toEqual(["points"]);
  expect(await fieldsOf({ output_point_ids: [out, berlin] })).toEqual(["points"]);
  expect(await fieldsOf({ resource_type_id: 2 })).toEqual(["points"]);
  const twice = { point_id: out, role: "out" as const };
  expect(await fieldsOf({ points: [twice, twice] })).toEqual(["points.1.point_id"]);
  expect(await fieldsOf({ input_point_ids: [] })).toEqual(["input_point_ids"]);
  expect(await fieldsOf({ points: [{ ...twice, coefficient: 1e-7 }] })).toEqual(["points.0.coefficient"]);
  const reversed = { point_id: input, role: "in" as const, from_day: "2026-11-02", to_day: "2026-11-01" };
  expect(await fieldsOf({ points: [twice, reversed] })).toEqual(["points.1.to_day"]);
  expect(await fieldsOf({ loss_rule: "percent" })).toEqual(["loss_value"]);
  expect((await create({})).status).toBe(200);
  expect(await fieldsOf({})).toEqual(["name"]);
  await query(
    `insert into balance_group (company_id, name, resource_type_id, allowed_imbalance, loss_rule)
      select $1, 'many ' || n, 3, 5, 'none' from generate_series(1, $2::int) n`,
    [bench.company, balanceLimits.groups],
  );
  expect((await create({ name: "One too many" })).code).toBe("balance_group_limit");
});

it("BAL-001 groups are listed with the last full month, by both spellings of paging and search", async () => {
  const [input, out] = [await aPoint("Input"), await aPoint("Out")];
  await days(
    input,
    month(() => 100),
  );
  await days(
    out,
    month(() => 90),
  );
  for (const name of ["Alpha", "Beta", "Gamma"])
    await aGroup({ name, input_point_ids: [input], output_point_ids: [out], allowed_imbalance: 5 });
  const list = async (body: object) => (await ask(balances.list, { body })).data.balance_groups;

  const all = await list({ sort: "desc", sort_field: "name" });
  expect(all.data.map(({ name }) => name)).toEqual(["Gamma", "Beta", "Alpha"]);
  expect(all.data[0]).toMatchObject({
    month: { start_day: "2026-11-01", stop_day: "2026-11-30", in: 3000, out: 2700, imbalance: 300 },
    state_text: "Does not close",
    point_count: 2,
  });
  expect(all.data[0]?.month).toMatchObject({ imbalance_percent: 10, state: "exceeded", computed_days: 30 });
  expect(await list({ perPage: 10, page: 1, search: "bet" })).toMatchObject({ total: 1, per_page: 10 });
  expect((await list({ search_string: "%" })).total).toBe(0);
  expect((await list({ paginate: false })).data).toHaveLength(3);
});

it("BAL-002 the imbalance of the last full month by default, or of the days asked for", async () => {
  const [input, out] = [await aPoint("Input"), await aPoint("Out")];
  await days(
    input,
    month(() => 10),
    "2026-11-01",
  );
  await days(
    out,
    month((day) => (day === 3 ? 5 : 9)),
    "2026-11-01",
  );
  const id = await aGroup({ name: "TP-17", input_point_ids: [input], output_point_ids: [out] });
  const params = { id: String(id) };

  const usual = await ask(balances.noBalance, { params });
  const asked = await ask(balances.noBalance, {
    params,
    query: { startDate: String(november.startDate), stopDate: String(november.startDate + 2 * 86_400) },
  });

  expect(usual.data.total).toMatchObject({ start_day: "2026-11-01", days: 30, imbalance: 34 });
  expect(usual.data.months).toHaveLength(1);
  expect(usual.data.days[3]).toMatchObject({ day: "2026-11-04", imbalance: 5, imbalance_percent: 50 });
  expect(asked.data.total).toMatchObject({ days: 2, imbalance: 2 });
});

it("BAL-005 BAL-006 BAL-011 a balance by point and day; what is missing is named and never counted", async () => {
  const device = await aDevice();
  const input = await aPoint("Input");
  const full = await aPoint("Full", { device });
  const holed = await aPoint("Holed", { device: await aDevice() });
  await days(
    input,
    month(() => 100),
  );
  await days(
    full,
    month(() => 60),
  );
  await days(
    holed,
    month((day) => (day === 10 || day === 11 ? Number.NaN : 30)).map((v) => (Number.isNaN(v) ? null : v)),
  );
  await query("update point_day set known_sec = 43200 where point_id = $1 and day = '2026-11-21'", [holed]);
  const id = await aGroup({ name: "TP-18", input_point_ids: [input], output_point_ids: [full, holed] });

  const balance = await computed(id);

  expect(balance.total).toMatchObject({
    in: 2700,
    out: 2430,
    imbalance: 270,
    imbalance_percent: 10,
    days: 30,
  });
  expect(balance.total).toMatchObject({ computed_days: 27, state: "exceeded" });
  expect(balance.coverage).toMatchObject({ points: 3, incomplete_points: 1, missing_sec: 2.5 * 86_400 });
  expect(balance.coverage.text).toContain("1 of 3 points");
  expect(balance.days.filter(({ state }) => state === "incomplete").map(({ day }) => day)).toEqual([
    "2026-11-11",
    "2026-11-12",
    "2026-11-21",
  ]);
  expect(balance.days[10]).toMatchObject({ imbalance: null, cumulative_percent: null, missing_points: 1 });
  expect(balance.points.map(({ name, share, state }) => [name, share, state])).toEqual([
    ["Input", 100, "complete"],
    ["Full", 60, "complete"],
    ["Holed", 30, "missing"],
  ]);
  expect(balance.points[1]).toMatchObject({ device_id: device, amount: 1620 });
  expect(balance.points[2]).toMatchObject({ missing_days: 3, missing_from: "2026-11-11" });
  expect(balance.causes.at(-1)).toMatchObject({
    kind: "no_data",
    name: "Holed",
    amount: 0,
    action: "request",
  });
  expect(balance.limit).toEqual({ percent: 5, amount: 135, over: 135 });
});

it("BAL-006 TRUST-018 the hours between two meters count as whole, days without a meter are named as such", async () => {
  const [input, swapped] = [await aPoint("Input"), await aPoint("Swapped")];
  await days(
    input,
    month(() => 100),
  );
  await days(
    swapped,
    month((day) => (day === 10 || day === 11 ? Number.NaN : 99)).map((v) => (Number.isNaN(v) ? null : v)),
  );
  // The old meter left on the 10th at noon, the new one came on the 13th at noon.
  await query(
    `update point_day set length_sec = 43200, known_sec = 43200, flags = 64
      where point_id = $1 and day in ('2026-11-10', '2026-11-13')`,
    [swapped],
  );
  const noon = Date.parse("2026-11-10T04:00:00Z") / 1000;
  for (const [from, to] of [
    [0, noon],
    [noon + 3 * 86_400, null],
  ] as const)
    await query(
      `insert into point_device (point_id, company_id, device_id, field, from_ts, to_ts) values ($1, $2, $3, 'tariff0', $4, $5)`,
      [swapped, bench.company, await aDevice(), from, to],
    );
  const id = await aGroup({ name: "TP-21", input_point_ids: [input], output_point_ids: [swapped] });

  const { total, days: byDay, causes, points } = await computed(id);

  expect(total).toMatchObject({ computed_days: 28, in: 2800, out: 28 * 99 });
  expect(byDay.filter(({ state }) => state !== "computed").map(({ day }) => day)).toEqual([
    "2026-11-11",
    "2026-11-12",
  ]);
  expect(points[1]).toMatchObject({ state: "missing", missing_days: 2 });
  expect(causes.at(-1)).toMatchObject({ kind: "no_data", name: "Swapped", action: "point" });
  expect(causes.at(-1)?.text).toMatch(
    /^No meter was tied to the point, days: 2 \(11\.11\.2026 – 12\.11\.2026\)/,
  );

  await query("delete from point_day where point_id = $1 and day = '2026-11-20'", [swapped]);
  const some = (await computed(id)).causes.at(-1);
  expect(some).toMatchObject({ action: "request" });
  expect(some?.text).toContain("3 (11.11.2026 – 20.11.2026), 2 of them without a meter");

  await days(swapped, [99, 99], "2026-11-11");
  await days(swapped, [99], "2026-11-20");
  expect((await computed(id)).points[1]).toMatchObject({
    state: "complete",
    state_text: "Complete; time without a meter is not counted",
  });
});

it("BAL-006 what is estimated is a part of the amount: a day that does not count adds to neither", async () => {
  const [input, out] = [await aPoint("Input"), await aPoint("Out")];
  await days(
    input,
    month(() => 100).map((amount, day) => (day === 10 ? null : amount)),
  );
  await days(
    out,
    month((day) => (day === 10 ? 5000 : 1)),
  );
  await query(
    "update point_day set estimated = amount where point_id = $1 and day in ('2026-11-05', '2026-11-11')",
    [out],
  );
  const id = await aGroup({ name: "TP-19", input_point_ids: [input], output_point_ids: [out] });

  const { points } = await computed(id);

  expect(points.find(({ name }) => name === "Out")).toMatchObject({ amount: 29, estimated: 1 });
});

it("BAL-006 TRUST-011 days divided between readings that are far apart count, and the coverage says so", async () => {
  const [input, rare] = [await aPoint("Input"), await aPoint("Read rarely")];
  await days(
    input,
    month(() => 100),
  );
  await days(
    rare,
    month(() => 99),
  );
  await query("update point_day set flags = 48 where point_id = $1", [rare]);
  const id = await aGroup({ name: "TP-20", input_point_ids: [input], output_point_ids: [rare] });

  const { total, coverage, points } = await computed(id);

  expect(total).toMatchObject({ in: 3000, out: 2970, computed_days: 30, covered_percent: 100 });
  expect(coverage).toMatchObject({ incomplete_points: 0, interpolated_points: 1 });
  expect(coverage.text).toBe("Complete; midnights are interpolated at 1 points");
  expect(points.map(({ state, state_text }) => [state, state_text])).toEqual([
    ["complete", "Complete"],
    ["estimated", "Midnights interpolated"],
  ]);
});

it("BAL-006 a point without any data leaves nothing to compute, and is named first", async () => {
  const [input, out, silent] = [await aPoint("Input"), await aPoint("Out"), await aPoint("Silent")];
  await days(
    input,
    month(() => 100),
  );
  await days(
    out,
    month(() => 99),
  );
  const id = await aGroup({ name: "TP-19", input_point_ids: [input], output_point_ids: [out, silent] });

  const { total, causes, ledger, points } = await computed(id);

  expect(total).toMatchObject({ in: null, imbalance: null, computed_days: 0, state: "incomplete" });
  expect(causes[0]).toMatchObject({ kind: "no_data", name: "Silent", share: null });
  expect(ledger.in).toEqual([]);
  expect(points.find(({ name }) => name === "Silent")).toMatchObject({ state: "no_data", amount: null });
});

it("BAL-005 levels: the output of one group is the input of another, and both agree", async () => {
  const [top, house, other, flat] = [
    await aPoint("Top"),
    await aPoint("House"),
    await aPoint("Other"),
    await aPoint("Flat"),
  ];
  await days(
    top,
    month(() => 100),
  );
  await days(
    house,
    month(() => 60),
  );
  await days(
    other,
    month(() => 40),
  );
  await days(
    flat,
    month(() => 57),
  );
  const upper = await aGroup({ name: "Upper", input_point_ids: [top], output_point_ids: [house, other] });
  const lower = await aGroup({ name: "Lower", input_point_ids: [house], output_point_ids: [flat] });

  expect((await computed(upper)).total).toMatchObject({ out: 3000, imbalance: 0, state: "ok" });
  expect((await computed(lower)).total).toMatchObject({ in: 1800, imbalance: 90, state: "ok" });
});

it("BAL-005 a day of the formula and a corrected day change the balance at once", async () => {
  const [input, out] = [await aPoint("Input"), await aPoint("Out")];
  await days(
    input,
    month(() => 100),
  );
  await days(
    out,
    month(() => 100),
  );
  const id = await aGroup({ name: "TP-20", input_point_ids: [input], output_point_ids: [out] });
  expect((await computed(id)).total.imbalance).toBe(0);

  await query("update point_day set amount = 70.001 where point_id = $1 and day = '2026-11-05'", [out]);

  expect((await computed(id)).total.imbalance).toBe(29.999);
});

it("BAL-005 today and the future are no days of a balance", async () => {
  const [input, out] = [await aPoint("Input"), await aPoint("Out")];
  await days(input, [1, 1], "2026-12-01");
  await days(out, [1, 1], "2026-12-01");
  const id = await aGroup({ name: "TP-21", input_point_ids: [input], output_point_ids: [out] });

  const { total } = await computed(id, {
    startDate: november.stopDate,
    stopDate: november.stopDate + 30 * 86_400,
  });

  expect(total).toMatchObject({ start_day: "2026-12-01", stop_day: "2026-12-02", days: 2, state: "ok" });
});

it("BAL-003 the report is a workbook in the user's language with head, points, days, causes and coverage", async () => {
  const [input, out] = [await aPoint("=Input"), await aPoint("Feeder")];
  await days(
    input,
    month(() => 100),
  );
  await days(
    out,
    month(() => 90).map((value, day) => (day === 4 ? null : value)),
  );
  const id = await aGroup({ name: "TP-25", input_point_ids: [input], output_point_ids: [out] });
  const response = await bench.api.fastify.inject({
    method: "POST",
    url: `/api/report/balance/group/${String(id)}/create`,
    headers: { authorization: `Bearer ${bench.token}`, "accept-language": "ru" },
    payload: november,
  });

  expect([response.statusCode, response.headers["content-type"]]).toEqual([
    200,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ]);
  const reader = createSheetReader({ rows: 1000, columns: 20, textLength: 1e6 });
  const sheet = await reader.read(response.rawPayload, bench.company);
  if ("fault" in sheet) throw new Error(sheet.fault);
  expect(sheet.headers).toEqual([
    "Раздел",
    "Название",
    "Прибор",
    "Количество",
    "Единица",
    "% входа",
    "Вход",
    "Выход",
    "Потери",
    "Примечание",
  ]);
  const cells = sheet.rows.map(({ cells: row }) => row.map((cell) => String(cell ?? "")));
  const found = (name: string) => cells.find((row) => row[1] === name);
  expect(found("=Input")?.slice(0, 5)).toEqual(["Вход", "=Input", "", "2900", "кВт·ч"]);
  expect(found("Небаланс")?.slice(3, 6)).toEqual(["290", "кВт·ч", "10"]);
  expect(found("04.11.2026")).toEqual([
    ...["Небаланс по суткам", "04.11.2026", "", "10", "кВт·ч", "10"],
    ...["100", "90", "0"],
  ]);
  expect(found("01.11.2026 – 30.11.2026")?.slice(3, 9)).toEqual(["290", "кВт·ч", "10", "2900", "2610", "0"]);
  expect(found("05.11.2026")?.slice(6)).toEqual(["", "", "", "неполные данные, не рассчитано"]);
  expect(cells.some((row) => row[0] === "Причины")).toBe(true);
  expect(cells.some((row) => row[0] === "Нет данных" && row[1] === "Feeder")).toBe(true);
});

it("BAL-001 a tied user sees, opens and computes only groups all of whose points are visible", async () => {
  const node = await aNode();
  const [input, own, hidden] = [
    await aPoint("Input", { object: node }),
    await aPoint("Own", { object: node }),
    await aPoint("Hidden"),
  ];
  const seen = await aGroup({ name: "Seen", input_point_ids: [input], output_point_ids: [own] });
  const secret = await aGroup({ name: "Secret", input_point_ids: [input], output_point_ids: [own, hidden] });
  await sql`update access_group set access_rules = jsonb_build_object('create', a, 'read', a, 'update', a, 'delete', a,
    'access_all', '[]'::jsonb) from (select '[4, 5, 6, 8]'::jsonb as a) m where name = 'Operators'`.execute(
    bench.api.services.database.system,
  );
  const [user] = await query("select id from users where email = 'operator@metrum.example'");
  const body = { user_id: user?.id ?? 0 };
  expect((await ask(objectTies.tieUser, { params: { id: String(node) }, body })).status).toBe(200);
  const tied = await bench.api.token("operator@metrum.example");

  const list = await ask(balances.list, {}, tied);
  const statusOf = async (id: number) => [
    (await ask(balances.get, { params: { id: String(id) } }, tied)).status,
    (await ask(balances.compute, { params: { id: String(id) }, body: november }, tied)).status,
    (await ask(balances.noBalance, { params: { id: String(id) } }, tied)).status,
    (await ask(balances.report, { params: { id: String(id) }, body: { ...november, format: "json" } }, tied))
      .status,
    (await ask(balances.update, { params: { id: String(id) }, body: { comment: "" } }, tied)).status,
  ];

  expect(list.data.balance_groups.data.map(({ name }) => name)).toEqual(["Seen"]);
  expect(await statusOf(seen)).toEqual([200, 200, 200, 200, 200]);
  expect(await statusOf(secret)).toEqual([404, 404, 404, 404, 404]);
  const create = await ask(
    balances.create,
    { body: { name: "Mine", input_point_ids: [input], output_point_ids: [hidden] } },
    tied,
  );
  expect(create.status).toBe(404);
});

it("BAL-005 days are numbered from 1970", () => {
  expect(dayNumber("1970-01-02")).toBe(1);
});
