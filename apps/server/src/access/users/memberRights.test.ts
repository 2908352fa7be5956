import { members, users, type AccessRules } from "@metrum/contract/access";
import { sql } from "kysely";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { memberCalls } from "#testing/access/members";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  admin = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const { create, update, toggle, remove, aGroup, aUser } = memberCalls(() => ({ api, admin }));

describe("ACL-036 a user cannot grant or change a right that they do not hold", () => {
  const modules = fc.uniqueArray(fc.constantFrom(1, 2, 4, 5, 6, 7, 8), { maxLength: 5 });
  const rules = fc.record({
    create: modules,
    read: modules,
    update: modules,
    delete: modules,
    access_all: modules,
  });
  const isWithin = (inner: AccessRules, outer: AccessRules): boolean =>
    (["create", "read", "update", "delete", "access_all"] as const).every((action) =>
      inner[action].every((id) => outer[action].includes(id)),
    );

  test("holds for any rights of the three groups", async () => {
    const keeper = await aUser({ rules: { read: [1], create: [1], update: [1], delete: [1] } });
    const user = await aUser({ rules: {} });
    const other = await aGroup({});
    const { rows } = await sql<{ id: number; access_group_id: number }>`
      select id, access_group_id from users where id in (${keeper.id}, ${user.id}) order by id
    `.execute(api.services.database.system);
    const [ofKeeper, ofUser] = rows.map((row) => row.access_group_id);
    const set = (id: number | undefined, given: AccessRules) =>
      sql`update access_group set access_rules = ${JSON.stringify(given)}::jsonb where id = ${id}`.execute(
        api.services.database.system,
      );

    await fc.assert(
      fc.asyncProperty(rules, rules, rules, async (own, his, wanted) => {
        const held = { ...own, update: [...new Set([1, ...own.update])] };
        await set(ofKeeper, held);
        await set(ofUser, his);
        await set(other, wanted);
        await sql`update users set access_group_id = ${ofUser} where id = ${user.id}`.execute(
          api.services.database.system,
        );
        const token = await api.token(keeper.email);

        const grant = await update({ id: user.id, access_group_id: other }, token);
        const promote = await update({ id: user.id, is_admin: true }, token);

        expect(grant.status === 200).toBe(isWithin(his, held) && isWithin(wanted, held));
        expect(promote.status).toBe(403);
      }),
      { numRuns: 40 },
    );
  });

  test("a user who is not an administrator cannot invite, change, switch, remove or sign out one", async () => {
    const keeper = await aUser({ rules: { read: [1], create: [1], update: [1], delete: [1] } });
    const boss = await aUser({ is_admin: true });
    const params = { id: String(boss.id) };

    const answers = [
      await create({ is_admin: true }, keeper.token),
      await create({ access_group_id: await aGroup({ read: [1], access_all: [4] }) }, keeper.token),
      await update({ id: boss.id, name: "Mine" }, keeper.token),
      await update({ id: keeper.id, is_admin: true }, keeper.token),
      await toggle(boss.id, false, keeper.token),
      await remove(boss.id, keeper.token),
      await api.ask(members.invite, { token: keeper.token, input: { params } }),
    ];

    expect(answers.map(({ status, code }) => [status, code])).toEqual(
      answers.map(() => [403, "right_not_held"]),
    );
    const { data } = await api.ask(users.list, { token: keeper.token, input: { body: {} } });
    expect(data.users.find(({ id }) => id === boss.id)?.is_manageable).toBe(false);
    expect(data.users.find(({ id }) => id === keeper.id)?.is_manageable).toBe(true);
  });

  test("a user tied to devices cannot invite or change users who see more", async () => {
    const { system } = api.services.database;
    const keeper = await aUser({ rules: { read: [1, 4], create: [1], update: [1] } });
    const free = await aUser({ rules: { read: [4] } });
    const { rows } = await sql<{ id: number }>`
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      values (${api.companies.first}, 101, 'SDM630-Modbus', 4, 3, 4, 'Tied', 'tied-1') returning id`.execute(
      system,
    );
    const device = rows[0]?.id;
    await sql`insert into device_user (device_id, user_id, company_id)
      values (${device}, ${keeper.id}, ${api.companies.first})`.execute(system);
    const token = await api.token(keeper.email);

    const invited = await create({}, token);
    const changed = await update({ id: free.id, name: "Mine" }, token);
    const ties = await sql<{ device_id: number }>`
      select device_id from device_user where user_id = ${invited.data.user.id}`.execute(system);

    expect(ties.rows).toEqual([{ device_id: device }]);
    expect(changed).toMatchObject({ status: 403, code: "right_not_held" });
  });

  test("ACL-038 a demonstration user cannot invite, change, switch or remove users", async () => {
    const demo = await api.token(api.services.config.demoUsers[0] ?? "");
    const { data } = await api.ask(users.list, { token: demo, input: { body: {} } });
    const id = data.users[0]?.id ?? 0;

    const answers = [
      await create({}, demo),
      await update({ id, name: "Mine" }, demo),
      await toggle(id, false, demo),
      await remove(id, demo),
    ];

    expect(data.users.length).toBeGreaterThan(0);
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => "demo_refused"));
  });
});

describe("ACL-046 the last administrator of a company who can sign in", () => {
  /** A separate company with two administrators. */
  async function twoAdmins(): Promise<{ own: TestApi; tokens: string[]; ids: number[] }> {
    const own = await openTestApi();
    const token = await own.token("engineer@metrum.example");
    const { data } = await own.ask(members.create, {
      token,
      input: { body: { name: "Second", email: "second@metrum.example", is_admin: true } },
    });
    const info = await own.ask(users.info, { token });
    return {
      own,
      tokens: [token, await own.token("second@metrum.example")],
      ids: [info.data.user.id, data.user.id],
    };
  }

  test("cannot be removed, switched off or demoted; a pending invitation does not count as another one", async () => {
    const { own, tokens, ids } = await twoAdmins();
    try {
      const [first = 0] = ids;
      const [token, second] = tokens;
      const params = { id: String(first) };
      const request = { token: second ?? "", input: { params, body: { is_active: false } } };

      const answers = [
        await own.ask(members.delete, { token: second ?? "", input: { params } }),
        await own.ask(members.switch, request),
        await own.ask(members.update, {
          token: token ?? "",
          input: { body: { id: first, is_admin: false } },
        }),
      ];

      expect(answers.map(({ status, code }) => [status, code])).toEqual(
        answers.map(() => [409, "last_admin"]),
      );
    } finally {
      await own.close();
    }
  });

  test("remains when two remove each other concurrently", async () => {
    const { own, tokens, ids } = await twoAdmins();
    const { system } = own.services.database;
    try {
      await sql`update users set last_sign_in_at = now() where id = ${ids[1]}`.execute(system);
      const waiting = async (): Promise<number> => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(system);
        return rows[0]?.n ?? 0;
      };

      const answers = await system.transaction().execute(async (db) => {
        await sql`select id from users where company_id = ${own.companies.first} for update`.execute(db);
        const pending = [0, 1].map((of) =>
          own.ask(members.delete, {
            token: tokens[of] ?? "",
            input: { params: { id: String(ids[1 - of]) } },
          }),
        );
        await expect.poll(waiting).toBe(2);
        return pending;
      });
      const statuses = (await Promise.all(answers)).map(({ status }) => status);

      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from users
        where company_id = ${own.companies.first} and is_admin and is_active`.execute(system);
      expect(rows).toEqual([{ n: 1 }]);
    } finally {
      await own.close();
    }
  });
});
