import { auth, companies, users } from "@metrum/contract/access";
import { problems } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
let dealer: string;
let admin: string;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  dealer = await api.token("dealer@metrum.example");
  admin = await api.token("admin@metrum.example");
});

const system = () => api.services.database.system;
const params = (id: number) => ({ params: { id: String(id) } });
const create = async (token: string, body: { name: string } & Record<string, unknown>) =>
  api.ask(companies.create, { token, input: { body } });
const createdId = async (token: string, body: { name: string } & Record<string, unknown>): Promise<number> =>
  (await create(token, body)).data.company.id;
const listOf = (token: string, body = {}) => api.ask(companies.list, { token, input: { body } });
const enter = (token: string, id: number) =>
  api.ask(auth.enterCompany, { token, input: { ...params(id), body: {} } });
const status = async (token: string) => (await api.ask(users.access, { token })).status;
const change = (token: string, id: number, body: Record<string, unknown>) =>
  api.ask(companies.editById, { token, input: { ...params(id), body } });
const login = (email: string) => api.ask(auth.login, { input: { body: { email, password: "Metrum!2026" } } });

test("SERV-023 PROD-004 the tree shows the depth of a company and the companies below it", async () => {
  const sub = await createdId(dealer, { name: "Sub dealer", is_dealer: true });
  await createdId(dealer, { name: "Deep one", parent_id: sub });
  await createdId(dealer, { name: "Deep two", parent_id: sub });

  const all = (await listOf(dealer, { per_page: 100 })).data.companies.data;
  const { companies: below, parent } = (await listOf(dealer, { parent_id: sub })).data;
  const opened = below.data;

  const own = all.find(({ depth }) => depth === 0);
  expect(own).toMatchObject({ name: "Selenge Energy", parent_id: null, children_count: 4 });
  expect(all.find(({ id }) => id === sub)).toMatchObject({ depth: 1, children_count: 2 });
  expect(parent).toMatchObject({ id: sub, depth: 1, children_count: 2 });
  expect(opened.map(({ name, depth, parent_id }) => [name, depth, parent_id])).toEqual([
    ["Deep one", 2, sub],
    ["Deep two", 2, sub],
  ]);
});

test("SERV-023 a company counts the devices, users and sign-ins of all below it, not those in the trash", async () => {
  const before = (await listOf(admin, { per_page: 100 })).data.companies.data;
  await system()
    .insertInto("device")
    .values(
      [null, null, new Date()].map((deleted_at, at) => ({
        company_id: api.companies.second,
        model_id: 1,
        model_title: "Meter",
        device_group_id: 4,
        device_type_id: 1,
        interface_id: 1,
        name: "Meter",
        deviceID: `counted-${String(at)}`,
        deleted_at,
      })),
    )
    .execute();
  await sql`update users set last_sign_in_at = to_timestamp(1793500000) where email = 'viewer@metrum.example'`.execute(
    system(),
  );

  const after = (await listOf(admin, { per_page: 100 })).data.companies.data;

  const gained = (id: number) => {
    const find = (rows: typeof before) => rows.find((row) => row.id === id)?.device_count ?? 0;
    return find(after) - find(before);
  };
  const dealerId = after.find(({ name }) => name === "Selenge Energy")?.id ?? 0;
  expect([api.companies.second, dealerId, 51, api.companies.first].map(gained)).toEqual([2, 2, 2, 0]);
  expect(after.find(({ id }) => id === api.companies.second)).toMatchObject({
    user_count: 2,
    last_sign_in_at: 1_793_500_000,
  });
});

test("SERV-023 the list can be filtered by ending soon, expired, off and demonstration, with the number of each", async () => {
  const now = api.services.clock.now();
  const names = { ending: "Ends soon", expired: "Is over", off: "Is off", demo: "Shows" };
  await createdId(dealer, { name: names.ending, expires_at: now + 3 * 86_400 });
  await createdId(dealer, { name: names.expired, expires_at: now - 86_400 });
  const off = await createdId(dealer, { name: names.off });
  await api.ask(companies.switch, { token: dealer, input: { ...params(off), body: { is_active: false } } });
  const dealerId = (await listOf(dealer, { search_string: "Selenge" })).data.companies.data[0]?.id ?? 0;
  await createdId(admin, { name: names.demo, parent_id: dealerId, is_demo: true });

  const { states } = (await listOf(dealer)).data;
  for (const state of ["ending", "expired", "off", "demo"] as const) {
    const { companies: found } = (await listOf(dealer, { state })).data;
    expect(found.data.map(({ name }) => name)).toEqual([names[state]]);
    expect(states[state]).toBe(1);
  }
  expect(states.all).toBe((await listOf(dealer)).data.companies.total);
});

test("SERV-029 PROD-007 a dealer cannot list, edit, move, delete or restore companies outside its own branch", async () => {
  const outside = await createdId(admin, { name: "Beside the dealer", is_dealer: true });
  const ask = { token: dealer, input: { ...params(outside), body: {} } };

  const answers = [
    await listOf(dealer, { parent_id: outside }),
    await api.ask(companies.editById, ask),
    await api.ask(companies.delete, ask),
    await create(dealer, { name: "Inside", parent_id: outside }),
    await api.ask(companies.switch, { token: dealer, input: { ...params(51), body: { is_active: false } } }),
  ];
  const refused = [
    await api.ask(companies.move, { token: dealer, input: { ...params(outside), body: { parent_id: 51 } } }),
    await api.ask(companies.restore, ask),
    await listOf(dealer, { state: "deleted" }),
  ];

  expect(answers.map((each) => each.status)).toEqual([404, 404, 404, 404, 404]);
  expect(refused.map((each) => each.code)).toEqual(["right_missing", "right_missing", "right_missing"]);
});

test("SERV-023 a deleted company is hidden and closed, its data are kept, and staff of the provider can restore it", async () => {
  const id = await createdId(dealer, { name: "Goes and comes" });
  const inside = (await enter(dealer, id)).data.access_token;
  await system()
    .insertInto("device")
    .values({
      company_id: id as never,
      model_id: 1,
      model_title: "Meter",
      device_group_id: 4,
      device_type_id: 1,
      interface_id: 1,
      name: "Stays",
      deviceID: "stays",
    })
    .execute();

  const gone = await api.ask(companies.delete, { token: dealer, input: params(id) });
  const devices = await sql`select from device where company_id = ${id}`.execute(system());
  const hidden = (await listOf(dealer, { search_string: "Goes and comes" })).data.companies.total;
  const again = await api.ask(companies.delete, { token: dealer, input: params(id) });
  const entering = await enter(dealer, id);
  const deleted = (await listOf(admin, { state: "deleted" })).data.companies.data;
  const sessionAfter = await status(inside);
  const back = await api.ask(companies.restore, { token: admin, input: params(id) });

  expect([gone.status, hidden, again.status, entering.status, sessionAfter]).toEqual([200, 0, 404, 404, 401]);
  expect(devices.rows).toHaveLength(1);
  expect(deleted.map((each) => [each.id, each.deleted_at !== null])).toEqual([[id, true]]);
  expect(back.data.company).toMatchObject({ id, is_active: true });
  expect((await enter(dealer, id)).status).toBe(200);
});

test("a company with children cannot be deleted and stays a dealer; a child is restored only after its parent", async () => {
  const sub = await createdId(dealer, { name: "Has below", is_dealer: true });
  const child = await createdId(dealer, { name: "Is below", parent_id: sub });
  const remove = (id: number) => api.ask(companies.delete, { token: dealer, input: params(id) });
  const restore = (id: number) => api.ask(companies.restore, { token: admin, input: params(id) });

  expect((await remove(sub)).code).toBe("companies_below");
  expect((await change(dealer, sub, { is_dealer: false })).code).toBe("companies_below");
  expect((await remove(child)).status).toBe(200);
  expect((await remove(sub)).status).toBe(200);
  expect((await restore(child)).code).toBe("companies_above");
  expect((await restore(sub)).status).toBe(200);
  expect((await restore(child)).status).toBe(200);
});

test("one's own company cannot be deleted, and a demonstration user cannot delete any", async () => {
  const own = await api.ask(users.access, { token: dealer });
  const mine = await api.ask(companies.delete, {
    token: dealer,
    input: params(own.data.current_company_id),
  });
  const demo = await api.ask(companies.delete, {
    token: await api.token("demo@metrum.example"),
    input: params(51),
  });

  expect([mine.code, demo.code]).toEqual(["own_company", "demo_refused"]);
});

test("SERV-034 users of an expired or switched-off company see the reason; its data are kept and available again at once", async () => {
  const email = "viewer@metrum.example";
  const company = api.companies.second;
  const before = await api.token(email);
  const now = api.services.clock.now();
  const switchTo = (is_active: boolean) =>
    api.ask(companies.switch, { token: dealer, input: { ...params(company), body: { is_active } } });

  await change(dealer, company, { expires_at: now - 1 });
  const expired = await login(email);
  const dead = await status(before);
  await change(dealer, company, { expires_at: now + 86_400 });
  const extended = await login(email);
  await switchTo(false);
  const off = await login(email);
  await switchTo(true);
  const on = await login(email);
  await change(dealer, company, { expires_at: null });

  expect([expired.code, expired.msg]).toEqual(["company_expired", problems.company_expired.text.ru]);
  expect([off.code, off.msg]).toEqual(["company_inactive", problems.company_inactive.text.ru]);
  expect([dead, extended.status, on.status]).toEqual([401, 200, 200]);
  expect(await status(before)).toBe(200);
});

test("SERV-006 a switched-off company is switched on again by its parent", async () => {
  const id = await createdId(dealer, { name: "On and off" });
  const active = async () => (await listOf(dealer, { search_string: String(id) })).data.companies.data[0];
  const switchTo = (is_active: boolean) =>
    api.ask(companies.switch, { token: dealer, input: { ...params(id), body: { is_active } } });

  await switchTo(false);
  expect(await active()).toMatchObject({ is_active: false });
  expect((await enter(dealer, id)).code).toBe("company_inactive");
  await switchTo(true);
  expect(await active()).toMatchObject({ is_active: true });
});

test("only provider staff can mark a demonstration; only the parent company can restrict to the API", async () => {
  const id = await createdId(dealer, { name: "Flags", is_demo: true });
  const inside = (await enter(dealer, id)).data.access_token;

  const own = await api.ask(companies.update, {
    token: inside,
    input: { body: { options: { only_api: true, password_min_length: 12 } as object } },
  });
  const byDealer = await change(dealer, id, { is_demo: true, options: { only_api: true } });
  const byStaff = await change(admin, id, { is_demo: true });

  expect(own.data.company.options).toMatchObject({ only_api: false, password_min_length: 12 });
  expect(byDealer.data.company).toMatchObject({ is_demo: false, options: { only_api: true } });
  expect(byStaff.data.company.is_demo).toBe(true);
});

test("ACL-006 SERV-021 modules are a subset of the parent's, in the given order; the companies module is for dealers only", async () => {
  const id = await createdId(dealer, { name: "Modules" });
  const slugs = (...names: string[]) => ({ active_modules: names.map((slug) => ({ slug })) });

  const chosen = await change(dealer, id, slugs("events", "devices"));
  const companiesFirst = await change(dealer, id, slugs("companies", "devices"));
  const asDealer = await change(dealer, id, { ...slugs("companies", "devices"), is_dealer: true });
  const below = await createdId(dealer, { name: "Below modules", parent_id: id });
  const beyond = await change(dealer, below, slugs("users"));
  const twice = await change(dealer, id, slugs("devices", "devices"));

  expect(chosen.data.company.active_modules).toEqual([
    { id: 8, slug: "events", sort: 1 },
    { id: 4, slug: "devices", sort: 2 },
  ]);
  for (const refused of [companiesFirst, beyond, twice]) {
    expect(refused.status).toBe(422);
    expect(refused.attributes).toHaveProperty("active_modules");
  }
  expect(asDealer.data.company.active_modules.map(({ slug }) => slug)).toEqual(["companies", "devices"]);
});

test("a module removed from a dealer is removed from all companies below it", async () => {
  const id = await createdId(dealer, { name: "Loses", is_dealer: true });
  const below = await createdId(dealer, { name: "Loses too", parent_id: id });
  const slugsOf = async (company: number) =>
    (await listOf(dealer, { search_string: String(company) })).data.companies.data[0]?.active_modules.map(
      ({ slug }) => slug,
    );
  const all = (await slugsOf(below)) ?? [];

  await change(dealer, id, { active_modules: [{ slug: "companies" }, { slug: "devices" }] });

  expect(all.length).toBeGreaterThan(2);
  expect(await slugsOf(below)).toEqual(["devices"]);
});

test("moving a company moves its branch at once and ends sessions entered from above", async () => {
  const from = await createdId(admin, { name: "From", is_dealer: true });
  const to = await createdId(admin, { name: "To", is_dealer: true });
  const moved = await createdId(admin, { name: "Moved", is_dealer: true, parent_id: from });
  const below = await createdId(admin, { name: "Moved along", parent_id: moved });
  const inFrom = (await enter(admin, from)).data.access_token;
  const staff = await sql<{ id: number }>`
    insert into users (company_id, email, name, password_hash, is_admin)
    values (${from}, 'from@metrum.example', 'Dealer', '', true) returning id`.execute(system());
  const entered = (await enter(await api.token("from@metrum.example"), below)).data.access_token;
  const before = [await status(inFrom), await status(entered)];

  const answer = await api.ask(companies.move, {
    token: admin,
    input: { ...params(moved), body: { parent_id: to } },
  });
  const after = await status(entered);
  const { rows } = await sql<{ path: string }>`
    select path::text from company where id in (${moved}, ${below}) order by id`.execute(system());
  await api.ask(companies.move, { token: admin, input: { ...params(moved), body: { parent_id: from } } });

  expect(staff.rows).toHaveLength(1);
  expect(before).toEqual([200, 200]);
  expect(answer.data.company).toMatchObject({ id: moved, parent_id: to });
  expect(rows.map(({ path }) => path)).toEqual([`51.${to}.${moved}`, `51.${to}.${moved}.${below}`]);
  expect([after, await status(entered), await status(inFrom)]).toEqual([401, 401, 200]);
});

test("a company can be moved under a dealer only, and never into its own branch", async () => {
  const top = await createdId(admin, { name: "Top", is_dealer: true });
  const under = await createdId(admin, { name: "Under", is_dealer: true, parent_id: top });
  const plain = await createdId(admin, { name: "Plain" });
  const move = (id: number, parent_id: number) =>
    api.ask(companies.move, { token: admin, input: { ...params(id), body: { parent_id } } });

  expect((await move(top, under)).code).toBe("own_branch");
  expect((await move(top, top)).code).toBe("own_branch");
  expect((await move(top, plain)).code).toBe("not_a_dealer");
  expect((await move(51, top)).code).toBe("own_company");
});

test("PROD-003 PROD-007 company staff, administrators and provider staff differ in what they may do to companies", async () => {
  const kinds = ["operator@metrum.example", "engineer@metrum.example", "admin@metrum.example"];
  const may = await Promise.all(
    kinds.map(async (email) => {
      const token = await api.token(email);
      const access = await api.ask(users.access, { token });
      const save = await api.ask(companies.update, {
        token,
        input: { body: { phone_number: "+97670001234" } },
      });
      const restore = await api.ask(companies.restore, { token, input: params(1) });
      return [access.data.is_admin, access.data.is_platform, save.status, restore.status];
    }),
  );

  expect(may).toEqual([
    [false, false, 403, 403],
    [true, false, 200, 403],
    [true, true, 200, 404],
  ]);
});
