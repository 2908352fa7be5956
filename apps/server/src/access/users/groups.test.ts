import { accessGroups, auth, members, users, type AccessRules } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSessions } from "#access/auth";
import { openDatabase } from "#core";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await openTestApi();
  admin = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const create = (name: string, access_rules: Partial<AccessRules>, token = admin) =>
  api.ask(accessGroups.create, { token, input: { body: { name, access_rules } } });
const update = (id: number, body: object, token = admin) =>
  api.ask(accessGroups.update, { token, input: { params: { id: String(id) }, body } });
const remove = (id: number) =>
  api.ask(accessGroups.delete, { token: admin, input: { params: { id: String(id) } } });
const list = async (body: object, token = admin) =>
  (await api.ask(accessGroups.list, { token, input: { body } })).data;

const none = { create: [], read: [], update: [], delete: [], access_all: [] };

describe("access groups", () => {
  test("SERV-025 ACL-040 have a name and lists of module ids by action; omitted rights are not granted", async () => {
    const { data, status } = await create("  Dispatchers ", { read: [8, 4, 4], update: [4] });

    expect(status).toBe(200);
    expect(data.access_group).toMatchObject({
      name: "Dispatchers",
      users_count: 0,
      access_rules: { ...none, read: [4, 8], update: [4] },
    });
    const { access_groups } = await list({ search_string: "dispatch" });
    expect(access_groups).toEqual([data.access_group]);
  });

  test("SERV-025 refuse unknown modules and names that exist in the company", async () => {
    await create("Night", { read: [4] });

    const unknown = await create("Odd", { read: [10] });
    const taken = await create("Night", { read: [4] });
    const elsewhere = await create("Night", { read: [4] }, await api.token("engineer2@metrum.example"));

    expect(unknown.status).toBe(422);
    expect(Object.keys(unknown.attributes)[0]).toContain("access_rules");
    expect(taken).toMatchObject({ status: 422, code: "name_taken" });
    expect(taken.attributes).toHaveProperty("name");
    expect(elsewhere.status).toBe(200);
  });

  test("SERV-025 are listed page by page with the number of their users, of the own company only", async () => {
    for (let at = 1; at <= 10; at += 1) await create(`Page ${String(at)}`, { read: [4] });
    const first = await list({ page: 1, per_page: 2, sort_field: "id" });
    const second = await list({ page: 2, per_page: 2, sort_field: "id" });
    const all = await list({ paginate: false, sort_field: "users_count", sort: "desc" });

    expect(first.access_groups).toHaveLength(10);
    expect(first.total).toBe(all.access_groups.length);
    expect(second.access_groups[0]?.id).toBeGreaterThan(first.access_groups[9]?.id ?? Infinity);
    expect(all.access_groups[0]?.users_count).toBe(1);
    expect(all.access_groups.map(({ name }) => name)).not.toContain("Viewers");
  });

  test("SERV-025 cannot be removed while they have users, whose number is returned", async () => {
    const { data } = await create("Leaving", { read: [5] });
    const { id } = data.access_group;
    const made = await api.ask(members.create, {
      token: admin,
      input: { body: { name: "One", email: "one@metrum.example", access_group_id: id } },
    });

    const refused = await api.ask(accessGroups.delete, {
      token: admin,
      language: "en",
      input: { params: { id: String(id) } },
    });
    await api.ask(members.update, {
      token: admin,
      input: { body: { id: made.data.user.id, access_group_id: null } },
    });

    expect(refused).toMatchObject({ status: 409, code: "group_in_use" });
    expect(refused.msg).toContain("1");
    expect((await remove(id)).status).toBe(200);
  });

  test("SERV-025 the slower of two editors gets a conflict", async () => {
    const { data } = await create("Two editors", { read: [4] });
    const { id, version } = data.access_group;

    const first = await update(id, { version, access_rules: { read: [4, 5] } });
    const second = await update(id, { version, access_rules: {} });

    expect(first.data.access_group.access_rules.read).toEqual([4, 5]);
    expect(second).toMatchObject({ status: 409, code: "conflict" });
  });

  test("ACL-036 are created and changed by administrators only, who inside another company can grant only the rights they have there", async () => {
    const operator = await api.token("operator@metrum.example");
    await sql`update access_group set access_rules = '{"read":[1,4],"create":[1,4],"update":[1,4],"delete":[1,4]}'
      where name = 'Operators'`.execute(api.services.database.system);

    expect((await create("Mine", {}, operator)).status).toBe(403);
    expect((await list({}, operator)).total).toBeGreaterThan(0);

    // Inside, rights are limited to the active modules of the company.
    await sql`update company set active_modules = jsonb_path_query_array(active_modules, '$[*] ? (@.id != 2)')
      where id = ${api.companies.first}`.execute(api.services.database.system);
    const entered = await api.ask(auth.enterCompany, {
      token: await api.token("dealer@metrum.example"),
      input: { params: { id: String(api.companies.first) }, body: { exit_point: "companies" } },
    });
    const inside = entered.data.access_token;
    const held = await create("Given inside", { read: [4] }, inside);
    const notHeld = await create("Too much", { read: [2] }, inside);
    await sql`update access_group set access_rules = '{"read":[2,4]}' where id = ${held.data.access_group.id}`.execute(
      api.services.database.system,
    );
    const kept = await update(held.data.access_group.id, { access_rules: { read: [2] } }, inside);

    expect(held.status).toBe(200);
    expect(notHeld).toMatchObject({ status: 403, code: "right_not_held" });
    expect(kept.status).toBe(200);
  });

  test("ACL-045 changed rights apply from the next request, in every process", async () => {
    const { data } = await create("Changing", { read: [4] });
    const { id } = data.access_group;
    await api.ask(members.create, {
      token: admin,
      input: { body: { name: "Changing", email: "changing@metrum.example", access_group_id: id } },
    });
    const token = await api.token("changing@metrum.example");
    const other = { ...api.services, database: openDatabase({ ...api.database.connection, max: 2 }) };
    const resolve = createSessions(other);
    const rights = async () => (await resolve(token))?.scope.access.rules.read;
    try {
      expect(await rights()).toEqual([4]);

      await update(id, { access_rules: { read: [1, 4] } });

      expect((await api.ask(users.list, { token, input: { body: {} } })).status).toBe(200);
      await expect.poll(rights).toEqual([1, 4]);
    } finally {
      await other.database.close();
    }
  });

  test("ACL-044 a change of rights is in the log with the previous rights", async () => {
    const { data } = await create("Logged", { read: [4] });
    const { id } = data.access_group;
    await update(id, { name: "Logged twice", access_rules: { read: [4], update: [4] } });
    await remove(id);

    const { rows } = await sql`select action, before, after, user_id is not null as "hasUser" from audit
      where subject = ${`access_group ${String(id)}`} order by id`.execute(api.services.database.system);

    expect(rows).toMatchObject([
      { action: "accessGroup.create", before: null, after: { name: "Logged" }, hasUser: true },
      {
        action: "accessGroup.update",
        before: { name: "Logged", access_rules: { update: [] } },
        after: { name: "Logged twice", access_rules: { update: [4] } },
      },
      { action: "accessGroup.delete", before: { name: "Logged twice" } },
    ]);
  });
});
