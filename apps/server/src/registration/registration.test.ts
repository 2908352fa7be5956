import { auth, PasswordReset, registration, shell, Signup, users } from "@metrum/contract";
import { sql } from "kysely";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type Answer, type TestApi } from "../testing/api.ts";
import { countFailure, failuresOf } from "#guessing";
import { removeForgotten } from "./jobs.ts";

/** Seconds that the clock of the test is ahead of the real one. */
let ahead = 0;
let api: TestApi;
let selfHosted: TestApi;
let random: TestApi;
const clock = {
  nowMs: () => Date.now() + ahead * 1000,
  now: () => Math.floor(Date.now() / 1000) + ahead,
  monotonicMs: () => performance.now() + ahead * 1000,
};
beforeAll(async () => {
  const env = { METRUM_PUBLIC_URL: "https://metrum.example" };
  api = await openTestApi({ env, clock });
  random = await openTestApi({ env: { ...env, METRUM_RANDOM_PASSWORDS: "true" }, clock });
  selfHosted = await openTestApi({ env: { METRUM_BUILD_TYPE: "server" } });
});
beforeEach(() => {
  ahead = 0;
});
afterAll(() => Promise.all([api.close(), random.close(), selfHosted.close()]));

const password = "Kx7!mPqw";
let count = 0;
const freshAddress = (): string => `registrar${String((count += 1))}@valley.example`;
const form = (given: Partial<Parameters<typeof signUp>[0]> = {}) => ({
  name: "Registrar",
  email: freshAddress(),
  company_type_id: 1,
  company_name: "Valley Heat Networks",
  inn: "0123456789",
  phone_number: "+97699112233",
  user_time_zone: 8,
  password,
  password_confirmation: password,
  ...given,
});
function signUp(body: Record<string, unknown>, on: TestApi = api, language = "en"): Promise<Answer<object>> {
  return on.ask(registration.signup, { input: { body: body as never }, language });
}
const login = (email: string, secret: string, on: TestApi = api) =>
  on.ask(auth.login, { input: { body: { email, password: secret, personal_data_access: true } } });
const activate = (token: string, on: TestApi = api) =>
  on.ask(registration.activate, { input: { params: { token } }, language: "en" });
const forget = (email: string, on: TestApi = api) =>
  on.ask(registration.passwordCreate, { input: { body: { email } }, language: "en" });
const find = (token: string) =>
  api.ask(registration.passwordFind, { input: { params: { token } }, language: "en" });
const reset = (given: { email: string; token: string; password?: string; password_confirmation?: string }) =>
  api.ask(registration.passwordReset, {
    input: { body: { password: "Rn4&wYtz", password_confirmation: "Rn4&wYtz", ...given } },
    language: "en",
  });

interface Letter {
  readonly kind: string;
  readonly language: string;
  readonly params: Readonly<Record<string, string>>;
}
async function lettersTo(email: string, on: TestApi = api): Promise<Letter[]> {
  const { rows } = await sql<Letter>`
    select kind, language, params from letter where recipient = ${email} order by id
  `.execute(on.services.database.system);
  return rows;
}
/** The token in the link of the last letter. */
async function tokenTo(email: string, on: TestApi = api): Promise<string> {
  const letter = (await lettersTo(email, on)).at(-1);
  return letter?.params["link"]?.replace(/^.*\//, "") ?? "";
}
async function accountRow(email: string, on: TestApi = api) {
  const { rows } = await sql<{
    is_active: boolean;
    is_admin: boolean;
    password_change_needed: boolean;
    company: Readonly<Record<string, unknown>>;
  }>`
    select u.is_active, u.is_admin, u.password_change_needed, row_to_json(c) as company
    from users u join company c on c.id = u.company_id where u.email = ${email}
  `.execute(on.services.database.system);
  return rows[0];
}

/** What a call asks of the database, with the values left out. */
async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const { pool } = api.services.database;
  const sent: string[] = [];
  const restores: (() => void)[] = [];
  const watch = (client: PoolClient): void => {
    const ask = client.query.bind(client);
    restores.push(() => Object.assign(client, { query: ask }));
    Object.assign(client, {
      query: (first: { text?: string } | string, ...rest: never[]) => {
        sent.push(typeof first === "string" ? first : (first.text ?? ""));
        return (ask as (...given: unknown[]) => unknown)(first, ...rest);
      },
    });
  };
  pool.on("acquire", watch);
  await run();
  pool.off("acquire", watch);
  for (const restore of restores.reverse()) restore();
  return sent;
}

/** What is not meant is rolled back to the savepoint. */
function meantOrNot(statements: readonly string[]): string[] {
  return statements.map((each) => each.replace("rollback to", "release"));
}

describe("registration", () => {
  test("REG-012 REG-013 REG-014 makes a company of type 1 under the provider with its administrator, both closed", async () => {
    const body = form({ company_type_id: 3, user_time_zone: 8 });

    const answer = await signUp(body);

    expect(answer).toMatchObject({ status: 200, data: {} });
    const row = await accountRow(body.email);
    expect(row).toMatchObject({ is_active: false, is_admin: true, password_change_needed: false });
    expect(row?.company).toMatchObject({
      name: "Valley Heat Networks",
      inn: "0123456789",
      phone_number: "+97699112233",
      company_type_id: 1,
      parent_id: 51,
      timezone: "Asia/Ulaanbaatar",
      is_active: false,
      is_dealer: false,
    });
    expect((await login(body.email, password)).code).toBe("sign_in_refused");
  });

  test("REG-013 an offset outside -12 to 12 is ignored", async () => {
    const body = form({ user_time_zone: 40 });

    await signUp(body);

    expect((await accountRow(body.email))?.company["timezone"]).toBe("Europe/Samara");
  });

  test("REG-026 the letter goes out in the language of the form and leads to the activation", async () => {
    const body = form();

    const { msg } = await signUp(body, api, "mn");

    expect(await lettersTo(body.email)).toMatchObject([
      {
        kind: "activation",
        language: "mn",
        params: {
          link: expect.stringMatching(/^https:\/\/metrum\.example\/#\/auth\/activate\/[\w-]{43}$/) as string,
        },
      },
    ]);
    expect(msg).toMatch(/захидал/);
  });

  test.each([
    ["REG-003", "email", "nobody", "fail_email"],
    ["REG-003", "email", "", "fail_email"],
    ["REG-010", "phone_number", "123456789", "fail_phone_number"],
    ["REG-010", "phone_number", "+123456789012345", "fail_phone_number"],
    ["REG-010", "phone_number", "call me maybe", "fail_phone_number"],
    ["REG-008", "company_name", "  ", undefined],
    ["REG-009", "inn", "123456789", undefined],
    ["REG-009", "inn", "12345678901", undefined],
    ["REG-004", "password", "", "easy_password"],
    ["REG-005", "password", "kx7!mpqw", "easy_password"],
    ["REG-007", "password_confirmation", "Kx7!mPqx", "password_not_equal"],
    ["REG-006", "password_confirmation", "", "password_not_equal"],
  ])("%s %s %j is refused with the field named and nothing made", async (_, field, value, code) => {
    const body = { ...form(), [field]: value };

    const answer = await signUp(body);

    expect(answer.status).toBe(422);
    expect(Object.keys(answer.attributes)).toEqual([field]);
    if (code !== undefined) expect(answer.attributes[field]).toContain(code);
    expect(await lettersTo(body.email)).toEqual([]);
  });

  test.each(["8001234567", "+12345678901234", "123456789012345"])(
    "REG-010 the phone number %s is taken",
    async (phone_number) => {
      expect((await signUp(form({ phone_number }))).status).toBe(200);
    },
  );

  test("REG-029 an address that has an account gets the same bytes, no company and a letter that says so", async () => {
    const companies = async () =>
      (await sql`select id from company`.execute(api.services.database.system)).rows.length;
    const before = await companies();

    const known = await signUp(form({ email: "Viewer@Metrum.example" }));
    const afterKnown = await companies();
    const unknown = await signUp(form());

    expect(known.text).toBe(unknown.text);
    expect([known.status, afterKnown]).toEqual([200, before]);
    expect(await lettersTo("viewer@metrum.example")).toMatchObject([
      { kind: "known_address", language: "ru", params: { link: "https://metrum.example/#/auth/forget" } },
    ]);
  });

  test("REG-029 a known address costs the statements that an unknown one does", async () => {
    const known = await statementsOf(() => signUp(form({ email: "operator@metrum.example" })));
    const unknown = await statementsOf(() => signUp(form()));

    expect(meantOrNot(unknown)).toEqual(meantOrNot(known));
    expect(unknown.length).toBeGreaterThan(10);
  });

  test("REG-029 nobody's mailbox is flooded: five letters of a kind in an hour", async () => {
    for (let run = 0; run < 7; run += 1) await signUp(form({ email: "dealer@metrum.example" }));

    expect(await lettersTo("dealer@metrum.example")).toHaveLength(5);
  });

  test("registering again before the activation starts anew: the earlier link is dead", async () => {
    const email = freshAddress();
    await signUp(form({ email, company_name: "First try" }));
    const first = await tokenTo(email);
    await signUp(
      form({ email, company_name: "Second try", password: "Rn4&wYtz", password_confirmation: "Rn4&wYtz" }),
    );

    expect((await activate(first)).code).toBe("link_dead");
    expect((await activate(await tokenTo(email))).status).toBe(200);
    expect((await accountRow(email))?.company["name"]).toBe("Second try");
    expect((await login(email, "Rn4&wYtz")).status).toBe(200);
  });

  test("two at once with one address: both are told the same, one account is there", async () => {
    const email = freshAddress();

    const answers = await Promise.all([
      signUp(form({ email })),
      signUp(form({ email })),
      signUp(form({ email })),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { rows } = await sql`select id from users where email = ${email}`.execute(
      api.services.database.system,
    );
    expect(rows).toHaveLength(1);
  });

  test("what was never activated is taken away when its letter has died; what was stays", async () => {
    const [kept, lost] = [freshAddress(), freshAddress()];
    await signUp(form({ email: kept }));
    await activate(await tokenTo(kept));
    await signUp(form({ email: lost }));

    ahead = 48 * 3600 + 1;
    await removeForgotten(api.services);

    expect(await accountRow(lost)).toBeUndefined();
    expect(await accountRow(kept)).toMatchObject({ is_active: true });
  });

  test("PROD-019 in the server build registration is refused unless it was allowed, and the site says so", async () => {
    const answer = await signUp(form(), selfHosted);

    expect(answer).toMatchObject({ status: 403, code: "registration_closed" });
    expect((await selfHosted.ask(shell.siteProperties)).data.self_registration).toBe(false);
    expect((await api.ask(shell.siteProperties)).data.self_registration).toBe(true);
    const allowed = await openTestApi({
      env: { METRUM_BUILD_TYPE: "server", METRUM_SELF_REGISTRATION: "true" },
    });
    expect((await signUp(form(), allowed)).status).toBe(200);
    await allowed.close();
  });

  test("API-014 sign-up and reset carry exactly the fields of their entities", () => {
    expect(Object.keys(Signup.shape)).toEqual([
      "name",
      "email",
      "company_type_id",
      "company_name",
      "inn",
      "phone_number",
      "user_time_zone",
      "password",
      "password_confirmation",
    ]);
    expect(Object.keys(PasswordReset.shape)).toEqual(["email", "token", "password", "password_confirmation"]);
  });

  test("the audit knows who registered and holds neither password nor token", async () => {
    const body = form();
    await signUp(body);
    const token = await tokenTo(body.email);
    await activate(token);

    const { rows } = await sql<{ action: string; row: string }>`
      select action, row_to_json(audit)::text as row from audit where action in ('auth.signup', 'auth.activate')
    `.execute(api.services.database.system);

    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(["auth.signup", "auth.activate"]));
    expect(rows.some(({ row }) => row.includes(password) || row.includes(token))).toBe(false);
    const { rows: links } = await sql<{
      row: string;
    }>`select row_to_json(letter_link)::text as row from letter_link`.execute(api.services.database.system);
    expect(links.some(({ row }) => row.includes(token))).toBe(false);
  });
});

describe("activation", () => {
  test("REG-015 REG-027 the link opens company and account once; once more is harmless and opens nothing", async () => {
    const body = form();
    await signUp(body);
    const token = await tokenTo(body.email);

    const first = await activate(token);
    const second = await activate(token);

    expect([first.status, second.status, first.msg]).toEqual([200, 200, second.msg]);
    const { status, data } = await login(body.email, password);
    expect(status).toBe(200);
    const access = await api.ask(users.access, { token: data.access_token });
    expect(access.data.active_modules.map(({ id }) => id)).not.toContain(2);
    expect(access.data.active_modules.length).toBeGreaterThan(5);
    await sql`update users set is_active = false where email = ${body.email}`.execute(
      api.services.database.system,
    );
    await activate(token);
    expect((await accountRow(body.email))?.is_active).toBe(false);
  });

  test("REG-027 after 48 hours the link is dead", async () => {
    const body = form();
    await signUp(body);
    ahead = 48 * 3600 + 1;

    expect(await activate(await tokenTo(body.email))).toMatchObject({ status: 422, code: "link_dead" });
    expect((await accountRow(body.email))?.is_active).toBe(false);
  });

  test("REG-017 a token that nobody has, or that of another letter, is refused with a message", async () => {
    await forget("operator@metrum.example");

    const answers = await Promise.all(
      ["x".repeat(43), "short", await tokenTo("operator@metrum.example")].map((token) => activate(token)),
    );

    expect(answers.map(({ code }) => code)).toEqual(["link_dead", "link_dead", "link_dead"]);
    expect(answers[0]?.msg).not.toBe("");
  });
});

describe("random passwords", () => {
  test("REG-002 REG-032 the password comes by letter after the activation, and has to be changed", async () => {
    const { password: _, password_confirmation: __, ...body } = form();
    expect((await random.ask(shell.siteProperties)).data.use_random_password).toBe(true);

    expect((await signUp(body, random)).status).toBe(200);
    expect((await lettersTo(body.email, random)).map(({ kind }) => kind)).toEqual(["activation"]);
    const answer = await activate(await tokenTo(body.email, random), random);

    expect(answer.msg).toMatch(/by letter/);
    const letters = await lettersTo(body.email, random);
    expect(letters.map(({ kind }) => kind)).toEqual(["activation", "password"]);
    const secret = letters[1]?.params["password"] ?? "";
    expect((await login(body.email, secret, random)).status).toBe(200);
    expect(await accountRow(body.email, random)).toMatchObject({ password_change_needed: true });
    await activate(await tokenTo(body.email, random), random);
    expect(await lettersTo(body.email, random)).toHaveLength(2);
  });

  test("REG-032 a password that is sent along is not taken", async () => {
    const body = form();
    await signUp(body, random);
    await activate(await tokenTo(body.email, random), random);

    expect((await login(body.email, password, random)).status).toBe(422);
  });
});

describe("forgotten password", () => {
  /** An account of its own for each test. */
  async function account(): Promise<string> {
    const body = form();
    await signUp(body);
    await activate(await tokenTo(body.email));
    return body.email;
  }

  test("REG-019 REG-031 a known and an unknown address get the same bytes, only the known one a letter", async () => {
    const email = await account();

    const [known, unknown] = [await forget(email.toUpperCase()), await forget("nobody@valley.example")];

    expect(known.text).toBe(unknown.text);
    expect(known.status).toBe(200);
    expect(await lettersTo("nobody@valley.example")).toEqual([]);
    expect((await lettersTo(email)).at(-1)).toMatchObject({
      kind: "reset",
      params: { link: expect.stringMatching(/#\/auth\/forget\/reset\/[\w-]{43}$/) as string },
    });
  });

  test("REG-019 the stand-in of an unknown address keeps nothing: neither letter nor link", async () => {
    const facts = async () =>
      (
        await sql<{ n: number }>`
          select (select count(*) from letter)::int + (select count(*) from letter_link)::int as n
        `.execute(api.services.database.system)
      ).rows[0]?.n;
    const before = await facts();

    await forget("nobody@valley.example");

    expect(await facts()).toBe(before);
  });

  test("REG-018 an address that is none is refused (fail_email)", async () => {
    expect(await forget("nobody")).toMatchObject({ status: 422, attributes: { email: ["fail_email"] } });
  });

  test("demonstration accounts and switched-off ones get no letter", async () => {
    const email = await account();
    await sql`update users set is_active = false where email = ${email}`.execute(
      api.services.database.system,
    );
    const before = (await lettersTo(email)).length;

    await forget(email);
    await forget("demo@metrum.example");

    expect(await lettersTo(email)).toHaveLength(before);
    expect(await lettersTo("demo@metrum.example")).toEqual([]);
  });

  test("REG-021 REG-022 the token tells its address, as often as it is asked, and changes nothing", async () => {
    const email = await account();
    await forget(email);
    const token = await tokenTo(email);

    const answers = [await find(token), await find(token)];

    expect(answers.map(({ data }) => data)).toEqual([
      { email, password_min_length: 8 },
      { email, password_min_length: 8 },
    ]);
    expect((await login(email, password)).status).toBe(200);
  });

  test("REG-025 REG-027 the reset works once, ends every session and lets the new password in", async () => {
    const email = await account();
    const { data } = await login(email, password);
    await forget(email);
    const token = await tokenTo(email);

    const answer = await reset({ email, token });

    expect(answer.status).toBe(200);
    expect((await api.ask(users.access, { token: data.access_token })).status).toBe(401);
    expect((await login(email, password)).status).toBe(422);
    expect((await login(email, "Rn4&wYtz")).status).toBe(200);
    expect(await reset({ email, token })).toMatchObject({ status: 422, code: "link_dead" });
    expect((await find(token)).code).toBe("link_dead");
    expect((await lettersTo(email)).at(-1)?.kind).toBe("password_changed");
  });

  test("REG-027 the link dies after an hour, and when a newer one is asked for", async () => {
    const email = await account();
    await forget(email);
    const old = await tokenTo(email);
    await forget(email);
    const token = await tokenTo(email);

    expect((await find(old)).code).toBe("link_dead");
    expect((await find(token)).status).toBe(200);
    ahead = 3601;
    expect(await reset({ email, token })).toMatchObject({ status: 422, code: "link_dead" });
  });

  test("REG-027 two resets at once: one wins", async () => {
    const email = await account();
    await forget(email);
    const token = await tokenTo(email);

    const answers = await Promise.all([reset({ email, token }), reset({ email, token })]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("REG-023 a token of another address or of an activation is refused", async () => {
    const email = await account();
    await forget(email);
    const token = await tokenTo(email);
    const body = form();
    await signUp(body);

    expect((await reset({ email: "viewer@metrum.example", token })).code).toBe("link_dead");
    expect((await find(await tokenTo(body.email))).code).toBe("link_dead");
    expect((await login(email, password)).status).toBe(200);
  });

  test("REG-024 REG-028 REG-030 a weak, common or unequal password is refused and leaves the link as it is", async () => {
    const email = await account();
    await forget(email);
    const token = await tokenTo(email);
    const tried = (first: string, second = first) =>
      reset({ email, token, password: first, password_confirmation: second });

    const answers = [await tried("short"), await tried("P@ssw0rd1"), await tried("Rn4&wYtz", "Rn4&wYty")];

    expect(answers.map(({ code }) => code)).toEqual([
      "easy_password",
      "common_password",
      "password_not_equal",
    ]);
    expect(answers[0]?.attributes).toEqual({ password: ["easy_password"] });
    expect((await tried("Rn4&wYtz")).status).toBe(200);
  });

  test("REG-030 the company's own least length holds, and the form is told", async () => {
    const email = await account();
    await sql`
      update company set options = '{"password_min_length": 14}'
      where id = (select company_id from users where email = ${email})
    `.execute(api.services.database.system);
    await forget(email);
    const token = await tokenTo(email);

    expect((await find(token)).data.password_min_length).toBe(14);
    expect((await reset({ email, token })).code).toBe("easy_password");
    const long = "Rn4&wYtz-Rn4&wYtz";
    expect((await reset({ email, token, password: long, password_confirmation: long })).status).toBe(200);
  });

  test("REG-019 a forgotten password costs the same statements whether or not there is the address", async () => {
    const email = await account();

    const known = await statementsOf(() => forget(email));
    const unknown = await statementsOf(() => forget("nobody@valley.example"));

    expect(meantOrNot(unknown)).toEqual(meantOrNot(known));
    expect(known.length).toBeGreaterThan(8);
  });

  test("a reset opens an account that was locked by guessing", async () => {
    const email = await account();
    const { system } = api.services.database;
    const who = { account: email, address: "192.0.2.7" };
    for (let run = 0; run < 10; run += 1) await countFailure(system, who, clock.nowMs());
    expect(await failuresOf(system, { ...who, address: "192.0.2.8" }, clock.nowMs())).toMatchObject({
      locked: true,
    });
    await forget(email);

    await reset({ email, token: await tokenTo(email) });

    expect(await failuresOf(system, { ...who, address: "192.0.2.8" }, clock.nowMs())).toMatchObject({
      locked: false,
    });
  });
});
