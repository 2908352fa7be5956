import {
  auth,
  companies,
  memberTwoFactor,
  ownSessions,
  profile,
  registration,
  twoFactor,
  users,
  type Call,
} from "@metrum/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueLink } from "#letters";
import { isPassword } from "#users";
import { openTestApi, type TestApi } from "../testing/api.ts";
import { codeOf, proofOf } from "../testing/secondFactor.ts";

/** Seconds that the clock of the test is ahead of the real one. */
let ahead = 0;
let api: TestApi;
beforeAll(async () => {
  const nowMs = (): number => Date.now() + ahead * 1000;
  api = await openTestApi({
    clock: {
      nowMs,
      now: () => Math.floor(nowMs() / 1000),
      monotonicMs: () => performance.now() + ahead * 1000,
    },
  });
});
afterAll(() => api.close());
beforeEach(async () => {
  ahead = 0;
  await sql`delete from guess`.execute(system());
});

const password = "Metrum!2026";
const [engineer, operator, viewer] = ["engineer", "operator", "viewer"].map(
  (name) => `${name}@metrum.example`,
) as [string, string, string];
const system = () => api.services.database.system;
const statusOf = async (token: string): Promise<number> => (await api.ask(users.access, { token })).status;
const change = (token: string, body: object) => api.ask(profile.update, { token, input: { body } });
const account = async (email: string) =>
  system().selectFrom("users").selectAll().where("email", "=", email).executeTakeFirstOrThrow();
const auditOf = async (action: string) => {
  const { rows } = await sql<{ text: string; result: string; via: string | null; company_id: number }>`
    select row_to_json(audit)::text as text, result, via, company_id from audit where action = ${action} order by id desc
  `.execute(system());
  return rows;
};
const lettersTo = async (to: string) => {
  const { rows } = await sql<{
    kind: string;
  }>`select kind from letter where recipient = ${to} order by id`.execute(system());
  return rows.map(({ kind }) => kind);
};

describe("SERV-026 the profile", () => {
  test("name, phone, language and zone are changed without a password, and what is left out stays", async () => {
    const token = await api.token(viewer);

    const { data, status } = await change(token, {
      name: " Night shift ",
      phone_number: "+97699112233",
      language: "mn",
      timezone_name: "Asia/Hovd",
    });
    const later = await change(token, { name: "Night shift" });

    expect(status).toBe(200);
    expect(data.user).toMatchObject({
      name: "Night shift",
      phone_number: "+97699112233",
      language: "mn",
      timezone_name: "Asia/Hovd",
      user_time_zone: 7,
    });
    expect(later.data.user).toMatchObject({ phone_number: "+97699112233", timezone_name: "Asia/Hovd" });
    const [row] = await auditOf("profile.update");
    expect(row?.text).toContain("Night shift");
  });

  test("an offset gives a zone, null that of the company; an unknown zone is refused", async () => {
    const token = await api.token(viewer);

    const kept = await change(token, { timezone_name: "Asia/Hovd", user_time_zone: 5 });
    const byOffset = await change(token, { user_time_zone: 5 });
    const ignored = await change(token, { user_time_zone: 20 });
    const none = await change(token, { timezone_name: null, phone_number: "" });
    const wrong = await change(token, { timezone_name: "Mars/Olympus" });

    const zones = [kept, byOffset, ignored, none].map(({ data }) => data.user.timezone_name);
    expect(zones).toEqual(["Asia/Hovd", "Asia/Yekaterinburg", "Asia/Yekaterinburg", null]);
    expect(none.data.user.phone_number).toBeNull();
    expect(wrong).toMatchObject({ status: 422, attributes: { timezone_name: ["unknown_zone"] } });
  });

  test("a link that went to the old mailbox opens nothing after the address has changed", async () => {
    const [token, { id }] = [await api.token(viewer), await account(viewer)];
    const link = { userId: id, purpose: "reset", validSec: 3600, nowSec: api.services.clock.now() } as const;
    const input = { params: { token: await issueLink(system(), link) } };
    const before = await api.ask(registration.passwordFind, { input });

    await change(token, { email: "moved@metrum.example", current_password: password });
    const after = await api.ask(registration.passwordFind, { input });
    await change(token, { email: viewer, current_password: password });

    expect([before.status, after.code]).toEqual([200, "link_dead"]);
    expect((await account(viewer)).id).toBe(id);
  });

  test("another e-mail needs the password, is told to the old address and signs in", async () => {
    const token = await api.token(viewer);
    const email = "night.shift@metrum.example";

    const without = await change(token, { email });
    const wrong = await change(token, { email, current_password: "wrong" });
    const taken = await change(token, { email: engineer, current_password: password });
    const same = await change(token, { email: viewer.toUpperCase() });
    const right = await change(token, { email: "Night.Shift@metrum.example", current_password: password });
    const signedIn = await api.ask(auth.login, { input: { body: { email, password } } });
    await change(token, { email: viewer, current_password: password });

    expect([without, wrong].map(({ code, attributes }) => [code, attributes])).toEqual(
      [without, wrong].map(() => ["password_wrong", { current_password: ["password_wrong"] }]),
    );
    expect(taken).toMatchObject({ status: 422, code: "email_unavailable" });
    expect([same.status, right.status, right.data.user.email, signedIn.status]).toEqual([
      200,
      200,
      email,
      200,
    ]);
    expect(await lettersTo(viewer)).toContain("own_address_changed");
  });

  test("a new password obeys the rule of the company, is repeated and is another one", async () => {
    const token = await api.token(operator);
    const setLength = (length: number) =>
      sql`update company set options = options || ${JSON.stringify({ password_min_length: length })}::jsonb where id = ${api.companies.first}`.execute(
        system(),
      );
    const tryOne = async (given: string, more: object = {}) => {
      const { attributes } = await change(token, { password: given, current_password: password, ...more });
      return attributes;
    };
    await setLength(14);

    const answers = [
      await tryOne("short"),
      await tryOne("Tugrik!2026"),
      await tryOne("Qwerty123!@#Qwerty"),
      await tryOne("Tugrik!2026-long", { password_confirmation: "Tugrik!2026-lang" }),
    ];
    await setLength(8);
    const again = await tryOne(password);

    expect(answers).toEqual([
      { password: ["easy_password"] },
      { password: ["easy_password"] },
      { password: ["common_password"] },
      { password_confirmation: ["passwords_differ"] },
    ]);
    expect(again).toEqual({ password: ["same_password"] });
  });

  test("SESS-043 a new password ends all other sessions at once, API tokens too, and is written nowhere", async () => {
    const [token, other] = [await api.token(operator), await api.token(operator)];
    const made = await api.ask(ownSessions.createToken, {
      token,
      input: { body: { name: "Export", days: 3, current_password: password } },
    });
    expect(await statusOf(made.data.access_token)).toBe(200);

    const fresh = "Tugrik!2026-night";
    const { status, msg } = await change(token, {
      password: fresh,
      password_confirmation: fresh,
      current_password: password,
    });

    expect([status, msg !== ""]).toEqual([200, true]);
    expect([await statusOf(token), await statusOf(other), await statusOf(made.data.access_token)]).toEqual([
      200, 401, 401,
    ]);
    expect(await isPassword(fresh, (await account(operator)).password_hash)).toBe(true);
    expect(await lettersTo(operator)).toContain("password_changed");
    expect((await auditOf("profile.password"))[0]?.text).not.toContain("Tugrik");
    await change(token, { password, current_password: fresh });
  });

  test("wrong passwords are counted: after ten the right one is refused too, with the same answer", async () => {
    const token = await api.token(operator);
    const tryOne = (current_password: string) =>
      change(token, { email: "x@metrum.example", current_password });

    const wrong = [];
    for (let n = 0; n < 10; n += 1) wrong.push((await tryOne("wrong")).text);
    const locked = await tryOne(password);

    expect(new Set([...wrong, locked.text]).size).toBe(1);
    expect((await auditOf("profile.update"))[0]?.result).toBe("password_wrong");
  });

  test("a session inside a company below changes the own account, not one of that company", async () => {
    const dealer = await api.token("dealer@metrum.example");
    const { data } = await api.ask(auth.enterCompany, {
      token: dealer,
      input: { params: { id: String(api.companies.first) }, body: {} },
    });

    const { data: changed } = await change(data.access_token, { phone_number: "+97611000000" });

    const row = await account("dealer@metrum.example");
    expect([changed.user.email, row.phone_number]).toEqual([row.email, "+97611000000"]);
    expect((await auditOf("profile.update"))[0]?.company_id).toBe(row.company_id);
  });

  test("the subscription to news is kept and told", async () => {
    const token = await api.token(operator);
    const subscribe = (is: boolean) =>
      api.ask(profile.subscribe, { token, input: { body: { subscribe: is } }, language: "en" });
    const state = async () => (await api.ask(profile.state, { token })).data.newsletter_subscribed;

    const before = await state();
    const on = await subscribe(true);
    const after = await state();
    const off = await subscribe(false);

    expect([before, after, await state()]).toEqual([false, true, false]);
    expect([on.msg, off.msg]).toEqual(["You are subscribed", "You are no longer subscribed"]);
  });
});

describe("two-factor sign-in", () => {
  const enable = (token: string, body: { one_t_p: string; current_password: string }) =>
    api.ask(twoFactor.enable, { token, input: { body } });
  const disable = (token: string, body: { one_t_p: string; current_password: string }) =>
    api.ask(twoFactor.disable, { token, input: { body } });
  const login = (email: string, one_t_p?: string) =>
    api.ask(auth.login, { input: { body: { email, password, ...(one_t_p ? { one_t_p } : {}) } } });

  test("TFA-001 TFA-006 setting up starts with a QR code, the secret as text and the address behind both", async () => {
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

  test("TFA-002 TFA-004 TFA-007 enabling needs code and password, gives recovery codes and ends other sessions", async () => {
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

    // The code that enabled it is used.
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

  test("new recovery codes take the place of the earlier ones", async () => {
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

  test("who has lost phone and codes is helped by an administrator of the company, and by nobody else", async () => {
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

  test("five wrong codes lock: the right one is refused as well", async () => {
    const token = await api.token(viewer);
    const { one_t_p } = await proofOf(api, viewer);
    const answers = [];
    for (let n = 0; n < 5; n += 1)
      answers.push((await disable(token, { one_t_p: "123456", current_password: password })).text);

    const locked = await disable(token, { one_t_p, current_password: password });
    await sql`delete from guess`.execute(system());
    const later = await disable(token, { one_t_p, current_password: password });

    expect(new Set(answers).size).toBe(1);
    // A locked account is told as little as one with a wrong password.
    expect([locked.status, later.status]).toEqual([422, 200]);
  });
});

describe("SESS-043 own sessions", () => {
  test("they are listed with address and program, the present one marked, dead and foreign ones left out", async () => {
    await sql`delete from session where user_id = ${(await account(engineer)).id}`.execute(system());
    const idle = await api.token(engineer);
    ahead = 13 * 3600;
    const [token] = [await api.token(engineer), await api.token(engineer), await api.token(operator)];

    const { data } = await api.ask(ownSessions.list, { token });

    expect(await statusOf(idle)).toBe(401);
    expect(data.sessions).toHaveLength(2);
    expect(data.sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(data.sessions[0]).toMatchObject({ ip_address: "127.0.0.1", user_agent: "test", is_staff: false });
    expect(Object.keys(data.sessions[0] ?? {})).toEqual(
      expect.arrayContaining(["id", "created_at", "last_seen", "ip_address", "user_agent", "current"]),
    );
  });

  test("one is ended at once; one of somebody else answers like none", async () => {
    const [token, other] = [await api.token(engineer), await api.token(engineer)];
    const theirs = (await api.ask(ownSessions.list, { token: await api.token(operator) })).data.sessions[0];
    const { data } = await api.ask(ownSessions.list, { token: other });
    const end = (id: number | undefined) =>
      api.ask(ownSessions.end, { token, input: { params: { id: String(id) } } });

    const foreign = await end(theirs?.id);
    const nobodys = await end(2_147_483_647);
    const own = await end(data.sessions.find(({ current }) => current)?.id);

    expect([foreign.status, foreign.text]).toEqual([404, nobodys.text]);
    expect([own.status, await statusOf(other), await statusOf(token)]).toEqual([200, 401, 200]);
  });

  test("all others end together; the present one stays with those entered from it, and so do API tokens", async () => {
    const dealer = "dealer@metrum.example";
    const [home, other] = [await api.token(dealer), await api.token(dealer)];
    const made = await api.ask(ownSessions.createToken, {
      token: home,
      input: { body: { name: "Billing", days: 1, current_password: password } },
    });
    const { data } = await api.ask(auth.enterCompany, {
      token: home,
      input: { params: { id: String(api.companies.first) }, body: {} },
    });
    const inside = data.access_token;
    const listed = (await api.ask(ownSessions.list, { token: inside })).data.sessions;

    const { status } = await api.ask(ownSessions.endOthers, { token: inside });

    expect(listed.filter(({ current }) => current)).toHaveLength(1);
    expect(status).toBe(200);
    expect(
      await Promise.all([home, inside, other, made.data.access_token].map((each) => statusOf(each))),
    ).toEqual([200, 200, 401, 200]);
  });
});

describe("API tokens", () => {
  const create = (token: string, body: object) =>
    api.ask(ownSessions.createToken, {
      token,
      input: { body: { name: "Billing", days: 30, current_password: password, ...body } },
    });

  test("a token has the rights of its user, no idle limit, and ends at its time", async () => {
    const { data } = await create(await api.token(viewer), {});
    const token = data.access_token;

    const denied = await api.ask(companies.list, { token, input: { body: {} } });
    ahead = 29 * 86_400;
    const late = await statusOf(token);
    const listed = (await api.ask(ownSessions.tokens, { token })).data.tokens;
    ahead = 30 * 86_400 + 1;

    expect([denied.code, late, await statusOf(token)]).toEqual(["right_missing", 200, 401]);
    expect(listed[0]).toMatchObject({ name: "Billing", expires_at: data.token.expires_at });
    expect([data.token.last_seen, listed[0]?.last_seen === null]).toEqual([null, false]);
    expect(JSON.stringify(listed)).not.toContain(token);
  });

  test("it needs the password, a name and at most a year", async () => {
    const token = await api.token(viewer);

    const answers = [
      await create(token, { current_password: "wrong" }),
      await create(token, { name: " " }),
      await create(token, { days: 366 }),
      await create(token, { days: 0 }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(answers.map(({ attributes }) => Object.keys(attributes))).toEqual([
      ["current_password"],
      ["name"],
      ["days"],
      ["days"],
    ]);
  });

  test("it cannot change password, second factor, sessions or tokens, and the audit names it", async () => {
    const home = await api.token("dealer@metrum.example");
    const { data } = await create(home, { name: "Integration" });
    const token = data.access_token;
    const closed: Call[] = [
      profile.update,
      ...Object.values(twoFactor),
      ownSessions.createToken,
      ownSessions.end,
      ownSessions.endOthers,
    ];

    const codes = await Promise.all(
      closed.map(
        async (call) => (await api.ask(call, { token, input: { params: { id: "1" }, body: {} } })).code,
      ),
    );
    await api.ask(companies.switch, {
      token,
      input: { params: { id: String(api.companies.second) }, body: { is_active: true } },
    });

    expect(new Set(codes)).toEqual(new Set(["token_refused"]));
    expect((await auditOf("company.switch"))[0]?.via).toBe("Integration");
  });

  test("a session entered from it has the limits of a sign-in, and ends with it", async () => {
    const dealer = await api.token("dealer@metrum.example");
    const made = await create(dealer, { name: "Walk", days: 300 });
    const { data } = await api.ask(auth.enterCompany, {
      token: made.data.access_token,
      input: { params: { id: String(api.companies.first) }, body: {} },
    });
    const inside = data.access_token;
    const before = await statusOf(inside);

    ahead = 13 * 3600;
    const idle = await statusOf(inside);
    ahead = 0;
    await api.ask(ownSessions.end, {
      token: await api.token("dealer@metrum.example"),
      input: { params: { id: String(made.data.token.id) } },
    });

    expect([before, idle]).toEqual([200, 401]);
    expect([await statusOf(inside), await statusOf(made.data.access_token)]).toEqual([401, 401]);
  });

  test("a user has twenty at most", async () => {
    const token = await api.token("norights@metrum.example");
    const answers = [];
    for (let n = 0; n < 21; n += 1) answers.push(await create(token, { name: `Token ${String(n)}` }));

    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 409]);
    expect((await api.ask(ownSessions.tokens, { token })).data.tokens).toHaveLength(20);
  });
});
