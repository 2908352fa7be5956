import { auth, companies, ownSessions, profile, twoFactor } from "@metrum/contract/access";
import type { Call } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { ownAccount, password, viewer } from "#testing/access/ownAccount";

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

const { auditOf, statusOf, system } = ownAccount(() => api);

describe("API tokens", () => {
  const create = (token: string, body: object) =>
    api.ask(ownSessions.createToken, {
      token,
      input: { body: { name: "Billing", days: 30, current_password: password, ...body } },
    });

  test("have the rights of their user, no idle limit, and expire at the chosen time", async () => {
    const { data } = await create(await api.token(viewer), {});
    const token = data.access_token;

    const denied = await api.ask(companies.list, { token, input: { body: {} } });
    clock.ahead = 29 * 86_400;
    const late = await statusOf(token);
    const listed = (await api.ask(ownSessions.tokens, { token })).data.tokens;
    clock.ahead = 30 * 86_400 + 1;

    expect([denied.code, late, await statusOf(token)]).toEqual(["right_missing", 200, 401]);
    expect(listed[0]).toMatchObject({ name: "Billing", expires_at: data.token.expires_at });
    expect([data.token.last_seen, listed[0]?.last_seen === null]).toEqual([null, false]);
    expect(JSON.stringify(listed)).not.toContain(token);
  });

  test("need the password, a name and an expiry within a year", async () => {
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

  test("need the password, which is right for each of twenty requests at once", async () => {
    const token = await api.token(viewer);

    const answers = await Promise.all(Array.from({ length: 20 }, () => create(token, { days: 1 })));

    expect(answers.map(({ code }) => code)).not.toContain("password_wrong");
  });

  test("cannot change password, second factor, sessions or tokens, and are named in the audit log", async () => {
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
    await api.ask(auth.enterCompany, {
      token,
      input: { params: { id: String(api.companies.second) }, body: {} },
    });

    expect(new Set(codes)).toEqual(new Set(["token_refused"]));
    expect((await auditOf("company.enter"))[0]?.via).toBe("Integration");
  });

  test("open sessions with the limits of a sign-in, which end with the token", async () => {
    const dealer = await api.token("dealer@metrum.example");
    const made = await create(dealer, { name: "Walk", days: 300 });
    const { data } = await api.ask(auth.enterCompany, {
      token: made.data.access_token,
      input: { params: { id: String(api.companies.first) }, body: {} },
    });
    const inside = data.access_token;
    const before = await statusOf(inside);

    clock.ahead = 13 * 3600;
    const idle = await statusOf(inside);
    clock.ahead = 0;
    await api.ask(ownSessions.end, {
      token: await api.token("dealer@metrum.example"),
      input: { params: { id: String(made.data.token.id) } },
    });

    expect([before, idle]).toEqual([200, 401]);
    expect([await statusOf(inside), await statusOf(made.data.access_token)]).toEqual([401, 401]);
  });

  test("are limited to twenty per user", async () => {
    const token = await api.token("norights@metrum.example");
    const answers = [];
    for (let n = 0; n < 21; n += 1) answers.push(await create(token, { name: `Token ${String(n)}` }));

    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 409]);
    expect((await api.ask(ownSessions.tokens, { token })).data.tokens).toHaveLength(20);
  });
});
