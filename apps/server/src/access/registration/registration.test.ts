import { PasswordReset, Signup } from "@metrum/contract/access";
import { shell } from "@metrum/contract/platform";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { form, freshAddress, password, registering } from "#testing/access/registering";
import { statementsOf } from "#testing/statements";
import { removeForgotten } from "./jobs.ts";

const clock = movableClock();
let api: TestApi;
let selfHosted: TestApi;
beforeAll(async () => {
  const env = { METRUM_PUBLIC_URL: "https://metrum.example" };
  api = await openTestApi({ env, clock });
  selfHosted = await openTestApi({ env: { METRUM_BUILD_TYPE: "server" } });
});
beforeEach(async () => {
  clock.ahead = 0;
  await sql`delete from guess`.execute(api.services.database.system);
});
afterAll(() => Promise.all([api.close(), selfHosted.close()]));

const { accountRow, activate, lettersTo, login, signUp, tokenTo } = registering(() => api);

describe("a flood of registrations", () => {
  const from = (remoteAddress: string, body: object) =>
    api.fastify.inject({ method: "POST", url: "/api/auth/signup", remoteAddress, payload: body });
  const codes = async (addresses: readonly string[]) => {
    const answers = [];
    for (const each of addresses) {
      const answer = await from(each, form());
      answers.push(answer.statusCode === 200 ? "ok" : answer.json<{ code: string }>().code);
    }
    return answers;
  };

  test("from one network requires a captcha after ten, whichever of its IPv6 addresses they come from", async () => {
    const addresses = Array.from({ length: 12 }, (_, at) => `2001:db8:1:2::${at.toString(16)}`);

    const answers = await codes(addresses);

    expect(answers).toEqual([...Array.from({ length: 10 }, () => "ok"), "captcha_needed", "captcha_needed"]);
  });

  test("from many networks requires a captcha for all after forty, and nothing is created or sent without one", async () => {
    const addresses = Array.from({ length: 44 }, (_, at) => `192.0.2.${String(at)}`);
    const answers = await codes(addresses.slice(0, 40));
    const before = await sql<{ count: number }>`select count(*)::int as count from company`.execute(
      api.services.database.system,
    );

    const body = form();
    const refused = await from("198.51.100.7", body);

    const after = await sql<{ count: number }>`select count(*)::int as count from company`.execute(
      api.services.database.system,
    );
    expect(new Set(answers)).toEqual(new Set(["ok"]));
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([422, "captcha_needed"]);
    expect(after.rows).toEqual(before.rows);
    expect(await lettersTo(body.email)).toEqual([]);
  });

  test("is no obstacle with a captcha, which is valid for one registration", async () => {
    await codes(Array.from({ length: 40 }, (_, at) => `192.0.2.${String(at)}`));
    const captcha_key = "k".repeat(32);
    await sql`insert into captcha (key_hash, answer, salt, expires_at)
      values (sha256(${captcha_key}::bytea), 'abcd', '00', now() + interval '1 hour')`.execute(
      api.services.database.system,
    );
    const answered = { captcha: "ABCD", captcha_key };

    const first = await from("198.51.100.7", { ...form(), ...answered });
    const second = await from("198.51.100.7", { ...form(), ...answered });

    expect([first.statusCode, second.json<{ code: string }>().code]).toEqual([200, "captcha_wrong"]);
  });
});

describe("registration", () => {
  test("REG-012 REG-013 REG-014 creates a company of type 1 under the provider with its administrator, both inactive", async () => {
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

  test("REG-026 the letter is sent in the language of the form and links to the activation", async () => {
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
    ["REG-006 REG-007", "password_confirmation", "Kx7!mPqx", "password_not_equal"],
    ["REG-006", "password_confirmation", "", "fail_password"],
    ["REG-006", "password_confirmation", undefined, "fail_password"],
    ["REG-006", "password_confirmation", "Kx7!mPq", "fail_password"],
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

  test("REG-029 an address that has an account gets an identical answer, no company and a letter that says so", async () => {
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

  test("REG-029 a known address costs the same statements as an unknown one", async () => {
    const known = await statementsOf(api, () => signUp(form({ email: "operator@metrum.example" })));
    const unknown = await statementsOf(api, () => signUp(form()));

    expect(unknown).toEqual(known);
    expect(unknown.length).toBeGreaterThan(10);
  });

  test("REG-029 a mailbox gets at most five letters of a kind per hour", async () => {
    for (let run = 0; run < 7; run += 1) await signUp(form({ email: "dealer@metrum.example" }));

    expect(await lettersTo("dealer@metrum.example")).toHaveLength(5);
  });

  test("registering again before the activation starts over: the earlier link is invalid", async () => {
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

  test("two concurrent ones with one address get the same answer, and one account is created", async () => {
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

  test("a company that was not activated is deleted when its letter expires; an activated one is kept", async () => {
    const [kept, lost] = [freshAddress(), freshAddress()];
    await signUp(form({ email: kept }));
    await activate(await tokenTo(kept));
    await signUp(form({ email: lost }));

    clock.ahead = 48 * 3600 + 1;
    await removeForgotten(api.services);

    expect(await accountRow(lost)).toBeUndefined();
    expect(await accountRow(kept)).toMatchObject({ is_active: true });
  });

  test("PROD-019 in the server build registration is refused unless it is allowed, as the site settings report", async () => {
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

  test("sign-up and reset carry exactly the fields of their entities", () => {
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

  test("the audit log names the registered user and contains neither password nor token", async () => {
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
