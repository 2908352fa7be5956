import { users } from "@metrum/contract/access";
import { shell } from "@metrum/contract/platform";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { form, password, registering } from "#testing/access/registering";

const clock = movableClock();
let api: TestApi;
let random: TestApi;
beforeAll(async () => {
  const env = { METRUM_PUBLIC_URL: "https://metrum.example" };
  api = await openTestApi({ env, clock });
  random = await openTestApi({ env: { ...env, METRUM_RANDOM_PASSWORDS: "true" }, clock });
});
beforeEach(async () => {
  clock.ahead = 0;
  await sql`delete from guess`.execute(api.services.database.system);
});
afterAll(() => Promise.all([api.close(), random.close()]));

const { accountRow, activate, forget, lettersTo, login, signUp, tokenTo } = registering(() => api);

describe("activation", () => {
  test("REG-015 REG-027 the link activates company and account once; using it again is harmless and has no effect", async () => {
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

  test("REG-027 the link expires after 48 hours", async () => {
    const body = form();
    await signUp(body);
    clock.ahead = 48 * 3600 + 1;

    expect(await activate(await tokenTo(body.email))).toMatchObject({ status: 422, code: "link_dead" });
    expect((await accountRow(body.email))?.is_active).toBe(false);
  });

  test("REG-017 an unknown token, or that of another letter, is refused with a message", async () => {
    await forget("operator@metrum.example");

    const answers = await Promise.all(
      ["x".repeat(43), "short", await tokenTo("operator@metrum.example")].map((token) => activate(token)),
    );

    expect(answers.map(({ code }) => code)).toEqual(["link_dead", "link_dead", "link_dead"]);
    expect(answers[0]?.msg).not.toBe("");
  });
});

describe("generated passwords", () => {
  test("REG-002 REG-032 the password is sent by letter after the activation, and must be changed", async () => {
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

  test("REG-032 a password in the request is ignored", async () => {
    const body = form();
    await signUp(body, random);
    await activate(await tokenTo(body.email, random), random);

    expect((await login(body.email, password, random)).status).toBe(422);
  });
});
