import { consumers, partyBounds, suppliers, users } from "@metrum/contract/access";
import { objectTies, transformers } from "@metrum/contract/accounting";
import type { Call, InputOf } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";
import { addParties } from "./seed.ts";

const now = 1_800_000_000;
let api: TestApi;
let fixture: Fixture;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  fixture = await makeFixture(api);
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const db = () => api.services.database.system;
const asked = <C extends Call>(
  as: string,
  call: C,
  { body, id }: { body?: InputOf<C>["body"]; id?: unknown },
) =>
  api.ask(call, {
    token: as,
    language: "en",
    input: { ...(body ? { body } : {}), ...(id === undefined ? {} : { params: { id } }) } as InputOf<C>,
  });
const send = <C extends Call>(call: C, body: InputOf<C>["body"]) => asked(token, call, { body });
const at = <C extends Call>(call: C, id: unknown) => asked(token, call, { id });

const aTransformer = async (more: object = {}) =>
  (
    await send(transformers.create, {
      title: "TT",
      kind: "current",
      primary_value: 100,
      secondary_value: 5,
      ...more,
    })
  ).data.transformer;

/** A point whose history names an entry. */
async function aPoint(
  kind: string,
  column: "supplier_id" | "transformer_id" | "consumer_id",
  id: number | string,
) {
  const { rows } = await sql<{ id: number }>`
    with point as (
      insert into accounting_point (company_id, name, resource_type_id, timezone)
      values (${api.companies.first}, 'Feeder', 3, 'Asia/Ulaanbaatar') returning id, company_id
    ), term as (
      insert into point_term (point_id, company_id, kind, from_ts, ${sql.ref(column)})
      select id, company_id, ${kind}, 0, ${id}::int from point
    )
    select id from point`.execute(db());
  return rows[0]?.id ?? 0;
}

async function logOf(subject: string) {
  const { rows } = await sql<{ action: string; before: unknown; after: unknown }>`
    select action, before, after from audit where subject = ${subject} order by at, id`.execute(db());
  return rows;
}

describe("a supplier", () => {
  it("REF-009 REF-018 REF-020 is created with its fields and opened", async () => {
    const body = {
      name: "Power plant",
      inn: "7701234567",
      number_of_contract: "8",
      email: "sales@plant.example",
      report_date: "2026-12-01",
    };

    const { data } = await send(suppliers.create, body);

    expect((await at(suppliers.get, data.supplier._id)).data.supplier).toEqual({
      ...body,
      _id: data.supplier._id,
      point_count: 0,
      created_at: expect.any(Number) as number,
    });
    const { attributes } = await send(suppliers.create, { name: " ", email: "x", inn: "1" });
    expect(Object.keys(attributes).toSorted()).toEqual(["email", "inn", "name"]);
  });

  it("REF-002 REF-003 suppliers are listed by page and search, or whole", async () => {
    for (const name of ["Gas works B", "Gas works A"]) await send(suppliers.create, { name });

    const found = (await send(suppliers.list, { search: "gas WORKS", perPage: 10 })).data.suppliers;
    const whole = (await send(suppliers.list, { paginate: false })).data.suppliers;

    expect(found).toMatchObject({ total: 2, per_page: 10 });
    expect(found.data.map(({ name }) => name)).toEqual(["Gas works A", "Gas works B"]);
    expect(whole.data).toHaveLength(whole.total);
  });

  it("REF-019 is updated field by field, which the log tells", async () => {
    const { _id } = (await send(suppliers.create, { name: "Heat", email: "a@b.example" })).data.supplier;

    const { data } = await send(suppliers.update, { _id, name: "Heat works", email: "a@b.example" });

    expect(data.supplier).toMatchObject({ name: "Heat works", email: "a@b.example" });
    expect((await logOf(`supplier ${_id}`)).at(-1)).toEqual({
      action: "supplier.update",
      before: { name: "Heat" },
      after: { name: "Heat works" },
    });
  });

  it("REF-021 is deleted, but not while the history of points names it", async () => {
    const { _id } = (await send(suppliers.create, { name: "Old" })).data.supplier;
    await aPoint("supplier", "supplier_id", _id);
    const refused = await at(suppliers.delete, _id);
    await sql`delete from point_term where supplier_id = ${_id}::int`.execute(db());

    expect([refused.status, refused.code]).toEqual([409, "party_in_use"]);
    expect((await at(suppliers.delete, _id)).status).toBe(200);
    expect((await at(suppliers.get, _id)).status).toBe(404);
  });

  test("a company has a bounded number of them", async () => {
    await sql`insert into supplier (company_id, name)
      select ${api.companies.first}, 'Filler' from generate_series(1, ${partyBounds.suppliers})`.execute(
      db(),
    );

    const full = await send(suppliers.create, { name: "One more" });
    await sql`delete from supplier where name = 'Filler'`.execute(db());

    expect([full.status, full.code]).toEqual([409, "party_limit"]);
  });
});

describe("a transformer", () => {
  it("REF-010 REF-022 is made with ratio, accuracy class, number and dates of verification, and listed", async () => {
    const fields = {
      accuracy_class: "0.5S",
      number: "SN-771",
      verified_at: "2024-05-01",
      verified_until: "2032-05-01",
    };

    const made = await aTransformer({
      title: "Meter hall",
      ...fields,
      primary_value: 10_000,
      secondary_value: 100,
    });
    const { data } = await send(transformers.list, { search_string: "sn-771", kind: "current" });

    expect(made).toMatchObject({ ...fields, kind: "current", ratio: 100, point_count: 0 });
    expect(data.transformers.data).toEqual([made]);
    expect((await at(transformers.get, made.id)).data.transformer).toEqual(made);
    expect(
      (await send(transformers.list, { search_string: "sn-771", kind: "voltage" })).data.transformers.total,
    ).toBe(0);
  });

  it("REF-022 is changed and removed; its ratio stays while the history of points names it", async () => {
    const { id } = await aTransformer();
    const before = await send(transformers.update, { id, primary_value: 150 });
    await aPoint("current_transformer", "transformer_id", id);
    const ratio = await send(transformers.update, { id, primary_value: 200 });
    const kind = await send(transformers.update, { id, kind: "voltage" });
    const same = await send(transformers.update, { id, primary_value: 150, title: "Hall 2" });
    const kept = await at(transformers.delete, id);
    await sql`delete from point_term where transformer_id = ${id}`.execute(db());

    expect(before.data.transformer.ratio).toBe(30);
    expect([ratio.code, kind.code, kept.code]).toEqual([
      "transformer_ratio_in_use",
      "transformer_ratio_in_use",
      "party_in_use",
    ]);
    expect(same.data.transformer).toMatchObject({ title: "Hall 2", ratio: 30, point_count: 1 });
    expect((await at(transformers.delete, id)).status).toBe(200);
  });

  test("values that cannot be stored exactly, and a verification that ends before it was made, are refused", async () => {
    const wrong = (more: object) =>
      send(transformers.create, {
        title: "TT",
        kind: "current",
        primary_value: 100,
        secondary_value: 5,
        ...more,
      });

    const answers = await Promise.all([
      wrong({ primary_value: 0 }),
      wrong({ primary_value: 1e9 }),
      wrong({ secondary_value: 0.0001 }),
      wrong({ verified_at: "2026-01-02", verified_until: "2026-01-01" }),
    ]);

    expect(answers.map(({ attributes }) => Object.keys(attributes))).toEqual([
      ["primary_value"],
      ["primary_value"],
      ["secondary_value"],
      ["verified_until"],
    ]);
  });
});

describe("rights on directories", () => {
  test.each([
    ["read", [consumers.list, suppliers.list, transformers.list]],
    ["create", [consumers.create, suppliers.create]],
    ["update", [consumers.update, suppliers.update]],
    ["delete", [consumers.delete, suppliers.delete]],
  ] as const)("ACL-025 consumers and suppliers: %s needs its own action on 6", async (action, calls) => {
    const group = async (rule: object) => {
      const none = { create: [], read: [], update: [], delete: [], access_all: [] };
      await sql`update access_group set access_rules = ${JSON.stringify({ ...none, ...rule })}::jsonb
        where name = 'Operators'`.execute(db());
      return api.token("operator@metrum.example");
    };
    const others = ["create", "read", "update", "delete", "access_all"].filter((each) => each !== action);
    const without = await group(Object.fromEntries(others.map((each) => [each, [6]])));
    const refused = await Promise.all(calls.map((call: Call) => asked(without, call, { id: 1, body: {} })));
    const having = await group({ [action]: [6] });
    const passed = await Promise.all(calls.map((call: Call) => asked(having, call, { id: 999, body: {} })));

    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["right_missing"]));
    expect(passed.map(({ status }) => status)).not.toContain(403);
  });

  test("a user tied to a node sees the entries of the points there, counts only those, and changes none", async () => {
    await sql`update access_group set access_rules = '{"create":[6],"read":[4,6],"update":[6],"delete":[6],"access_all":[]}'
      where name = 'Operators'`.execute(db());
    const operator = await api.token("operator@metrum.example");
    const { id: user } = (await api.ask(users.info, { token: operator })).data.user;
    await asked(token, objectTies.tieUser, { id: fixture.ours.object, body: { user_id: user } });
    const hidden = (await send(consumers.create, { name: "Hidden", subject_type_id: 2 })).data.consumer._id;
    const seen = (await send(consumers.create, { name: "Seen", subject_type_id: 2 })).data.consumer._id;
    await aPoint("consumer", "consumer_id", hidden);
    await aPoint("consumer", "consumer_id", seen);
    const own = await aPoint("consumer", "consumer_id", seen);
    await sql`update accounting_point set object_id = ${fixture.ours.object} where id = ${own}`.execute(db());
    const tied = <C extends Call>(call: C, of: Parameters<typeof asked<C>>[2]) => asked(operator, call, of);

    const { data } = (await tied(consumers.list, { body: {} })).data.consumers;
    const points = (await tied(consumers.points, { body: { consumer_id: seen } })).data.points;
    const exported = (await tied(consumers.export, { body: { consumer_id: seen } })).data.export;

    expect(data.map(({ name, point_count }) => [name, point_count])).toEqual([["Seen", 1]]);
    expect(points.data.map(({ accounting_point_id }) => accounting_point_id)).toEqual([own]);
    expect(exported.points.map(({ accounting_point_id }) => accounting_point_id)).toEqual([own]);
    expect((await tied(consumers.get, { id: hidden })).status).toBe(404);
    expect((await tied(suppliers.list, { body: {} })).data.suppliers.total).toBe(0);
    expect((await tied(transformers.list, { body: {} })).data.transformers.total).toBe(0);
    const changes = [
      await tied(consumers.create, { body: { name: "New", subject_type_id: 1 } }),
      await tied(consumers.update, { body: { _id: seen, name: "Other" } }),
      await tied(consumers.erase, { body: { consumer_id: seen } }),
      await tied(consumers.delete, { id: seen }),
      await tied(suppliers.create, { body: { name: "New" } }),
    ];
    expect(changes.map(({ code }) => code)).toEqual(changes.map(() => "tied_devices_only"));
  });
});

test("the demonstration adds consumers and suppliers with their ids in order", async () => {
  const { second } = api.companies;

  const added = await addParties(db(), second, {
    consumers: [
      { name: "Bakery", subject_type_id: 2, registration_date: "2020-01-01" },
      { name: "Mill", subject_type_id: 2, account_access_enabled: true },
    ],
    suppliers: [{ name: "Plant", report_date: "2026-12-01" }],
  });

  const { rows } = await sql<object>`
    select id, name, inn, registration_date::text as day, account_access_enabled as access from consumer
    where company_id = ${second} and id = any(${added.consumers}::int[]) order by id`.execute(db());
  expect(rows).toEqual([
    { id: added.consumers[0], name: "Bakery", inn: "", day: "2020-01-01", access: false },
    { id: added.consumers[1], name: "Mill", inn: "", day: null, access: true },
  ]);
  expect(added.suppliers).toHaveLength(1);
});
