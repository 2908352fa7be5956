import { auth, companies, users } from "@metrum/contract/access";
import { contract } from "@metrum/contract/calls";
import { administration } from "@metrum/contract/platform";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hashOf } from "#access/auth";
import { openTestApi, type TestApi } from "#testing/api";

const staff = "admin@metrum.example";
const engineer = "engineer@metrum.example";

/** Seconds that the clock of the test is ahead of real time. */
let ahead = 0;
let api: TestApi;
let token: string;
let engineerId: number;
beforeAll(async () => {
  const nowMs = (): number => Date.now() + ahead * 1000;
  api = await openTestApi({
    env: { METRUM_PUBLIC_URL: "https://metrum.example/" },
    clock: {
      nowMs,
      now: () => Math.floor(nowMs() / 1000),
      // Cached sessions expire only on demand: a change must be noticed by notification, or the test fails.
      monotonicMs: () => ahead * 1000,
    },
  });
  engineerId = await idOf(engineer);
});
beforeEach(async () => {
  ahead = 0;
  token = await api.token(staff);
});
afterAll(() => api.close());

const system = () => api.services.database.system;
const set = (column: string, value: unknown, email: string) =>
  sql`update users set ${sql.ref(column)} = ${value} where email = ${email}`.execute(system());

async function idOf(email: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from users where email = ${email}`.execute(system());
  return rows[0]?.id ?? 0;
}
const params = (id: number) => ({ params: { id: String(id) } });
const askCompany = (id: number, as = token) =>
  api.ask(administration.enterCompany, { token: as, input: params(id) });
const askUser = (id: number, as = token) =>
  api.ask(administration.enterUser, { token: as, input: params(id) });
const redeem = (code: string, as = token) =>
  api.ask(administration.redeemEntry, { token: as, input: { body: { code } } });
const accessOf = (as: string) => api.ask(users.access, { token: as });
const statusOf = async (as: string): Promise<number> => (await accessOf(as)).status;
async function enterAs(id = engineerId): Promise<string> {
  return (await redeem((await askUser(id)).data.entry_code)).data.access_token;
}

test("SESS-009 SESS-041 staff get a code for any company, in the hash of an address without a token", async () => {
  const { status, data } = await askCompany(api.companies.first);

  expect(status).toBe(200);
  expect(data.entry_code).toMatch(/^[\w-]{43}$/);
  expect(data.url).toBe(`https://metrum.example/#/entry/${data.entry_code}`);
  expect(data.url).not.toContain(token);
  const { rows } = await sql<{
    row: string;
  }>`select row_to_json(entry_code)::text as row from entry_code`.execute(system());
  expect(rows.some(({ row }) => row.includes(data.entry_code))).toBe(false);
});

test("SESS-010 SERV-028 the session of a code works in the company, is marked, and lasts an hour", async () => {
  const { data } = await redeem((await askCompany(api.companies.first)).data.entry_code);
  const inside = await accessOf(data.access_token);

  expect(data.entered_from_admin).toBe(true);
  expect(data.expires_at - api.services.clock.now()).toBeLessThanOrEqual(3600);
  expect(data.expires_at - api.services.clock.now()).toBeGreaterThan(3590);
  expect(inside.data).toMatchObject({
    current_company_id: api.companies.first,
    entered_from_admin: true,
    is_platform: false,
    entered: { company_name: "Darkhan Utility Networks", user_name: null },
  });
  ahead = 3601;
  expect(await statusOf(data.access_token)).toBe(401);
  expect(await statusOf(token)).toBe(200);
});

test("SESS-010 SESS-042 entering as a user shows what that user sees, and the name in the banner", async () => {
  const inside = await enterAs(await idOf("viewer@metrum.example"));

  const access = await accessOf(inside);
  const info = await api.ask(users.info, { token: inside });

  expect(access.data).toMatchObject({
    is_admin: false,
    entered_from_admin: true,
    entered_company: false,
    entered: { company_name: "Orkhon Housing Association", user_name: "Viewer" },
  });
  expect(info.data.user.email).toBe("viewer@metrum.example");
  expect((await accessOf(token)).data.entered).toBeNull();
});

test("SESS-042 a company entered from its parent is named too", async () => {
  const dealer = await api.token("dealer@metrum.example");
  const { data } = await api.ask(auth.enterCompany, {
    token: dealer,
    input: { ...params(api.companies.second), body: {} },
  });

  const access = await accessOf(data.access_token);

  expect(access.data).toMatchObject({
    entered_from_admin: false,
    entered_company: true,
    entered: { company_name: "Orkhon Housing Association", user_name: null },
  });
});

test("SESS-038 a code can be redeemed within 60 s, not later", async () => {
  const [early, late] = [await askCompany(api.companies.first), await askCompany(api.companies.first)];

  ahead = 58;
  const inTime = await redeem(early.data.entry_code);
  ahead = 61;
  const tooLate = await redeem(late.data.entry_code);

  expect([inTime.status, tooLate.status, tooLate.code]).toEqual([200, 401, "entry_code_refused"]);
});

test("SESS-039 a second use starts no session and does not end that of the staff member", async () => {
  const { data } = await askCompany(api.companies.first);
  await redeem(data.entry_code);
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from session`.execute(system())).rows[0]?.n;
  const before = await count();

  const again = await redeem(data.entry_code);

  expect([again.status, again.code, again.data]).toEqual([401, "entry_code_refused", { msg: again.msg }]);
  expect(await count()).toBe(before);
  expect(await statusOf(token)).toBe(200);
});

test("SESS-039 of 20 concurrent redemptions exactly one succeeds", async () => {
  const { data } = await askUser(engineerId);

  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(data.entry_code)));

  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "entry_code_refused")).toHaveLength(19);
});

test("SESS-040 a code works only with the valid token of the staff member who requested it", async () => {
  await sql`insert into users (company_id, email, name, password_hash, is_admin)
    values (51, 'colleague@metrum.example', 'Colleague', 'x', true) on conflict do nothing`.execute(system());
  const { data } = await askCompany(api.companies.first);

  const nobody = await api.ask(administration.redeemEntry, { input: { body: { code: data.entry_code } } });
  const strangers = await Promise.all(
    ["colleague@metrum.example", engineer, "dealer@metrum.example"].map(async (email) =>
      redeem(data.entry_code, await api.token(email)),
    ),
  );
  const garbage = await redeem("garbage");
  const own = await redeem(data.entry_code);

  expect(nobody.status).toBe(401);
  expect(new Set(strangers.map(({ text }) => text))).toEqual(new Set([garbage.text]));
  expect(garbage.status).toBe(401);
  expect(own.status).toBe(200);
});

test("SESS-040 a code expires with the session that requested it", async () => {
  const asking = await api.token(staff);
  const { data } = await askCompany(api.companies.first, asking);
  await api.ask(auth.logout, { token: asking });

  expect((await redeem(data.entry_code)).status).toBe(401);
});

test("an entered session ends with that of the staff member, within a second everywhere", async () => {
  const inside = await enterAs();
  const before = await statusOf(inside);

  await api.ask(auth.logout, { token });

  expect(before).toBe(200);
  expect(await statusOf(inside)).toBe(401);
});

test.each([
  ["is switched off", "is_active", false, true],
  ["leaves the platform company", "company_id", null, 51],
] as const)("an entered session ends when the staff account %s", async (_, column, value, former) => {
  const inside = await enterAs();
  const before = await statusOf(inside);

  await set(column, value ?? api.companies.second, staff);

  expect(before).toBe(200);
  await expect.poll(() => statusOf(inside), { interval: 20, timeout: 30_000 }).toBe(401);
  await set(column, former, staff);
});

test("SESS-013 leaving ends only the entered session and returns no token", async () => {
  for (const inside of [
    await enterAs(),
    (await redeem((await askCompany(api.companies.first)).data.entry_code)).data.access_token,
  ]) {
    const answer = await api.ask(auth.exitCompany, {
      token: inside,
      input: { body: { exit_point: "/cloud/administration" } },
    });

    expect([answer.status, answer.data.access_token]).toEqual([200, null]);
    expect([await statusOf(inside), await statusOf(token)]).toEqual([401, 200]);
  }
});

test("staff who work as a dealer can enter a company below it and return to the dealer, always marked", async () => {
  const asDealer = await enterAs(await idOf("dealer@metrum.example"));
  const below = await api.ask(auth.enterCompany, {
    token: asDealer,
    input: { ...params(api.companies.first), body: {} },
  });
  const inside = await accessOf(below.data.access_token);
  const back = await api.ask(auth.exitCompany, {
    token: below.data.access_token,
    input: { body: { exit_point: "companies" } },
  });
  const again = await accessOf(back.data.access_token ?? "");

  expect(inside.data).toMatchObject({ entered_from_admin: true, entered_company: true });
  expect(again.data).toMatchObject({ entered_from_admin: true, entered_company: false });
  expect(again.data.entered?.user_name).toBe("Dealer");
});

test("entered sessions can neither request nor redeem a code", async () => {
  const inside = await enterAs();
  const { data } = await askCompany(api.companies.second);
  const ownName = await redeem((await askCompany(api.companies.first)).data.entry_code);

  expect((await askCompany(api.companies.second, inside)).status).toBe(403);
  expect((await askCompany(api.companies.second, ownName.data.access_token)).status).toBe(403);
  expect((await redeem(data.entry_code, ownName.data.access_token)).code).toBe("entry_code_refused");
  expect((await redeem(data.entry_code)).status).toBe(200);
});

test("an API token of a staff member can neither request nor redeem a code", async () => {
  const apiToken = await api.token(staff);
  await sql`update session set kind = 'api', name = 'script' where token_hash = ${hashOf(apiToken)}`.execute(
    system(),
  );
  const { data } = await askCompany(api.companies.first);

  expect((await askCompany(api.companies.first, apiToken)).code).toBe("token_refused");
  expect((await redeem(data.entry_code, apiToken)).code).toBe("entry_code_refused");
});

test("an entered session has the rights of the user, and the audit log names both people", async () => {
  const inside = await enterAs();

  const saved = await api.ask(companies.update, {
    token: inside,
    input: { body: { phone_number: "+97699000001" } },
  });
  await api.ask(auth.exitCompany, { token: inside, input: { body: { exit_point: "" } } });

  const { rows } = await sql<object>`
    select action, audit.company_id, u.email as "user", i.email as staff from audit
      join users u on u.id = user_id left join users i on i.id = impersonator_id
    where audit.impersonator_id is not null and u.email = ${engineer} order by audit.id desc limit 3
  `.execute(system());
  const both = { company_id: api.companies.first, user: engineer, staff };
  expect(saved.status).toBe(200);
  expect(rows).toEqual(
    ["auth.entryLeave", "company.update", "auth.entryRedeem"].map((action) => ({ action, ...both })),
  );
});

test("SESS-010 in an entered session calls for the account's owner are refused", async () => {
  const inside = (await redeem((await askCompany(api.companies.first)).data.entry_code)).data.access_token;
  const ownersOnly = [...contract.values()].filter(
    ({ problems, right }) => problems?.includes("entered_refused") && right !== "platform",
  );

  const codes = await Promise.all(
    ownersOnly.map(async (call) => {
      const { code } = await api.ask(call, { token: inside, input: { params: { id: "1" }, body: {} } });
      return [call.id, code];
    }),
  );

  expect(codes).toEqual(ownersOnly.map(({ id }) => [id, "entered_refused"]));
  const ids = ownersOnly.map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining(["user.profile", "user.2fa.enable", "user.2fa.disable", "profile.tokenCreate"]),
  );
});

test("issuing and refusing a code are in the log of the provider, without the code", async () => {
  const { data } = await askUser(engineerId);
  await redeem("not a code");

  const { rows } = await sql<{ action: string; subject: string | null; result: string; text: string }>`
    select action, subject, result, row_to_json(audit)::text as text from audit
    where company_id = 51 order by id desc limit 2
  `.execute(system());

  expect(rows.map(({ action, subject, result }) => [action, subject, result])).toEqual([
    ["auth.entryRedeem", null, "entry_code_refused"],
    ["admin.userEnter", `user ${String(engineerId)}`, "ok"],
  ]);
  expect(rows.some(({ text }) => text.includes(data.entry_code))).toBe(false);
});

test("a closed or unknown company and one's own cannot be entered", async () => {
  const colleague = await idOf(staff);
  await set("is_active", false, "viewer@metrum.example");
  const off = await askUser(await idOf("viewer@metrum.example"));
  await set("is_active", true, "viewer@metrum.example");
  await sql`update company set is_active = false where id = ${api.companies.second}`.execute(system());
  const closed = [
    await askCompany(api.companies.second),
    await askUser(await idOf("engineer2@metrum.example")),
  ];
  await sql`update company set is_active = true where id = ${api.companies.second}`.execute(system());

  expect([off.status, off.code]).toEqual([422, "user_inactive"]);
  expect(closed.map(({ code }) => code)).toEqual(["company_inactive", "company_inactive"]);
  expect([(await askCompany(51)).code, (await askUser(colleague)).code]).toEqual([
    "own_company",
    "own_company",
  ]);
  expect([(await askCompany(2_147_483_647)).status, (await askUser(2_147_483_647)).status]).toEqual([
    404, 404,
  ]);
});

test("ACL-041 SERV-030 codes, users and health of the platform are reserved for provider staff", async () => {
  for (const email of [engineer, "dealer@metrum.example", "operator@metrum.example", "demo@metrum.example"]) {
    const as = await api.token(email);
    const answers = await Promise.all([
      askCompany(api.companies.second, as),
      askUser(engineerId, as),
      api.ask(administration.users, { token: as, input: { body: {} } }),
      api.ask(administration.health, { token: as }),
    ]);

    expect(answers.map(({ code }) => code)).toEqual(Array(4).fill("right_missing"));
  }
});
