import { ownSessions, profile, twoFactor, users } from "@metrum/contract/access";
import { contract } from "@metrum/contract/calls";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { examples } from "#testing/walk/examples";
import { makeFixture, type Fixture } from "#testing/records";
import { proofOf, proofToEnable } from "#testing/access/secondFactor";

let api: TestApi;
beforeAll(async () => {
  // Cached sessions never expire here: a change must be noticed by notification, or the test fails.
  api = await openTestApi({ clock: { monotonicMs: () => 0 } });
});
afterAll(() => api.close());

const password = "Metrum!2026";
const [operator, viewer] = ["operator@metrum.example", "viewer@metrum.example"];
const system = () => api.services.database.system;
const change = (token: string, body: object) => api.ask(profile.update, { token, input: { body } });
const statusOf = async (token: string): Promise<number> => (await api.ask(users.access, { token })).status;

describe("duties", () => {
  const calls = [...contract.values()].filter((call) => call.auth !== "none");

  let fixture: Fixture | undefined;

  /** Every call of the contract with the input of its example; those that serve the duty are not refused. */
  async function codesOf(token: string): Promise<Map<string, string>> {
    fixture ??= await makeFixture(api);
    const codes = new Map<string, string>();
    for (const call of calls) {
      const input = (await examples[call.id]?.input?.(fixture)) ?? {};
      if (call.id === "auth.logout") continue;
      const { status, code } = await api.ask(call, { token, input });
      codes.set(call.id, status === 403 ? code : "served");
    }
    return codes;
  }
  const servedTo = (duty: "password" | "two_factor"): string[] =>
    calls.filter(({ id, serves }) => serves?.includes(duty) && id !== "auth.logout").map(({ id }) => id);

  test("REG-032 a user with a password sent by letter must change it first: every other call is 403", async () => {
    await sql`update users set password_change_needed = true where email = ${operator}`.execute(system());
    const token = await api.token(operator);
    const { data } = await api.ask(users.access, { token });

    const codes = await codesOf(token);

    expect(data.duty).toBe("password");
    const served = [...codes].filter(([, code]) => code !== "password_change_needed").map(([id]) => id);
    expect(served.toSorted()).toEqual(servedTo("password").toSorted());
    expect(served.length).toBeLessThan(10);

    const done = await change(token, { password: "Tugrik!2026-own", current_password: password });
    const after = await api.ask(users.access, { token });
    expect([done.status, after.data.duty]).toEqual([200, null]);
    expect((await api.ask(ownSessions.list, { token })).status).toBe(200);
    await change(token, { password, current_password: "Tugrik!2026-own" });
  });

  test("where the company requires a second factor, users without one must set it up first", async () => {
    const require = (is: boolean) =>
      sql`update company set options = options || ${JSON.stringify({ two_factor_required: is })}::jsonb where id = ${api.companies.second}`.execute(
        system(),
      );
    const token = await api.token(viewer);
    await statusOf(token);
    await require(true);
    const dutyOf = async () => (await api.ask(users.access, { token })).data.duty;
    await expect.poll(dutyOf, { interval: 20, timeout: 30_000 }).toBe("two_factor");

    const codes = await codesOf(token);
    const served = [...codes].filter(([, code]) => code !== "two_factor_needed").map(([id]) => id);
    const { status } = await api.ask(twoFactor.enable, {
      token,
      input: { body: await proofToEnable(api, viewer) },
    });
    const after = await dutyOf();
    await api.ask(twoFactor.disable, { token, input: { body: await proofOf(api, viewer) } });
    const again = await dutyOf();
    await require(false);

    expect(served.toSorted()).toEqual(servedTo("two_factor").toSorted());
    expect([status, after, again]).toEqual([200, null, "two_factor"]);
    await expect.poll(dutyOf, { interval: 20, timeout: 30_000 }).toBeNull();
  });

  test("an API token is subject to the duties of its user; demonstration users and staff have none", async () => {
    const made = await api.ask(ownSessions.createToken, {
      token: await api.token(operator),
      input: { body: { name: "Held", days: 1, current_password: password } },
    });
    await sql`update users set password_change_needed = true where email in (${operator}, 'demo@metrum.example')`.execute(
      system(),
    );
    const listOf = (token: string) => api.ask(ownSessions.list, { token });
    const held = async () => (await listOf(made.data.access_token)).code;
    await expect.poll(held, { interval: 20, timeout: 30_000 }).toBe("password_change_needed");

    const demo = await listOf(await api.token("demo@metrum.example"));
    const entered = await api.token(operator);
    await sql`update session set impersonator_id = (select id from users where email = 'admin@metrum.example')
      where id = (select max(id) from session)`.execute(system());

    expect([demo.status, (await listOf(entered)).status]).toEqual([200, 200]);
    await sql`update users set password_change_needed = false where email in (${operator}, 'demo@metrum.example')`.execute(
      system(),
    );
  });

  test("staff acting as another user and demonstration users cannot change the account", async () => {
    const entered = await api.token(operator);
    await sql`update session set impersonator_id = (select id from users where email = 'admin@metrum.example')
      where id = (select max(id) from session)`.execute(system());
    const demo = await api.token("demo@metrum.example");
    const closed = [profile.update, ...Object.values(twoFactor), ownSessions.createToken, ownSessions.end];
    const codesBy = async (token: string) =>
      new Set(
        await Promise.all(
          closed.map(
            async (call) => (await api.ask(call, { token, input: { params: { id: "1" }, body: {} } })).code,
          ),
        ),
      );

    expect(await codesBy(entered)).toEqual(new Set(["entered_refused"]));
    expect(await codesBy(demo)).toEqual(new Set(["demo_refused"]));
  });
});
