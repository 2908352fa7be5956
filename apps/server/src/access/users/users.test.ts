import { auth, users } from "@metrum/contract/access";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "#config";
import { openTestApi, type TestApi } from "#testing/api";
import { createFirstAdmin, seedAccounts } from "./index.ts";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const access = async (name: string) =>
  (await api.ask(users.access, { token: await api.token(`${name}@metrum.example`) })).data;

test("API-015 the access record has the rights, modules and company of the session", async () => {
  const record = await access("engineer");

  expect(record).toMatchObject({
    is_admin: true,
    access_group: null,
    current_company_id: api.companies.first,
    rules_belong_to_company_id: api.companies.first,
    is_platform: false,
    entered_from_admin: false,
  });
});

test("ACL-007 SHELL-023 all modules are returned with their ids in an unambiguous order", async () => {
  const { active_modules } = await access("engineer");

  const bySlug = new Map(active_modules.map(({ id, slug }) => [slug, id]));
  expect(Object.fromEntries(bySlug)).toMatchObject({
    users: 1,
    companies: 2,
    devices: 4,
    dashboard: 5,
    objects: 6,
    directories: 6,
    reports: 7,
    events: 8,
  });
  expect(bySlug.size).toBe(active_modules.length);
  expect(new Set(active_modules.map(({ sort }) => sort)).size).toBe(active_modules.length);
});

test("PROD-003 provider staff, administrators and users of a group are distinguished", async () => {
  const [staff, admin, user] = [await access("admin"), await access("engineer"), await access("operator")];

  expect([staff.is_platform, admin.is_platform, user.is_platform]).toEqual([true, false, false]);
  expect([admin.is_admin, user.is_admin]).toEqual([true, false]);
});

test("ACL-004 ACL-040 the rules of a group are lists of module ids by action", async () => {
  const { access_group } = await access("operator");

  expect(access_group?.access_rules).toEqual({
    create: [],
    read: [4, 5, 6, 8],
    update: [4],
    delete: [],
    access_all: [],
  });
});

test("API-016 the user record has its fields, with the zone and time of the company", async () => {
  const { data } = await api.ask(users.info, { token: await api.token("engineer@metrum.example") });

  expect(data.user).toMatchObject({
    name: "Engineer",
    email: "engineer@metrum.example",
    user_time_zone: null,
    timezone: null,
    language: "ru",
    first_login: true,
    "2fa_enabled": false,
    current_company_id: api.companies.first,
    current_time_zone: 8,
    settings: {},
  });
  expect(JSON.stringify(data)).not.toContain("argon2");
});

test("first_login is true for the first sign-in only", async () => {
  const first = await api.ask(users.info, { token: await api.signIn("operator@metrum.example") });
  const second = await api.ask(users.info, { token: await api.signIn("operator@metrum.example") });

  expect([first.data.user.first_login, second.data.user.first_login]).toEqual([true, false]);
});

test("user settings are merged key by key, also by two tabs at once, and null removes a key", async () => {
  const token = await api.token("engineer@metrum.example");
  const save = (settings: Record<string, unknown>) =>
    api.ask(users.settings, { token, input: { body: { settings } } });

  await Promise.all([
    save({ visible_columns: { 17: { archives: ["tariff1"] } } }),
    save({ visible_columns: { 18: { archives: ["power_a_plus"] } } }),
    save({ chart_type: { 17: { archives: "bar" } } }),
  ]);
  const last = await save({ visible_columns: { 17: null }, filters: { devices: [1, 2] } });
  const info = await api.ask(users.info, { token });

  const expected = {
    visible_columns: { 18: { archives: ["power_a_plus"] } },
    chart_type: { 17: { archives: "bar" } },
    filters: { devices: [1, 2] },
  };
  expect(last.data.settings).toEqual(expected);
  expect(info.data.user.settings).toEqual(expected);
});

test("user settings are limited in depth and size, per request and in total", async () => {
  const token = await api.token("viewer@metrum.example");
  const save = (settings: Record<string, unknown>) =>
    api.ask(users.settings, { token, input: { body: { settings } } });
  const deep = JSON.parse(`${'{"a":'.repeat(20)}1${"}".repeat(20)}`) as Record<string, unknown>;
  const half = "x".repeat(40_000);

  const answers = [
    await save(deep),
    await save({ a: "x".repeat(70_000) }),
    await save({ a: half }),
    await save({ b: half }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([422, 422, 200, 422]);
  expect(answers[3]?.attributes).toHaveProperty("settings");
});

test("SERV-011 users of the own company only are listed, with sort, sort_field and search_string", async () => {
  const token = await api.token("engineer@metrum.example");
  const list = async (body: object) =>
    (await api.ask(users.list, { token, input: { body } })).data.users.map(
      ({ email }) => email.split("@")[0],
    );

  expect(await list({ sort_field: "email", sort: "desc" })).toEqual(["operator", "norights", "engineer"]);
  expect(await list({ search_string: "OPER" })).toEqual(["operator"]);
  expect(
    (await api.ask(users.list, { token, input: { body: { sort_field: "password_hash" as "id" } } })).status,
  ).toBe(422);
});

test("seeding twice changes nothing", async () => {
  const count = async () =>
    (
      await api.services.database.system
        .selectFrom("users")
        .select((row) => row.fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow()
    ).n;
  const before = await count();

  const again = await seedAccounts(api.services);

  expect(again).toEqual(api.companies);
  expect(await count()).toBe(before);
});

describe("PROD-034 the first account of an installation", () => {
  /** What an account with this password may do. */
  async function opened(of: TestApi, email: string, secret: string) {
    const { status, data } = await of.ask(auth.login, {
      input: { body: { email, password: secret, personal_data_access: true } },
    });
    if (status !== 200) return { status };
    const token = data.access_token;
    const access = await of.ask(users.access, { token });
    const list = await of.ask(users.list, { token, input: { body: {} } });
    return { status, is_admin: access.data.is_admin, is_platform: access.data.is_platform, code: list.code };
  }

  test("is one administrator of the provider, with a unique password that must be changed", async () => {
    const made = await createFirstAdmin(api.services);
    const second = await createFirstAdmin(api.services);

    expect(made?.email).toBe("owner@metrum.example");
    expect(made?.password).toMatch(/^\S{20}$/);
    expect(second).toBeUndefined();
    const { email = "", password: secret = "" } = made ?? {};
    expect(await opened(api, email, secret)).toEqual({
      status: 200,
      is_admin: true,
      is_platform: true,
      code: "password_change_needed",
    });
  });

  test("has the password of the environment if there is one, which is not printed and need not be changed", async () => {
    const given = "Silent-Heron-17";
    const own = await openTestApi({
      env: { METRUM_ADMIN_EMAIL: "boss@plant.example", METRUM_ADMIN_PASSWORD: given },
    });

    const made = await createFirstAdmin(own.services);

    expect(made).toEqual({ email: "boss@plant.example" });
    expect(await opened(own, "boss@plant.example", given)).toMatchObject({ status: 200, is_platform: true });
    expect((await opened(own, "boss@plant.example", given)).code).toBeUndefined();
    await own.close();
  });

  test("has no default password: none is in the settings, and each installation gets another one", async () => {
    const other = await openTestApi();
    const [here, there] = [
      await createFirstAdmin({
        ...api.services,
        config: { ...api.services.config, adminEmail: "a@plant.example" },
      }),
      await createFirstAdmin(other.services),
    ];
    await other.close();

    expect(readConfig({}).adminPassword).toBeUndefined();
    expect(here?.password).toMatch(/^\S{20}$/);
    expect(here?.password).not.toBe(there?.password);
    expect((await opened(api, "a@plant.example", there?.password ?? "")).status).toBe(422);
  });
});
