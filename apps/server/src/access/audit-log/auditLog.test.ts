import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { auditActions, auditLog, auth, companies, type LogRow } from "@metrum/contract/access";
import { devices } from "@metrum/contract/metering";
import { administration } from "@metrum/contract/platform";
import type { UserId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { audit, type Scope } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { makeFixture, type Fixture } from "#testing/records";

let api: TestApi;
let fixture: Fixture;
beforeAll(async () => {
  api = await openTestApi();
  fixture = await makeFixture(api);
});
afterAll(() => api.close());

const engineer = () => api.token("engineer@metrum.example");
const logOf = async (token: string, body = {}, language = "en") =>
  (await api.ask(auditLog.log, { token, language, input: { body } })).data;
const newest = async (token: string, action: string): Promise<LogRow | undefined> =>
  (await logOf(token, { action })).log[0];
const params = (id: number) => ({ params: { id: String(id) } });

test("SERV-012 the log records actor, action and object, with values before and after, newest first", async () => {
  const token = await engineer();
  const save = (name: string) => api.ask(companies.update, { token, input: { body: { name } } });
  await save("Darkhan Networks");
  await save("Darkhan Utility Networks");

  const { log } = await logOf(token, { action: "company.update" });

  expect(log[0]).toMatchObject({
    user_name: "Engineer",
    user_company: null,
    entered_from_admin: false,
    action_title: "Changing a company",
    object_type: "company",
    object_id: String(api.companies.first),
    before: { name: "Darkhan Networks" },
    after: { name: "Darkhan Utility Networks" },
    ip_address: "127.0.0.1",
    result: "ok",
  });
  expect(log[1]?.after).toMatchObject({ name: "Darkhan Networks" });
});

test("SERV-012 TRUST-027 the division of gaps has a line of its own, with the day before and after", async () => {
  const token = await engineer();
  const choose = (divides_gaps_from: string | null) =>
    api.ask(companies.update, { token, input: { body: { options: { divides_gaps_from } } } });
  await choose("2026-03-01");
  await choose("2026-03-01");
  await choose(null);

  const { log } = await logOf(token, { action: "company.dividesGaps" });

  expect(log.map(({ action_title, before, after }) => [action_title, before, after])).toEqual([
    ["Division of gaps by months", { divides_gaps_from: "2026-03-01" }, { divides_gaps_from: null }],
    ["Division of gaps by months", { divides_gaps_from: null }, { divides_gaps_from: "2026-03-01" }],
  ]);
});

test("SERV-012 the log is paged and filtered by action, user and period", async () => {
  const token = await engineer();
  const now = api.services.clock.now();
  const names = Array.from({ length: 10 }, (_, at) => `Name ${String(at)}`);
  for (const name of [...names, "Darkhan Utility Networks"])
    await api.ask(companies.update, { token, input: { body: { name } } });

  const pages = [
    await logOf(token, { per_page: 1, page: 1, action: "company.update" }),
    await logOf(token, { per_page: 1, page: 2, action: "company.update" }),
  ];
  const all = await logOf(token);
  const user = all.users.find(({ name }) => name === "Engineer")?.id ?? 0;
  const byUser = await logOf(token, { person_id: user });
  const nobody = await logOf(token, { person_id: 2_147_483_647 });
  const later = await logOf(token, { start_date: now + 3600 });
  const today = await logOf(token, { start_date: now - 3600, stop_date: now + 3600 });

  expect(pages.map(({ log }) => log.map(({ after }) => (after as { name: string }).name))).toEqual([
    ["Darkhan Utility Networks", ...names.toReversed().slice(0, 9)],
    expect.arrayContaining(["Name 0"]),
  ]);
  expect(pages[0]).toMatchObject({ per_page: 10, last_page: 2 });
  expect(all.actions).toContainEqual({ action: "company.update", title: "Changing a company" });
  expect(byUser.total).toBeGreaterThan(0);
  expect(byUser.log.every(({ user_id }) => user_id === user)).toBe(true);
  expect([nobody.total, later.total, today.total > 0]).toEqual([0, 0, true]);
});

test("ACL-044 sign-ins and refused ones are in the log, with the reason in the language of the user", async () => {
  const body = { email: "operator@metrum.example", password: "wrong" };
  await api.ask(auth.login, { input: { body } });
  await api.ask(auth.login, { input: { body: { ...body, password: "Metrum!2026" } } });

  const { log } = await logOf(await engineer(), { action: "auth.login" }, "mn");

  expect(log.map(({ user_name, result }) => [user_name, result])).toEqual([
    ["Operator", "ok"],
    ["Operator", "sign_in_refused"],
  ]);
  expect(log[1]?.result_text).toBe("И-мэйл эсвэл нууц үг буруу");
  expect(log[0]?.action_title).toBe(auditActions["auth.login"].mn);
});

test("ACL-044 actions of a dealer inside a company, or on it from above, are in its log, with the dealer's name and company", async () => {
  const dealer = await api.token("dealer@metrum.example");
  const { first } = api.companies;
  const { data } = await api.ask(auth.enterCompany, { token: dealer, input: { ...params(first), body: {} } });
  await api.ask(devices.switch, {
    token: data.access_token,
    input: { ...params(fixture.ours.device), body: { is_active: false } },
  });
  await api.ask(companies.editById, { token: dealer, input: { ...params(first), body: { inn: "7" } } });

  const token = await engineer();
  const rows = [
    await newest(token, "company.enter"),
    await newest(token, "device.switch"),
    await newest(token, "company.update"),
  ];

  for (const row of rows)
    expect(row).toMatchObject({ user_name: "Dealer", user_company: "Selenge Energy", result: "ok" });
  expect(rows[2]?.after).toMatchObject({ inn: "7" });
  expect(await newest(dealer, "company.enter")).toMatchObject({ object_id: String(first) });
});

test("ACL-044 entry by staff of the provider names the staff member and the user they work as", async () => {
  const admin = await api.token("admin@metrum.example");
  const { data } = await api.ask(administration.enterUser, {
    token: admin,
    input: params(fixture.ours.user),
  });
  await api.ask(administration.redeemEntry, { token: admin, input: { body: { code: data.entry_code } } });

  const row = await newest(await engineer(), "auth.entryRedeem");

  expect(row).toMatchObject({ entered_from_admin: true, staff_name: "Administrator", user_name: "Engineer" });
});

test("no company reads the log of another, not even of one below it", async () => {
  const dealer = await logOf(await api.token("dealer@metrum.example"));
  const second = await logOf(await api.token("engineer2@metrum.example"));

  expect(dealer.log.filter(({ action }) => action === "auth.login")).toEqual([]);
  expect(second.log.filter(({ action }) => action === "company.update")).toEqual([]);
});

test("the log is for administrators", async () => {
  const answer = await api.ask(auditLog.log, {
    token: await api.token("operator@metrum.example"),
    input: { body: {} },
  });

  expect(answer.code).toBe("right_missing");
});

test("the role of the API can neither change nor delete log rows, nor write them for another company", async () => {
  const scope: Scope = {
    companyId: api.companies.first,
    companyPath: "51.1.2",
    userId: fixture.ours.user as UserId,
    access: {
      is_admin: true,
      is_platform: false,
      rules: { create: [], read: [], update: [], delete: [], access_all: [] },
    },
    onlyTiedDevices: false,
    timeZone: "Etc/UTC",
  };
  const denied = (text: string) =>
    api.services.database
      .scoped(scope, (db) => sql.raw(text).execute(db))
      .then(
        () => "done",
        (error: unknown) => (error as { code?: string }).code,
      );

  expect(await denied("update audit set result = 'ok'")).toBe("42501");
  expect(await denied("delete from audit")).toBe("42501");
  expect(await denied("truncate audit")).toBe("42501");
  const foreign = api.services.database.scoped(scope, (db) =>
    audit(db, {
      companyId: api.companies.second,
      userId: scope.userId,
      address: "",
      action: "auth.login",
    }),
  );
  await expect(foreign).rejects.toMatchObject({ code: "42501" });
});

/** The type checker ensures that every action has a title; this ensures that every title has an action. */
test("every title of the log is that of an action that the server writes", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(`${root}/${name}`, "utf8"))
    .join("\n");

  const unused = Object.keys(auditActions).filter((action) => !sources.includes(`"${action}"`));

  expect(unused).toEqual([]);
});

test("the log of another company does not resolve company ids", async () => {
  const token = await engineer();
  const body = { company_id: api.companies.second, current_company_id: api.companies.second };

  const { log } = await logOf(token, body);

  expect(log.some(({ object_id }) => object_id === String(api.companies.second))).toBe(false);
});
