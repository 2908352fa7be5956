import {
  accessGroups,
  auditLog,
  auth,
  members,
  users,
  userSessions,
  type AccessRules,
  type MemberChange,
} from "@metrum/contract";
import { sql } from "kysely";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSessions } from "#auth";
import { openDatabase } from "#core";
import { findLink } from "#letters";
import { openTestApi, type TestApi } from "../testing/api.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  admin = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

let count = 0;
const anAddress = (): string => `shift${String((count += 1))}@metrum.example`;

const create = (body: object, token = admin) =>
  api.ask(members.create, { token, input: { body: { name: "Shift", email: anAddress(), ...body } } });
const update = (body: MemberChange, token = admin) => api.ask(members.update, { token, input: { body } });
const toggle = (id: number, is_active: boolean, token = admin) =>
  api.ask(members.switch, { token, input: { params: { id: String(id) }, body: { is_active } } });
const remove = (id: number, token = admin) =>
  api.ask(members.delete, { token, input: { params: { id: String(id) } } });

async function aGroup(access_rules: Partial<AccessRules>): Promise<number> {
  const body = { name: anAddress(), access_rules };
  return (await api.ask(accessGroups.create, { token: admin, input: { body } })).data.access_group.id;
}

interface Made {
  readonly id: number;
  readonly email: string;
  readonly token: string;
}

/** A user who has accepted the invitation, with a session. */
async function aUser(rights: { is_admin?: boolean; rules?: Partial<AccessRules> }): Promise<Made> {
  const group = rights.rules && { access_group_id: await aGroup(rights.rules) };
  const { data, text } = await create({ ...group, is_admin: rights.is_admin ?? false });
  if (!("user" in data)) throw new Error(text);
  const { id, email } = data.user;
  await sql`update users set last_sign_in_at = now() where id = ${id}`.execute(api.services.database.system);
  return { id, email, token: await api.token(email) };
}

interface Letter {
  readonly kind: string;
  readonly language: string;
  readonly params: { readonly link: string; readonly password?: string };
}

async function lettersTo(email: string, of = api): Promise<Letter[]> {
  const { rows } = await sql<Letter>`
    select kind, language, params from letter where recipient = ${email} order by id
  `.execute(of.services.database.system);
  return rows;
}

const tokenIn = ({ params }: Letter): string => params.link.split("/").at(-1) ?? "";
const linkOf = (token: string) =>
  findLink(api.services.database.system, {
    token,
    purposes: ["invitation"],
    nowSec: api.services.clock.now(),
  });

async function audited(action: string, id: number) {
  const { rows } = await sql<{ before: Record<string, unknown>; after: Record<string, unknown> }>`
    select before, after from audit where action = ${action} and subject = ${`user ${String(id)}`} order by id desc
  `.execute(api.services.database.system);
  return rows[0];
}

describe("an invitation", () => {
  test("SERV-024 makes an account that nobody can sign in to, and a letter with a link in the chosen language", async () => {
    const { data, msg, status } = await create({ name: "Night shift", language: "mn", user_time_zone: 8 });
    const [letter] = await lettersTo(data.user.email);

    expect(status).toBe(200);
    expect(msg).toContain(data.user.email);
    expect(data.user).toMatchObject({
      name: "Night shift",
      is_invited: true,
      is_active: true,
      is_admin: false,
      access_group_id: null,
      timezone_name: "Asia/Ulaanbaatar",
      last_sign_in_at: null,
    });
    expect(letter).toMatchObject({ kind: "invitation", language: "mn" });
    expect(letter?.params).toMatchObject({ company: "Darkhan Utility Networks", inviter: "Engineer" });
    expect(letter?.params.link).toMatch(/\/#\/auth\/forget\/reset\/[\w-]{43}$/);
    expect(await linkOf(letter ? tokenIn(letter) : "")).toMatchObject({
      userId: data.user.id,
      isSpent: false,
    });
    const signIn = await api.ask(auth.login, {
      input: { body: { email: data.user.email, password: "Metrum!2026" } },
    });
    expect(signIn.status).toBe(422);
  });

  test("SERV-024 is sent again on demand, and then only the new link works; not to who has signed in", async () => {
    const { data } = await create({});
    const again = await api.ask(members.invite, {
      token: admin,
      input: { params: { id: String(data.user.id) } },
    });
    const [first, second] = await lettersTo(data.user.email);
    await sql`update users set last_sign_in_at = now() where id = ${data.user.id}`.execute(
      api.services.database.system,
    );
    const late = await api.ask(members.invite, {
      token: admin,
      input: { params: { id: String(data.user.id) } },
    });

    expect(again.status).toBe(200);
    expect(await linkOf(first ? tokenIn(first) : "")).toBeUndefined();
    expect(await linkOf(second ? tokenIn(second) : "")).toMatchObject({ userId: data.user.id });
    expect(late).toMatchObject({ status: 409, code: "not_invited" });
  });

  test("REG-029 where the server makes the passwords, the letter brings one that must be changed", async () => {
    const own = await openTestApi({ env: { METRUM_RANDOM_PASSWORDS: "true" } });
    try {
      const email = "random@metrum.example";
      const token = await own.token("engineer@metrum.example");
      await own.ask(members.create, { token, input: { body: { name: "Random", email } } });
      const [letter] = await lettersTo(email, own);
      const password = letter?.params.password ?? "";
      const signedIn = await own.ask(auth.login, {
        input: { body: { email, password, personal_data_access: true } },
      });
      const { rows } = await sql<{ password_change_needed: boolean }>`
        select password_change_needed from users where email = ${email}`.execute(
        own.services.database.system,
      );

      expect(letter?.kind).toBe("password");
      expect(signedIn.status, signedIn.text).toBe(200);
      expect(rows).toEqual([{ password_change_needed: true }]);
    } finally {
      await own.close();
    }
  });

  test("an address that somebody has is refused in the same words, whoever has it; a wrong one names the field", async () => {
    const own = await create({ email: "Operator@Metrum.example " });
    const foreign = await create({ email: "viewer@metrum.example" });
    const wrong = await create({ email: "a@b\r\nBcc: c@d.example" });

    expect(own).toMatchObject({ status: 422, code: "email_unavailable" });
    expect(own.text).toBe(foreign.text);
    expect(wrong.status).toBe(422);
    expect(wrong.attributes).toHaveProperty("email");
  });

  test("an administrator has no access group, and a group is one of the own company", async () => {
    const both = await create({ is_admin: true, access_group_id: await aGroup({ read: [4] }) });
    const { rows } = await sql<{ id: number }>`
      select id from access_group where company_id = ${api.companies.second}`.execute(
      api.services.database.system,
    );
    const foreign = await create({ access_group_id: rows[0]?.id });

    expect(both.status).toBe(422);
    expect(both.attributes).toHaveProperty("access_group_id");
    expect(foreign.status).toBe(404);
  });
});

describe("a change of a user", () => {
  test("SERV-024 stores what is given, keeps the rest, and of two editors the slower one is told", async () => {
    const { data } = await create({ name: "Before", phone_number: "+97611" });
    const { id, version } = data.user;
    const first = await update({ id, version, name: "After", language: "en" });
    const second = await update({ id, version, name: "Mine" });

    expect(first.data.user).toMatchObject({ name: "After", language: "en", phone_number: "+97611" });
    expect(second).toMatchObject({ status: 409, code: "conflict" });
    expect((await audited("user.update", id))?.after).toMatchObject({ name: "After" });
  });

  test("SERV-024 users are found by group, right and text, with the number of all that were found", async () => {
    const group = await aGroup({ read: [5] });
    const { data } = await create({ access_group_id: group, name: "Findable" });
    const find = async (body: object) => (await api.ask(users.list, { token: admin, input: { body } })).data;

    for (let at = 1; at <= 10; at += 1) await create({ access_group_id: await aGroup({ read: [4] }) });
    const byGroup = await find({ access_group_id: [group] });
    const page = await find({ page: 1, per_page: 2, sort_field: "last_sign_in_at", sort: "asc" });

    expect(byGroup.users.map(({ id }) => id)).toEqual([data.user.id]);
    expect((await find({ search_string: "findab" })).total).toBe(1);
    expect(page.users).toHaveLength(10);
    expect(page.total).toBeGreaterThan(10);
    expect((await find({ is_admin: true })).users.every((user) => user.is_admin)).toBe(true);
  });

  test("another address is set by an administrator only; the old one is told, its links are dead", async () => {
    const keeper = await aUser({ rules: { read: [1, 4], update: [1] } });
    const user = await aUser({ rules: { read: [4] } });
    const self = await update({ id: keeper.id, email: anAddress() }, keeper.token);
    const refused = await update({ id: user.id, email: anAddress() }, keeper.token);
    const { system } = api.services.database;
    await sql`update session set impersonator_id = (select id from users where email = 'admin@metrum.example')
      where user_id = (select id from users where email = 'engineer@metrum.example')`.execute(system);
    const staff = await update(
      { id: user.id, email: anAddress() },
      await enteredAs("engineer@metrum.example"),
    );
    const moved = await update(
      { id: user.id, email: "moved@metrum.example" },
      await api.token("engineer@metrum.example"),
    );

    expect(self).toMatchObject({ status: 403, code: "own_account" });
    expect(refused).toMatchObject({ status: 403, code: "right_not_held" });
    expect(staff).toMatchObject({ status: 403, code: "entered_refused" });
    expect(moved.data.user.email).toBe("moved@metrum.example");
    expect((await lettersTo(user.email)).at(-1)?.kind).toBe("address_changed");
  });
});

/** A session of platform staff who work as that user. */
async function enteredAs(email: string): Promise<string> {
  const token = await api.token(email);
  await sql`update session set impersonator_id = (select id from users where email = 'admin@metrum.example')
    where id = (select max(id) from session)`.execute(api.services.database.system);
  return token;
}

describe("ACL-036 nobody grants or changes a right that he does not hold", () => {
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

  test("whatever the rights of the three groups are", async () => {
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

  test("nor invites, changes, switches, removes or signs out an administrator without being one", async () => {
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

  test("a user who sees only some devices lets nobody in who sees more, and changes nobody who does", async () => {
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

  test("ACL-038 a demonstration user invites, changes, switches and removes nobody", async () => {
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

describe("switching off and removing", () => {
  test("SERV-007 ACL-045 a user who is switched off is out in every process, and switching on revives no token", async () => {
    const user = await aUser({ rules: { read: [4] } });
    const other = { ...api.services, database: openDatabase({ ...api.database.connection, max: 2 }) };
    const resolve = createSessions(other);
    try {
      expect(await resolve(user.token)).toBeDefined();

      await toggle(user.id, false);
      const here = await api.ask(users.access, { token: user.token });
      await expect.poll(async () => resolve(user.token)).toBeUndefined();
      const on = await toggle(user.id, true);

      expect(here.status).toBe(401);
      expect(on.data.user.is_active).toBe(true);
      expect((await api.ask(users.access, { token: user.token })).status).toBe(401);
      expect((await audited("user.switch", user.id))?.after).toMatchObject({ is_active: true });
    } finally {
      await other.database.close();
    }
  });

  test("SERV-024 nobody removes or switches off himself", async () => {
    const { data } = await api.ask(users.info, { token: admin });
    const { id } = data.user;
    await aUser({ is_admin: true });

    expect(await remove(id)).toMatchObject({ status: 403, code: "own_account" });
    expect(await toggle(id, false)).toMatchObject({ status: 403, code: "own_account" });
  });

  test("SERV-024 ACL-044 a removed user is out at once; the log still names him", async () => {
    const user = await aUser({ rules: { read: [1], update: [1] } });
    await update({ id: user.id, name: "Night shift" }, user.token);

    const answer = await remove(user.id);
    const { log } = (await api.ask(auditLog.log, { token: admin, input: { body: { person_id: user.id } } }))
      .data;

    expect(answer.status, answer.text).toBe(200);
    expect((await api.ask(users.access, { token: user.token })).status).toBe(401);
    expect((await audited("user.delete", user.id))?.before).toMatchObject({
      name: "Night shift",
      email: user.email,
    });
    expect(log.map(({ action, user_name }) => [action, user_name])).toEqual([["user.update", "Night shift"]]);
    expect((await create({ email: user.email })).status).toBe(200);
  });

  test("an administrator ends all sessions of a user, and of himself all but this one", async () => {
    const user = await aUser({ rules: { read: [4] } });
    const end = (id: number) =>
      api.ask(userSessions.endAll, { token: admin, input: { params: { id: String(id) } } });
    const { data } = await api.ask(users.info, { token: admin });
    const second = await api.token("engineer@metrum.example");

    await end(user.id);
    await end(data.user.id);

    const status = async (token: string) => (await api.ask(users.access, { token })).status;
    expect([await status(user.token), await status(second), await status(admin)]).toEqual([401, 401, 200]);
  });
});

describe("ACL-046 the last administrator of a company who can sign in", () => {
  /** A company of its own with two administrators. */
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

  test("is neither removed, switched off nor demoted; an invitation that was not accepted is no other one", async () => {
    const { own, tokens, ids } = await twoAdmins();
    try {
      const [first = 0] = ids;
      const [token, second] = tokens;
      const params = { id: String(first) };
      const asked = { token: second ?? "", input: { params, body: { is_active: false } } };

      const answers = [
        await own.ask(members.delete, { token: second ?? "", input: { params } }),
        await own.ask(members.switch, asked),
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

  test("is left over when two remove each other at the same moment", async () => {
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
        const asked = [0, 1].map((of) =>
          own.ask(members.delete, {
            token: tokens[of] ?? "",
            input: { params: { id: String(ids[1 - of]) } },
          }),
        );
        await expect.poll(waiting).toBe(2);
        return asked;
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
