import { createHash } from "node:crypto";
import { auth, captcha } from "@metrum/contract/access";
import { sql } from "kysely";
import { generateSync } from "otplib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountOf } from "#access/users";
import { beginTwoFactor, confirmPending, enableTwoFactor } from "#access/two-factor";
import { openTestApi, type TestApi } from "#testing/api";

/** Seconds that the clock of the test is ahead of real time. */
let ahead = 0;
let api: TestApi;
beforeAll(async () => {
  const nowMs = (): number => Date.now() + ahead * 1000;
  api = await openTestApi({ clock: { nowMs, now: () => Math.floor(nowMs() / 1000) } });
});
beforeEach(async () => {
  ahead = 0;
  await sql`delete from guess`.execute(system());
});
afterAll(() => api.close());

const engineer = "engineer@metrum.example";
const password = "Metrum!2026";
const system = () => api.services.database.system;

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** A sign-in of the engineer, by default from an address not used before. */
async function login(body: Record<string, unknown>, remoteAddress = "192.0.2.1"): Promise<Answer> {
  const response = await api.fastify.inject({
    method: "POST",
    url: "/api/auth/login",
    remoteAddress,
    payload: { email: engineer, password, ...body },
  });
  const { code, attributes } = response.json<Answer>();
  return { status: response.statusCode, code, attributes };
}

async function fail(times: number, body: Record<string, unknown> = {}): Promise<void> {
  for (let n = 0; n < times; n += 1) await login({ password: "wrong", ...body }, `10.0.0.${String(n)}`);
}

/** A captcha whose image has been read. */
async function solved(): Promise<{ captcha: string; captcha_key: string }> {
  const { data } = await api.ask(captcha.get);
  const hash = createHash("sha256").update(data.key).digest();
  const { rows } = await sql<{ answer: string }>`select answer from captcha where key_hash = ${hash}`.execute(
    system(),
  );
  return { captcha: rows[0]?.answer ?? "", captcha_key: data.key };
}

describe("LOGIN-027 the captcha", () => {
  test("LOGIN-005 LOGIN-022 after 3 failures of the account it is required, whatever the password and the address", async () => {
    await fail(2);
    const third = await login({ password: "wrong" });

    const wrong = await login({ password: "wrong" });
    const right = await login({}, "203.0.113.9");

    expect(third.code).toBe("sign_in_refused");
    expect([wrong.code, right.code]).toEqual(["captcha_needed", "captcha_needed"]);
    expect(right.status).toBe(422);
    expect(Object.keys(right.attributes)).toEqual(["captcha", "captcha_key"]);
  });

  test("the right password with a captcha signs in and resets the count", async () => {
    await fail(3);

    const answer = await login(await solved());
    const next = await login({ password: "wrong" });

    expect([answer.status, next.code]).toEqual([200, "sign_in_refused"]);
  });

  test("it is required for an unknown address too", async () => {
    const email = "nobody@metrum.example";
    await fail(3, { email });

    expect((await login({ email })).code).toBe("captcha_needed");
  });

  test("after 10 failures from an address it is required for every account from there, and not elsewhere", async () => {
    for (let n = 0; n < 10; n += 1) await login({ email: `${String(n)}@metrum.example` });

    const here = await login({});
    const elsewhere = await login({}, "192.0.2.2");

    expect([here.code, elsewhere.status]).toEqual(["captcha_needed", 200]);
  });

  test("differently spelt e-mails count as one account", async () => {
    // The first letter is U+0130: the database takes it for an i.
    const spellings = ["engineer", "ENGINEER", "Engineer", "engİneer"].map(
      (name) => `${name}@metrum.example`,
    );
    const { rows } = await sql<{ id: number }>`
      select id from users where email = ${spellings[3]}::citext
    `.execute(system());
    for (const email of spellings.slice(0, 3)) await login({ email, password: "wrong" });

    const codes = await Promise.all(spellings.map(async (email) => (await login({ email })).code));

    expect(codes.slice(0, 3)).toEqual(["captcha_needed", "captcha_needed", "captcha_needed"]);
    // Where the database does not fold it to i it is another, unknown address.
    expect(codes[3]).toBe(rows.length > 0 ? "captcha_needed" : "sign_in_refused");
  });

  test("a refusal for lack of a captcha is not a failure: locking an account requires solved captchas", async () => {
    await fail(3);
    for (let n = 0; n < 20; n += 1) await login({ password: "wrong" });

    expect((await login(await solved())).status).toBe(200);
  });

  test("an attempt that needs none does not use one up", async () => {
    const given = await solved();

    await login(given);
    await fail(3);

    expect((await login(given)).status).toBe(200);
  });
});

describe("LOGIN-027 the lock", () => {
  const failSolved = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await login({ password: "wrong", ...(await solved()) });
  };

  test("10 failures lock the account for 15 minutes with the same message, then the password works", async () => {
    await fail(3);
    await failSolved(6);
    const ninth = await login(await solved());
    await fail(3);
    await failSolved(7);

    const locked = await login(await solved());
    ahead = 15 * 60 + 1;
    const later = await login({});

    expect([ninth.status, locked.code, later.status]).toEqual([200, "sign_in_refused", 200]);
    expect(locked).toEqual(await login({ password: "wrong" }));
  });

  test("of 50 concurrent attempts 3 are checked without a captcha, even if all others are right", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => login({ password: "wrong" }, `10.0.0.${String(n)}`)),
    );

    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === "sign_in_refused")).toHaveLength(3);
    expect(codes.filter((code) => code === "captcha_needed")).toHaveLength(47);
  });

  test("a locked account stays locked under 30 concurrent attempts with captcha and the right password", async () => {
    await fail(3);
    await failSolved(7);
    const given = [];
    for (let n = 0; n < 30; n += 1) given.push(await solved());

    const answers = await Promise.all(given.map((each, n) => login(each, `10.0.0.${String(n)}`)));

    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(["sign_in_refused"]));
  });
});

describe("the second factor", () => {
  let secret = "";
  beforeAll(async () => {
    const account = await accountOf(system(), engineer);
    if (!account) throw new Error("no engineer");
    const begun = await beginTwoFactor(api.services, account);
    secret = begun?.secret ?? "";
    const confirmed = await confirmPending(api.services, account.id, generateSync({ secret }));
    if (!confirmed) throw new Error("not confirmed");
    await enableTwoFactor(api.services, system(), { userId: account.id, confirmed });
  });

  const codeNow = (): string => generateSync({ secret, epoch: api.services.clock.now() });

  test("LOGIN-007 LOGIN-021 is requested only after the correct password, and without issuing a token", async () => {
    const wrong = await login({ password: "wrong" });
    const right = await login({});

    expect(wrong.code).toBe("sign_in_refused");
    expect(right).toMatchObject({ status: 422, code: "one_time_code_needed" });
    expect(Object.keys(right.attributes)).toEqual(["one_t_p"]);
  });

  test("a code can be used once", async () => {
    ahead = 60;
    const one_t_p = codeNow();

    const first = await login({ one_t_p });
    const again = await login({ one_t_p });

    expect([first.status, again.code]).toEqual([200, "one_time_code_wrong"]);
  });

  test("consent is requested before the code is used", async () => {
    ahead = 120;
    await sql`update users set personal_data_access_at = null where email = ${engineer}`.execute(system());
    const one_t_p = codeNow();

    const codeNeeded = await login({ one_t_p });
    const given = await login({ one_t_p, personal_data_access: true });

    expect([codeNeeded.status, given.status]).toEqual([449, 200]);
  });

  test("5 wrong codes end the attempt and lock the account: then the right one is refused like a wrong password", async () => {
    ahead = 180;
    const codes = [];
    for (let n = 0; n < 5; n += 1) codes.push((await login({ one_t_p: "000000" })).code);

    const right = await login({ one_t_p: codeNow() });
    ahead = 180 + 15 * 60 + 1;
    const later = await login({ one_t_p: codeNow() });

    expect(codes).toEqual([...Array.from({ length: 4 }, () => "one_time_code_wrong"), "sign_in_refused"]);
    expect([right.code, later.status]).toEqual(["sign_in_refused", 200]);
  });

  test("of 50 concurrent codes at most 5 are checked", async () => {
    ahead = 2 * 3600;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => login({ one_t_p: "000000" }, `10.0.0.${String(n)}`)),
    );
    // Some required a captcha while other passwords were being checked: the remaining attempts are used up
    // here.
    for (let n = 0; n < 5; n += 1) answers.push(await login({ one_t_p: "000000" }, `10.0.1.${String(n)}`));

    const { rows } = await sql<{ result: string }>`
      select result from audit where action = 'auth.login' order by id desc limit 55
    `.execute(system());
    expect(rows.filter(({ result }) => result === "one_time_code_wrong").length).toBeLessThan(5);
    expect(answers.some(({ status }) => status === 200)).toBe(false);
    expect((await login({ one_t_p: codeNow() })).status).toBe(422);
  });
});

test("every refusal is in the audit log", async () => {
  await login({ email: "viewer@metrum.example", password: "wrong" });
  await fail(3, { email: "viewer@metrum.example" });

  const { rows } = await sql<{ result: string }>`
    select result from audit where action = ${auth.login.id} order by id desc limit 4
  `.execute(system());

  expect(rows.map(({ result }) => result).toSorted()).toEqual([
    "captcha_needed",
    "sign_in_refused",
    "sign_in_refused",
    "sign_in_refused",
  ]);
});
