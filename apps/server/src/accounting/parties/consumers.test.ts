import { consumers, subjects, type Consumer } from "@metrum/contract/access";
import type { InputOf } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

const day = 86_400;
const now = 1_800_000_000;
let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await openTestApi({ clock: { now: () => now, nowMs: () => now * 1000 } });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const db = () => api.services.database.system;
type Body<Name extends "create" | "update" | "list"> = NonNullable<InputOf<(typeof consumers)[Name]>["body"]>;

const create = (body: Partial<Body<"create">> = {}) =>
  api.ask(consumers.create, {
    token,
    language: "en",
    input: { body: { name: "Bakery", subject_type_id: 2, ...body } },
  });
const made = async (body: Partial<Body<"create">> = {}) => (await create(body)).data.consumer;
const update = (body: Body<"update">) =>
  api.ask(consumers.update, { token, language: "en", input: { body } });
const list = async (body: Body<"list"> = {}) =>
  (await api.ask(consumers.list, { token, input: { body } })).data.consumers;
const open = (id: string) => api.ask(consumers.get, { token, input: { params: { id } } });
const remove = (id: string) =>
  api.ask(consumers.delete, { token, language: "en", input: { params: { id } } });

/** A point that has had this consumer. */
async function aPoint(consumer: string, { from = 0, to = null as number | null, name = "Feeder" } = {}) {
  const { rows } = await sql<{ id: number }>`
    with point as (
      insert into accounting_point (company_id, name, resource_type_id, city, street, timezone)
      values (${api.companies.first}, ${name}, 3, 'Darkhan', 'Sukhbaatar', 'Asia/Ulaanbaatar') returning id, company_id
    ), term as (
      insert into point_term (point_id, company_id, kind, from_ts, to_ts, consumer_id)
      select id, company_id, 'consumer', ${from}, ${to}, ${consumer}::int from point
    )
    select id from point`.execute(db());
  return rows[0]?.id ?? 0;
}

describe("a consumer", () => {
  it("REF-007 REF-008 REF-014 REF-016 is created with its fields, access to the account off, and opened", async () => {
    const body = {
      name: " Bakery ",
      inn: "7701234567",
      number_of_contract: "12-A",
      subject_type_id: 2,
      address: "Darkhan, Sukhbaatar 4",
      comment: "pays on time",
      registration_date: "2019-02-28",
      registration_number: "1027700132195",
      measurement_code_object: "M-9",
    };

    const { status, data } = await create(body);

    expect(status).toBe(200);
    expect(typeof data.consumer._id).toBe("string");
    expect((await open(data.consumer._id)).data.consumer).toEqual({
      ...body,
      name: "Bakery",
      _id: data.consumer._id,
      phone_number: null,
      email: null,
      account_access_enabled: false,
      point_count: 0,
      created_at: expect.any(Number) as number,
      erased_at: null,
    } satisfies Consumer);
    const { account_access_enabled } = await made({ account_access_enabled: true });
    expect(account_access_enabled).toBe(true);
  });

  it("REF-004 has one of two types: 1 person, 2 organisation", async () => {
    const { data } = await api.ask(subjects.types, {
      token: await api.token("norights@metrum.example"),
      language: "en",
    });

    expect(data.subject_types).toEqual([
      { id: 1, title: "Person" },
      { id: 2, title: "Organisation" },
    ]);
    expect((await create({ subject_type_id: 3 })).attributes).toHaveProperty("subject_type_id");
  });

  it("REF-005 REF-006 fields of the other type are refused by their names", async () => {
    const person = await create({
      subject_type_id: 1,
      registration_date: "2020-01-01",
      registration_number: "1",
    });
    const organisation = await create({ phone_number: "+97670001122", email: "a@b.example" });
    const { _id } = await made({ subject_type_id: 1, phone_number: "+97670001122", email: "a@b.example" });
    const later = await update({ _id, registration_number: "1" });
    const empty = await create({ subject_type_id: 1, registration_number: "", registration_date: null });

    expect([person.status, person.attributes]).toEqual([
      422,
      {
        registration_date: ["only an organisation has it"],
        registration_number: ["only an organisation has it"],
      },
    ]);
    expect(organisation.attributes).toEqual({
      phone_number: ["only a person has it"],
      email: ["only a person has it"],
    });
    expect([later.status, Object.keys(later.attributes)]).toEqual([422, ["registration_number"]]);
    expect(empty.status).toBe(200);
  });

  it("REF-015 is updated field by field; another type clears the fields of the former one", async () => {
    const { _id } = await made({
      registration_date: "2020-01-01",
      registration_number: "77",
      inn: "7701234567",
    });

    const renamed = await update({ _id, name: "Mill" });
    const person = await update({ _id: Number(_id), subject_type_id: 1, phone_number: "+97670001122" });
    const back = await update({ _id, subject_type_id: 2 });

    expect(renamed.data.consumer).toMatchObject({
      name: "Mill",
      registration_number: "77",
      inn: "7701234567",
    });
    expect(person.data.consumer).toMatchObject({
      name: "Mill",
      registration_date: null,
      registration_number: null,
      phone_number: "+97670001122",
    });
    expect(back.data.consumer).toMatchObject({ phone_number: null, registration_number: null });
  });

  it("REF-013 taxpayer number, e-mail, phone and days are checked at their fields", async () => {
    const { attributes } = await create({
      subject_type_id: 1,
      inn: "12345",
      email: "nobody",
      phone_number: "12",
      registration_date: "2020-02-30",
    });
    const twelve = await create({ inn: "770123456789" });
    const ancient = await create({ registration_date: "0000-01-01" });

    expect(attributes).toMatchObject({
      inn: ["10 or 12 digits"],
      email: ["not an e-mail address"],
      phone_number: ["not a phone number of 10 to 15 characters"],
      registration_date: [expect.any(String)],
    });
    expect(twelve.status).toBe(200);
    expect([ancient.status, Object.keys(ancient.attributes)]).toEqual([422, ["registration_date"]]);
  });

  it("REF-017 is deleted, but not while the history of points names it", async () => {
    const { _id } = await made();
    await aPoint(_id, { from: 0, to: 1000 });
    const refused = await remove(_id);
    await sql`delete from point_term where consumer_id = ${_id}::int`.execute(db());

    const answers = [await remove(_id), await remove(_id)];

    expect([refused.status, refused.code, refused.msg]).toEqual([
      409,
      "party_in_use",
      "The history of accounting points names it: 1. History must stay true, so it cannot be deleted",
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
    expect((await open(_id)).status).toBe(404);
  });
});

describe("the list of consumers", () => {
  it("REF-001 REF-003 is paged and searched in both spellings, or answered whole", async () => {
    for (const [at, name] of ["Quartz 1", "Quartz 2", "quartz 3"].entries())
      await made({
        name,
        inn: `90000000${String(at)}0`,
        address: "Baga 100%",
        number_of_contract: `Q-7/${String(at)}`,
      });

    const first = await list({ search: "quartz", perPage: 10 });
    const second = await list({ search_string: "QUARTZ", per_page: 10, page: 2 });
    const all = await list({ paginate: false });

    expect(first).toMatchObject({ total: 3, per_page: 10, current_page: 1, last_page: 1 });
    expect(first.data.map(({ name }) => name)).toEqual(["Quartz 1", "Quartz 2", "quartz 3"]);
    expect([second.data, second.total]).toEqual([[], 3]);
    expect(all.data).toHaveLength(all.total);
    expect((await list({ search: "9000000010" })).data.map(({ name }) => name)).toEqual(["Quartz 2"]);
    expect((await list({ search: "q-7/2" })).total).toBe(1);
    expect((await list({ search: "100%" })).total).toBe(3);
    expect((await list({ search: "100_" })).total).toBe(0);
    expect((await list({ search: "quartz", sort_field: "inn", sort: "desc" })).data[0]?.name).toBe(
      "quartz 3",
    );
  });

  test("a filter leaves consumers of one type; points are those of now", async () => {
    const { _id } = await made({ name: "Zinc", subject_type_id: 1 });
    await aPoint(_id, { from: now - day });
    await aPoint(_id, { from: now - 2 * day, to: now - day });

    const persons = await list({ subject_type_id: 1, search: "zinc" });

    expect(persons.data.map(({ point_count }) => point_count)).toEqual([1]);
    expect((await list({ subject_type_id: 2, search: "zinc" })).total).toBe(0);
  });
});
