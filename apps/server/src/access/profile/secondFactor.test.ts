import { auth, memberTwoFactor, profile, twoFactor, users } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { engineer, ownAccount, password, viewer } from "#testing/access/ownAccount";
import { codeOf, proofOf } from "#testing/access/secondFactor";

const clock = movableClock();
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ clock });
});
afterAll(() => api.close());
beforeEach(async () => {
  clock.ahead = 0;
  await sql`delete from guess`.execute(system());
});

const { account, auditOf, lettersTo, statusOf, system } = ownAccount(() => api);

describe("two-factor sign-in", () => {
  const enable = (token: string, body: { one_t_p: string; current_password: string }) =>
    api.ask(twoFactor.enable, { token, input: { body } });
  const disable = (token: string, body: { one_t_p: string; current_password: string }) =>
    api.ask(twoFactor.disable, { token, input: { body } });
  const login = (email: string, one_t_p?: string) =>
    api.ask(auth.login, { input: { body: { email, password, ...(one_t_p ? { one_t_p } : {}) } } });

  test("TFA-001 TFA-006 setting up returns a QR code, the secret as text and the otpauth address of both", async () => {
    const { data, status } = await api.ask(twoFactor.init, { token: await api.token(engineer) });

    expect(status).toBe(200);
    expect(data.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(data.qr).toMatch(/^data:image\/png;base64,iVBOR/);
    const uri = new URL(data.uri);
    expect([uri.protocol, uri.host, uri.searchParams.get("secret")]).toEqual([
      "otpauth:",
      "totp",
      data.secret,
    ]);
    expect(decodeURIComponent(uri.pathname)).toBe(`/Metrum:${engineer}`);
  });

  test("TFA-002 TFA-004 TFA-007 enabling needs code and password, returns recovery codes and ends other sessions", async () => {
    const [token, other] = [await api.token(viewer), await api.token(viewer)];
    const { data } = await api.ask(twoFactor.init, { token });
    const one_t_p = codeOf(data.secret, api);

    const wrongCode = await enable(token, { one_t_p: "000000", current_password: password });
    const wrongPassword = await enable(token, { one_t_p, current_password: "wrong" });
    const before = await api.ask(users.info, { token });
    const right = await enable(token, { one_t_p, current_password: password });
    const after = await api.ask(users.info, { token });

    expect(wrongCode).toMatchObject({ status: 422, attributes: { one_t_p: ["one_time_code_wrong"] } });
    expect(wrongPassword).toMatchObject({
      status: 422,
      attributes: { current_password: ["password_wrong"] },
    });
    expect([right.status, new Set(right.data.recovery_codes).size]).toEqual([200, 10]);
    expect([before, after].map(({ data: { user } }) => user["2fa_enabled"])).toEqual([false, true]);
    expect([await statusOf(token), await statusOf(other)]).toEqual([200, 401]);
    expect((await enable(token, { one_t_p, current_password: password })).code).toBe("two_factor_on");
    expect((await api.ask(twoFactor.init, { token })).code).toBe("two_factor_on");

    // The code that enabled it has been used up.
    expect((await login(viewer)).attributes).toHaveProperty("one_t_p");
    expect((await login(viewer, one_t_p)).attributes).toEqual({ one_t_p: ["one_time_code_wrong"] });
    const [recovery = ""] = right.data.recovery_codes;
    expect((await login(viewer, recovery)).status).toBe(200);
    expect((await login(viewer, recovery)).status).toBe(422);

    const texts = (await auditOf("twoFactor.enable")).map(({ text }) => text).join();
    for (const secret of [data.secret, one_t_p, password, ...right.data.recovery_codes])
      expect(texts).not.toContain(secret);
    expect(await lettersTo(viewer)).toContain("two_factor_on");
  });

  test("TFA-003 disabling needs code and password in the body of a DELETE and ends other sessions", async () => {
    const { one_t_p } = await proofOf(api, viewer);
    const [token, other] = [await api.token(viewer), await api.token(viewer)];

    const wrong = await disable(token, { one_t_p, current_password: "wrong" });
    const wrongCode = await disable(token, { one_t_p: "123456", current_password: password });
    const right = await disable(token, { one_t_p, current_password: password });

    expect([wrong.code, wrongCode.code, right.status]).toEqual([
      "password_wrong",
      "one_time_code_wrong",
      200,
    ]);
    expect([await statusOf(token), await statusOf(other)]).toEqual([200, 401]);
    expect((await login(viewer)).status).toBe(200);
    expect((await disable(token, { one_t_p, current_password: password })).code).toBe("two_factor_off");
  });

  test("new recovery codes replace the earlier ones", async () => {
    const token = await api.token(viewer);
    const { one_t_p } = await proofOf(api, viewer);

    const { data, status } = await api.ask(twoFactor.renewRecovery, {
      token,
      input: { body: { one_t_p, current_password: password } },
    });
    const [recovery = ""] = data.recovery_codes;
    const left = (await api.ask(profile.state, { token })).data.two_factor.recovery_codes_left;
    const off = await disable(token, { one_t_p: recovery, current_password: password });

    expect([status, left, off.status]).toEqual([200, 10, 200]);
  });

  test("only an administrator of the company can reset it for a user who has lost phone and codes", async () => {
    const [admin, user] = [await api.token("engineer2@metrum.example"), await api.token(viewer)];
    const { id } = await account(viewer);
    await proofOf(api, viewer);
    const reset = (token: string, of: number) =>
      api.ask(memberTwoFactor.reset, { token, input: { params: { id: String(of) } } });

    const foreign = await reset(await api.token(engineer), id);
    const own = await reset(admin, (await account("engineer2@metrum.example")).id);
    const without = await reset(user, id);
    const done = await reset(admin, id);
    const again = await reset(admin, id);

    expect([foreign, own, without, again].map(({ code }) => code)).toEqual([
      "not_found",
      "own_account",
      "right_missing",
      "two_factor_off",
    ]);
    expect([done.status, await statusOf(user), (await login(viewer)).status]).toEqual([200, 401, 200]);
    const [row] = await auditOf("twoFactor.reset");
    expect([row?.company_id, row?.text.includes(`user ${String(id)}`)]).toEqual([api.companies.second, true]);
    expect((await lettersTo(viewer)).at(-1)).toBe("two_factor_off");
  });

  test("five wrong codes lock the account: the right one is refused too", async () => {
    const token = await api.token(viewer);
    const { one_t_p } = await proofOf(api, viewer);
    const answers = [];
    for (let n = 0; n < 5; n += 1)
      answers.push((await disable(token, { one_t_p: "123456", current_password: password })).text);

    const locked = await disable(token, { one_t_p, current_password: password });
    await sql`delete from guess`.execute(system());
    const later = await disable(token, { one_t_p, current_password: password });

    expect(new Set(answers).size).toBe(1);
    // A locked account gets the same answer as a wrong password.
    expect([locked.status, later.status]).toEqual([422, 200]);
  });
});
