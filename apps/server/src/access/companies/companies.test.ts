import { auth, companies, currentCompany, users } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
let dealer: string;
beforeAll(async () => {
  // Cached sessions never expire here: a change must be noticed by notification, or the test fails.
  api = await openTestApi({ clock: { monotonicMs: () => 0 } });
  dealer = await api.token("dealer@metrum.example");
});
afterAll(() => api.close());

const params = (id: number) => ({ params: { id: String(id) } });
const listOf = async (token: string, body = {}) =>
  (await api.ask(companies.list, { token, input: { body } })).data.companies;
const enter = (token: string, id: number) =>
  api.ask(auth.enterCompany, { token, input: { ...params(id), body: {} } });

test("PROD-004 SERV-029 a dealer sees itself and the companies below, never its parent or siblings", async () => {
  const names = (await listOf(dealer, { per_page: 100 })).data.map(({ name }) => name);

  expect(names).toEqual([
    "Darkhan Utility Networks",
    "Industrial Park Darkhan",
    "Orkhon Housing Association",
    "Selenge Energy",
  ]);
});

test("ACL-011 the provider's own company is 51 in the cloud build and sees the whole tree", async () => {
  const admin = await api.token("admin@metrum.example");

  const { data } = await api.ask(users.access, { token: admin });
  const page = await listOf(admin, { perPage: 25, search: "metrum" });

  expect(data).toMatchObject({ current_company_id: 51, is_platform: true, is_admin: true });
  expect((await listOf(admin)).total).toBe(6);
  expect(page).toMatchObject({ total: 1, per_page: 25 });
});

test("SERV-005 SERV-009 API-019 a company has its fields, the offset and the zone it comes from", async () => {
  const { data } = await api.ask(currentCompany.own, { token: await api.token("engineer@metrum.example") });

  expect(data.company).toMatchObject({
    id: api.companies.first,
    parent_id: null,
    name: "Darkhan Utility Networks",
    time_zone: 8,
    timezone_name: "Asia/Ulaanbaatar",
    is_dealer: false,
    is_demo: false,
    expires_at: null,
    options: { only_api: false },
  });
});

test("SERV-008 an administrator saves the company, at the top level or under company", async () => {
  const token = await api.token("engineer2@metrum.example");

  const flat = await api.ask(companies.update, {
    token,
    input: { body: { inn: "1234567890", time_zone: 7 } },
  });
  const wrapped = await api.ask(companies.update, {
    token,
    input: { body: { company: { phone_number: "+97670001234", options: { peak_hours_zone: "manual" } } } },
  });

  expect(flat.data.company).toMatchObject({ inn: "1234567890", time_zone: 7 });
  expect(wrapped.data.company).toMatchObject({
    inn: "1234567890",
    phone_number: "+97670001234",
    options: { only_api: false, peak_hours_zone: "manual" },
  });
});

test("SHELL-026 an offset outside -12 to 12 changes nothing; an unknown zone is refused with the name of the field", async () => {
  const token = await api.token("engineer@metrum.example");
  const save = (body: object) => api.ask(companies.update, { token, input: { body } });

  const ignored = await save({ time_zone: 99 });
  const none = await save({ time_zone: null });
  const refused = await save({ timezone_name: "Mars/Base" });

  expect([ignored.data.company.timezone_name, none.data.company.timezone_name]).toEqual([
    "Asia/Ulaanbaatar",
    "Asia/Ulaanbaatar",
  ]);
  expect(refused.status).toBe(422);
  expect(refused.attributes).toHaveProperty("timezone_name");
});

test("fields set by the parent company are ignored when an administrator of the company sends them", async () => {
  const token = await api.token("engineer@metrum.example");
  const body = {
    is_dealer: true,
    expires_at: 4_000_000_000,
    parent_id: 51,
    id: 51,
    is_active: false,
    name: "Mine",
  };

  const answer = await api.ask(companies.update, { token, input: { body } });
  const byId = await api.ask(companies.editById, {
    token: await api.token("dealer@metrum.example"),
    input: { ...params((await listOf(dealer, { search_string: "Selenge" })).data[0]?.id ?? 0), body },
  });

  expect(answer.data.company).toMatchObject({
    id: api.companies.first,
    name: "Mine",
    is_dealer: false,
    expires_at: null,
  });
  expect(byId).toMatchObject({ status: 403, code: "own_company" });
  await api.ask(companies.update, { token, input: { body: { name: "Darkhan Utility Networks" } } });
});

test("a dealer creates a company below its own, with its zone and its modules except companies", async () => {
  const made = await api.ask(companies.create, {
    token: dealer,
    input: { body: { name: "Mandal", time_zone: 5.5 } },
  });
  const entered = await enter(dealer, made.data.company.id);
  const { data } = await api.ask(users.access, { token: entered.data.access_token });

  expect(made.data.company).toMatchObject({
    name: "Mandal",
    timezone_name: "Asia/Kolkata",
    is_dealer: false,
  });
  expect(data.active_modules.map(({ id }) => id)).not.toContain(2);
  expect(data.active_modules).toHaveLength(9);
});

test("a company that is not a dealer cannot create companies", async () => {
  const token = await api.token("engineer@metrum.example");

  const answer = await api.ask(companies.create, { token, input: { body: { name: "Below" } } });

  expect(answer).toMatchObject({ status: 403, code: "not_a_dealer" });
});

test("a dealer works inside a child only after entering it, and returns", async () => {
  const before = await api.ask(users.list, { token: dealer, input: { body: {} } });
  const { data } = await enter(dealer, api.companies.first);
  const inside = await api.ask(users.list, { token: data.access_token, input: { body: {} } });
  const info = await api.ask(users.info, { token: data.access_token });
  const exit = await api.ask(auth.exitCompany, {
    token: data.access_token,
    input: { body: { exit_point: "companies" } },
  });
  const back = await api.ask(users.access, { token: exit.data.access_token ?? "" });

  expect(before.data.users.map(({ email }) => email)).toEqual(["dealer@metrum.example"]);
  expect(inside.data.users.map(({ email }) => email)).toContain("engineer@metrum.example");
  expect(info.data.user).toMatchObject({
    email: "dealer@metrum.example",
    current_company_id: api.companies.first,
  });
  expect(back.data).toMatchObject({ entered_company: false });
  expect((await api.ask(users.access, { token: data.access_token })).status).toBe(401);
  expect((await api.ask(users.access, { token: dealer })).status).toBe(200);
});

test("inside a child the rights of the dealer are limited to the child's active modules", async () => {
  const system = api.services.database.system;
  const modules = JSON.stringify([{ id: 4, slug: "devices", sort: 1 }]);
  await sql`update company set active_modules = ${modules} where id = ${api.companies.second}`.execute(
    system,
  );

  const { data } = await enter(dealer, api.companies.second);
  const token = data.access_token;
  const access = await api.ask(users.access, { token });

  expect(access.data).toMatchObject({ entered_company: true, is_platform: false });
  expect((await api.ask(users.list, { token, input: { body: {} } })).status).toBe(403);
  expect((await api.ask(companies.list, { token, input: { body: {} } })).status).toBe(403);
});

test("a parent, a sibling, one's own or a switched-off company cannot be entered", async () => {
  const system = api.services.database.system;
  const sibling = await api.token("engineer@metrum.example");
  await sql`update company set is_active = false where name = 'Industrial Park Darkhan'`.execute(system);
  const { rows } = await sql<{ id: number }>`select id from company where not is_active`.execute(system);

  const parent = await enter(dealer, 51);
  const beside = await enter(sibling, api.companies.second);
  const own = await enter(sibling, api.companies.first);
  const off = await enter(dealer, rows[0]?.id ?? 0);

  expect([parent.status, beside.status]).toEqual([404, 404]);
  expect([own.code, off.code]).toEqual(["own_company", "company_inactive"]);
});

test("signing out inside a company ends the whole family of sessions", async () => {
  const home = await api.token("dealer@metrum.example");
  const { data } = await enter(home, api.companies.first);

  await api.ask(auth.logout, { token: data.access_token });

  expect((await api.ask(users.access, { token: home })).status).toBe(401);
});

test("moving a company out of the branch ends sessions entered into it", async () => {
  const system = api.services.database.system;
  const { data } = await enter(dealer, api.companies.first);
  const status = async () => (await api.ask(users.access, { token: data.access_token })).status;
  const before = await status();

  await sql`update company set path = ${`51.${api.companies.first}`}::ltree where id = ${api.companies.first}`.execute(
    system,
  );

  expect(before).toBe(200);
  await expect.poll(status, { interval: 20, timeout: 30_000 }).toBe(401);
});

test("ACL-012 demonstration users are a fixed list of two addresses and cannot change the company", async () => {
  for (const email of ["demo@metrum.example", "demo2@metrum.example"]) {
    const token = await api.token(email);
    const info = await api.ask(users.info, { token });
    const change = await api.ask(companies.update, { token, input: { body: { name: "Mine" } } });

    expect(info.data.user.is_demo).toBe(true);
    expect(change).toMatchObject({ status: 403, code: "demo_refused" });
  }
  const other = await api.ask(users.info, { token: await api.token("engineer2@metrum.example") });
  expect(other.data.user.is_demo).toBe(false);
});

test("ACL-013 an API-only company is marked as such, and its token works on the API", async () => {
  await sql`update company set is_active = true`.execute(api.services.database.system);

  const { status, data } = await api.ask(currentCompany.own, {
    token: await api.token("api@metrum.example"),
  });

  expect(status).toBe(200);
  expect(data.company.options.only_api).toBe(true);
});

test("SERV-010 the types of companies are listed in the language of the interface", async () => {
  const types = async (language: string) =>
    (await api.ask(companies.types, { token: dealer, language })).data.company_types;

  const [russian, english] = [await types("ru"), await types("en")];

  expect(english[0]).toEqual({ id: 1, title: "Organisation" });
  expect(russian.map(({ id }) => id)).toEqual(english.map(({ id }) => id));
  expect(russian[0]?.title).not.toBe(english[0]?.title);
});

test("the list is sorted, searched and paged by the server; a size that is not allowed is clamped", async () => {
  for (let at = 1; at <= 12; at += 1)
    await api.ask(companies.create, { token: dealer, input: { body: { name: `Paged ${String(at)}` } } });
  const first = await listOf(dealer, { per_page: 3, page: 1, sort_field: "id", sort: "desc" });
  const second = await listOf(dealer, { per_page: 3, page: 2, sort_field: "id", sort: "desc" });
  const found = await listOf(dealer, { search_string: "PAGED 1" });
  const literal = await listOf(dealer, { search_string: "%" });

  const ids = [...first.data, ...second.data].map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  expect(new Set(ids).size).toBe(first.total);
  expect(first).toMatchObject({ current_page: 1, last_page: 2, per_page: 10, total: first.total });
  expect(found.total).toBe(4);
  expect((await listOf(dealer, { per_page: 9_999 })).per_page).toBe(1000);
  expect(literal.total).toBe(0);
});
