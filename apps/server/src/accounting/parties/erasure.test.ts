import { consumers } from "@metrum/contract/access";
import type { InputOf } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";

const day = 86_400;
let now = 1_800_000_000;
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

async function logOf(consumer: string) {
  const { rows } = await sql<{ action: string; before: unknown; after: unknown }>`
    select action, before, after from audit where subject = ${`consumer ${consumer}`} order by at, id`.execute(
    db(),
  );
  return rows;
}

describe("the card of a consumer", () => {
  test("points are shown by interval, the present ones first, with the device of the interval", async () => {
    const { _id } = await made();
    const former = await aPoint(_id, { name: "Former", from: now - 9 * day, to: now - 5 * day });
    const present = await aPoint(_id, { name: "Present", from: now - 3 * day });
    await sql`insert into point_device (point_id, company_id, device_id, field, from_ts)
      values (${former}, ${api.companies.first}, ${fixture.ours.device}, 'tariff0', ${now - 4 * day})`.execute(
      db(),
    );
    await sql`insert into point_device (point_id, company_id, device_id, field, from_ts)
      values (${present}, ${api.companies.first}, ${fixture.ours.device}, 'tariff1', ${now - day})`.execute(
      db(),
    );

    const { points } = (await api.ask(consumers.points, { token, input: { body: { consumer_id: _id } } }))
      .data;

    expect(points.total).toBe(2);
    expect(points.data).toMatchObject([
      {
        accounting_point_id: present,
        name: "Present",
        to_ts: null,
        device_name: "Meter",
        address: "Darkhan, Sukhbaatar",
      },
      // Its device came after the interval.
      { accounting_point_id: former, from_ts: now - 9 * day, to_ts: now - 5 * day, device_name: null },
    ]);
  });

  test("all data of a consumer are exported on request: record, intervals, whole days, changes", async () => {
    const { _id } = await made({ subject_type_id: 1, phone_number: "+97670001122" });
    // 12:00 of 2 January to 12:00 of 5 January in Ulaanbaatar.
    const noon = Date.UTC(2027, 0, 2, 4) / 1000;
    const point = await aPoint(_id, { from: noon, to: noon + 3 * day });
    for (const [at, amount] of ["1.5", "2.000000001", "3", "4"].entries())
      await sql`insert into point_day (point_id, field, day, amount, length_sec, known_sec, computed_at)
        values (${point}, 'main', date '2027-01-02' + ${at}::int, ${amount}, 86400, 86400, 0)`.execute(db());

    const { data } = await api.ask(consumers.export, { token, input: { body: { consumer_id: _id } } });

    expect(data.export).toMatchObject({
      consumer: { _id, phone_number: "+97670001122" },
      points: [{ accounting_point_id: point }],
      // The second and the fifth are shared with others.
      days: [
        { day: "2027-01-04", amount: "3" },
        { day: "2027-01-03", amount: "2.000000001" },
      ],
      changes: [{ action: "consumer.create" }],
      is_complete: true,
    });
    expect((await logOf(_id)).map(({ action }) => action)).toEqual(["consumer.create", "consumer.export"]);
  });

  test("data are erased on request: nothing personal stays in the record or the log, the history does", async () => {
    const secret = "Secretov";
    const { _id } = await made({
      name: secret,
      subject_type_id: 1,
      inn: "770123456789",
      email: "secretov@mail.example",
      phone_number: "+97670001122",
      comment: secret,
      account_access_enabled: true,
    });
    await update({ _id, address: `Street of ${secret}`, account_access_enabled: false });
    const point = await aPoint(_id, { from: now - day });

    const erased = await api.ask(consumers.erase, { token, input: { body: { consumer_id: _id } } });
    now += 60;
    const again = await api.ask(consumers.erase, { token, input: { body: { consumer_id: _id } } });
    const changed = await update({ _id, name: secret });

    expect(erased.data.consumer).toMatchObject({
      name: `№ ${_id}`,
      inn: "",
      comment: "",
      address: "",
      email: null,
      phone_number: null,
      erased_at: now - 60,
      point_count: 1,
    });
    expect(again.data.consumer.erased_at).toBe(now - 60);
    expect([changed.status, changed.code]).toEqual([409, "consumer_erased"]);
    expect(JSON.stringify(await logOf(_id)).toLowerCase()).not.toMatch(/secretov|7701234|97670/);
    expect((await logOf(_id)).map(({ action, after }) => [action, after])).toEqual([
      [
        "consumer.create",
        {
          subject_type_id: 1,
          account_access_enabled: true,
          fields: ["name", "inn", "comment", "phone_number", "email"],
        },
      ],
      ["consumer.update", { account_access_enabled: false, fields: ["address"] }],
      ["consumer.erase", null],
    ]);
    expect((await list({ search: secret })).total).toBe(0);
    const { points } = (await api.ask(consumers.points, { token, input: { body: { consumer_id: _id } } }))
      .data;
    expect(points.data.map(({ accounting_point_id }) => accounting_point_id)).toEqual([point]);
  });
});
