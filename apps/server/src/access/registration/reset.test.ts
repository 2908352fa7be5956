import { users } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { form, password, registering } from "#testing/access/registering";
import { statementsOf } from "#testing/statements";
import { countFailure, failuresOf } from "#access/guessing";

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  const env = { METRUM_PUBLIC_URL: "https://metrum.example" };
  api = await openTestApi({ env, clock });
});
beforeEach(async () => {
  clock.ahead = 0;
  await sql`delete from guess`.execute(api.services.database.system);
});
afterAll(() => api.close());

const { activate, find, forget, lettersTo, login, reset, signUp, tokenTo } = registering(() => api);

describe("forgotten password", () => {
  /** A separate account for each test. */
  async function account(): Promise<string> {
    const body = form();
    await signUp(body);
    await activate(await tokenTo(body.email));
    return body.email;
  }

  test("REG-019 a known and an unknown address get identical answers, only the known one a letter", async () => {
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

  test("REG-019 the substitute work for an unknown address stores neither letter nor link", async () => {
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

  test("REG-018 an invalid address is refused (fail_email)", async () => {
    expect(await forget("nobody")).toMatchObject({ status: 422, attributes: { email: ["fail_email"] } });
  });

  test("demonstration and switched-off accounts get no letter", async () => {
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

  test("REG-021 REG-022 the address of a token can be read repeatedly without changing anything", async () => {
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

  test("REG-025 REG-027 the reset works once, ends every session and the new password signs in", async () => {
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

  test("REG-027 the link expires after an hour, and when a newer one is requested", async () => {
    const email = await account();
    await forget(email);
    const old = await tokenTo(email);
    await forget(email);
    const token = await tokenTo(email);

    expect((await find(old)).code).toBe("link_dead");
    expect((await find(token)).status).toBe(200);
    clock.ahead = 3601;
    expect(await reset({ email, token })).toMatchObject({ status: 422, code: "link_dead" });
  });

  test("REG-027 of two concurrent resets one succeeds", async () => {
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

  test("REG-024 REG-028 REG-030 a weak, common or unequal password is refused and the link stays valid", async () => {
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

  test("REG-030 the company's minimum length applies and is returned to the form", async () => {
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

  test("REG-019 a password reset costs the same statements whether or not the address exists", async () => {
    const email = await account();

    const known = await statementsOf(api, () => forget(email));
    const unknown = await statementsOf(api, () => forget("nobody@valley.example"));

    expect(unknown).toEqual(known);
    expect(known.length).toBeGreaterThan(8);
  });

  test("a reset unlocks an account that was locked by guessing", async () => {
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
