import { auth, ownSessions } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { engineer, operator, ownAccount, password } from "#testing/access/ownAccount";

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

const { account, statusOf, system } = ownAccount(() => api);

describe("SESS-043 own sessions", () => {
  test("are listed with address and program, the current one marked, without ended ones and those of others", async () => {
    await sql`delete from session where user_id = ${(await account(engineer)).id}`.execute(system());
    const idle = await api.token(engineer);
    clock.ahead = 13 * 3600;
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

  test("are ended at once; the session of another user is answered like an unknown one", async () => {
    const [token, other] = [await api.token(engineer), await api.token(engineer)];
    const theirs = (await api.ask(ownSessions.list, { token: await api.token(operator) })).data.sessions[0];
    const { data } = await api.ask(ownSessions.list, { token: other });
    const end = (id: number | undefined) =>
      api.ask(ownSessions.end, { token, input: { params: { id: String(id) } } });

    const foreign = await end(theirs?.id);
    const unknown = await end(2_147_483_647);
    const own = await end(data.sessions.find(({ current }) => current)?.id);

    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect([own.status, await statusOf(other), await statusOf(token)]).toEqual([200, 401, 200]);
  });

  test("can all be ended except the current one, those entered from it and API tokens", async () => {
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
