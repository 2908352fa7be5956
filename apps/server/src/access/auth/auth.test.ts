import { setImmediate } from "node:timers/promises";
import { auth, companies, users } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isPassword } from "#access/users";
import { openTestApi, type TestApi } from "#testing/api";
import { until } from "#testing/until";
import { createSessions, hashOf } from "./index.ts";

/** Seconds that the clock of the test is ahead of real time. */
let ahead = 0;
let api: TestApi;
beforeAll(async () => {
  const nowMs = (): number => Date.now() + ahead * 1000;
  api = await openTestApi({
    clock: {
      nowMs,
      now: () => Math.floor(nowMs() / 1000),
      // Cached sessions expire only on demand: a change must be noticed by notification, or the test fails.
      monotonicMs: () => ahead * 1000,
    },
  });
});
beforeEach(async () => {
  ahead = 0;
  await sql`delete from guess`.execute(system());
});
afterAll(() => api.close());

const engineer = "engineer@metrum.example";
const password = "Metrum!2026";
const login = (body: Record<string, unknown>) =>
  api.ask(auth.login, { input: { body: { email: engineer, password, ...body } } });
const statusOf = async (token: string): Promise<number> => (await api.ask(users.access, { token })).status;
const system = () => api.services.database.system;

const seenAt = async (token: string): Promise<number> => {
  const { rows } = await sql<{ at: number }>`
    select extract(epoch from last_seen_at)::float8 as at from session where token_hash = ${hashOf(token)}
  `.execute(system());
  return rows[0]?.at ?? 0;
};

/** Uses the session; no call waits until that is recorded. */
const use = async (token: string): Promise<number> => {
  const before = await seenAt(token);
  const status = await statusOf(token);
  const isNoted = (at: number): boolean => at > before || api.services.clock.nowMs() / 1000 - at < 60;
  if (status === 200) await until(async () => isNoted(await seenAt(token)));
  return status;
};

test("PROD-008 API-002 LOGIN-018 signing in with e-mail and password returns a token for the account's company", async () => {
  const answer = await login({ email: " Engineer@Metrum.example " });

  expect(answer.status).toBe(200);
  const { data } = await api.ask(users.access, { token: answer.data.access_token });
  expect(data.current_company_id).toBe(api.companies.first);
});

test("LOGIN-019 the request may carry consent, captcha and a one-time code; unknown keys are ignored", async () => {
  const answer = await login({
    personal_data_access: true,
    captcha: "x",
    captcha_key: "y",
    one_t_p: "123456",
    is_admin: true,
    company_id: api.companies.second,
  });

  expect(answer.status).toBe(200);
  const { data } = await api.ask(users.access, { token: answer.data.access_token });
  expect(data.current_company_id).toBe(api.companies.first);
});

test("LOGIN-028 an unknown address, a wrong password and a switched-off account get identical answers", async () => {
  await sql`update users set is_active = false where email = 'norights@metrum.example'`.execute(system());

  const answers = await Promise.all([
    login({ email: "nobody@metrum.example" }),
    login({ password: "wrong" }),
    login({ email: "norights@metrum.example" }),
  ]);

  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 422, code: "sign_in_refused" });
});

test("LOGIN-023 without consent the answer is 449 with its attribute; with it, consent is stored", async () => {
  await sql`update users set personal_data_access_at = null where email = ${engineer}`.execute(system());

  const without = await login({});
  const refused = await login({ personal_data_access: false });
  const given = await login({ personal_data_access: true });
  const later = await login({});

  expect(without).toMatchObject({ status: 449, code: "consent_needed" });
  expect(without.attributes).toHaveProperty("personal_data_access");
  expect([refused.status, given.status, later.status]).toEqual([449, 200, 200]);
  const { rows } = await sql`select version, address, at from consent`.execute(system());
  expect(rows).toEqual([{ version: 1, address: "127.0.0.1", at: expect.any(Date) as Date }]);
});

test("consent is not requested after a wrong password", async () => {
  await sql`update users set personal_data_access_at = null where email = ${engineer}`.execute(system());

  const answer = await login({ password: "wrong" });
  await sql`update users set personal_data_access_at = now() where email = ${engineer}`.execute(system());

  expect(answer.code).toBe("sign_in_refused");
});

test("SERV-034 users of a switched-off or expired company see the reason, and can sign in again once it is extended", async () => {
  const set = (column: string, value: unknown) =>
    sql`update company set ${sql.ref(column)} = ${value} where id = ${api.companies.first}`.execute(system());

  await set("is_active", false);
  const off = await login({});
  await set("is_active", true);
  await set("expires_at", api.services.clock.now() - 1);
  const expired = await login({});
  await set("expires_at", null);
  const again = await login({});

  expect([off.code, expired.code, again.status]).toEqual(["company_inactive", "company_expired", 200]);
});

test("only the hash of a token is stored in the database", async () => {
  const { data } = await login({});

  const { rows } = await sql<{ row: string }>`select row_to_json(session)::text as row from session`.execute(
    system(),
  );

  expect(rows.length).toBeGreaterThan(0);
  expect(rows.some(({ row }) => row.includes(data.access_token))).toBe(false);
  expect(data.access_token).toMatch(/^[\w-]{43}$/);
});

test("every sign-in and refusal is in the audit log, without the password", async () => {
  await login({ password: "a wrong secret" });
  await login({});

  const { rows } = await sql<{ result: string; row: string }>`
    select result, row_to_json(audit)::text as row from audit where action = 'auth.login' order by id desc limit 2
  `.execute(system());

  expect(rows.map(({ result }) => result)).toEqual(["ok", "sign_in_refused"]);
  expect(rows.every(({ row }) => !row.includes("secret") && !row.includes(password))).toBe(true);
});

test("SESS-016 signing out revokes the token at once, and the answer is never cached", async () => {
  const token = await api.token(engineer);
  const before = await statusOf(token);

  const answer = await api.ask(auth.logout, { token, language: "en" });

  expect(before).toBe(200);
  expect(answer).toMatchObject({ status: 200, msg: "You have signed out" });
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(await statusOf(token)).toBe(401);
});

test("SESS-018 the token is sent in the header only", async () => {
  const token = await api.token(engineer);

  const statuses = await Promise.all(
    [
      { url: `/api/user/access?token=${token}&access_token=${token}` },
      { url: "/api/user/access", headers: { cookie: `token=${token}` } },
      { url: "/api/user/access", headers: { authorization: token } },
      { url: "/api/user/access", headers: { authorization: `Basic ${token}` } },
    ].map(async (request) => (await api.fastify.inject(request)).statusCode),
  );

  expect(statuses).toEqual([401, 401, 401, 401]);
});

test("a session expires after 12 idle hours, and after 7 days in any case", async () => {
  const idle = await api.token(engineer);
  const busy = await api.token(engineer);
  const busyUntil = async (hours: number): Promise<number> => {
    ahead = hours * 3600;
    return use(busy);
  };

  const statuses: number[] = [];
  for (let hours = 0; hours < 7 * 24; hours += 11) statuses.push(await busyUntil(hours));

  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await busyUntil(7 * 24 + 1)).toBe(401);
  expect(await statusOf(idle)).toBe(401);
});

test("last_seen_at is written at most once a minute", async () => {
  const token = await api.token(engineer);
  const seen = async (): Promise<number> => {
    await use(token);
    return seenAt(token);
  };

  const first = await seen();
  ahead = 30;
  const within = await seen();
  ahead = 61;
  const after = await seen();

  expect(within).toBe(first);
  expect(after).toBeGreaterThan(first + 60);
});

test("ACL-045 a switched-off user is refused from the next request, however the row was changed", async () => {
  const token = await api.token(engineer);
  await statusOf(token);

  await sql`update users set is_active = false where email = ${engineer}`.execute(system());

  await expect.poll(() => statusOf(token), { interval: 20, timeout: 30_000 }).toBe(401);
  await sql`update users set is_active = true where email = ${engineer}`.execute(system());
});

test("ACL-045 changed rights of a group apply to open sessions", async () => {
  const token = await api.token("viewer@metrum.example");
  const list = async (): Promise<number> =>
    (await api.ask(companies.list, { token, input: { body: {} } })).status;
  const before = await list();

  await sql`update access_group set access_rules = jsonb_set(access_rules, '{read}', '[2,4]') where name = 'Viewers'`.execute(
    system(),
  );

  expect(before).toBe(403);
  await expect.poll(list, { interval: 20, timeout: 30_000 }).toBe(200);
});

test("SERV-006 ACL-045 a company switched off by its parent is refused from the very next request", async () => {
  const token = await api.token("engineer2@metrum.example");
  const dealer = await api.token("dealer@metrum.example");
  const turn = (is_active: boolean) =>
    api.ask(companies.switch, {
      token: dealer,
      input: { params: { id: String(api.companies.second) }, body: { is_active } },
    });
  const before = await statusOf(token);

  await turn(false);
  const off = await statusOf(token);
  await turn(true);
  const on = await statusOf(token);

  expect([before, off, on]).toEqual([200, 401, 200]);
});

test("cached sessions are not used while change notifications cannot be received", async () => {
  let isAlive = true;
  const deaf = {
    ...api.services,
    database: {
      ...api.services.database,
      listener: { ...api.services.database.listener, on: () => () => undefined, isAlive: () => isAlive },
    },
  };
  const resolveSession = createSessions(deaf);
  const token = await api.token(engineer);
  await resolveSession(token);
  const { rows } = await sql<{ id: number }>`select max(id) as id from session`.execute(system());
  await sql`delete from session where id = ${rows[0]?.id}`.execute(system());

  const believed = await resolveSession(token);
  isAlive = false;
  const resolved = await resolveSession(token);

  expect(believed).toBeDefined();
  expect(resolved).toBeUndefined();
});

test("LOGIN-028 for an unknown address a password is hashed too; while 100 hashes wait, an attempt is refused and not counted", async () => {
  let isOver = false;
  const fillers = Array.from({ length: 120 }, async () => {
    while (!isOver) await isPassword("x", undefined).catch(() => setImmediate());
  });

  const known = [await login({}), await login({}), await login({}), await login({})];
  const unknown = await login({ email: "nobody@metrum.example" });
  isOver = true;
  await Promise.all(fillers);

  expect([...known, unknown].map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
  expect((await login({ password: "wrong" })).code).toBe("sign_in_refused");
});
