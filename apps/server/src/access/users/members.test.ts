import { auditLog, auth, members, registration, users, userSessions } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSessions } from "#access/auth";
import { openDatabase } from "#core";
import { findLink } from "#access/letters";
import { openTestApi, type TestApi } from "#testing/api";
import { anAddress, memberCalls, type Letter } from "#testing/access/members";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  admin = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

const { create, update, toggle, remove, aGroup, aUser, lettersTo, audited, enteredAs } = memberCalls(() => ({
  api,
  admin,
}));

const tokenIn = ({ params }: Letter): string => params.link.split("/").at(-1) ?? "";
const linkOf = (token: string) =>
  findLink(api.services.database.system, {
    token,
    purposes: ["invitation"],
    nowSec: api.services.clock.now(),
  });

/** Opens the link of a letter that proves an address. */
const prove = (letter: Letter | undefined) =>
  api.ask(registration.activateByLetter, { input: { body: { token: letter ? tokenIn(letter) : "" } } });

async function addressOf(id: number): Promise<{ readonly email: string }> {
  const { rows } = await sql<{ email: string }>`select email from users where id = ${id}::int`.execute(
    api.services.database.system,
  );
  return rows[0] ?? { email: "" };
}

/** An answer without the moments in it. */
const withoutTimes = (text = ""): string => text.replaceAll(/\d{10}/g, "AT");

describe("an invitation", () => {
  test("SERV-024 creates an account without a usable password, and a letter with a link in the chosen language", async () => {
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

  test("SERV-024 goes to one address twice an hour, however often and by whomever it is asked for", async () => {
    const { data } = await create({});
    const input = { params: { id: String(data.user.id) } };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.ask(members.invite, { token: admin, input })),
    );

    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => "too_many_requests"));
    expect(refused).toHaveLength(11);
    expect(await lettersTo(data.user.email)).toHaveLength(2);
  });

  test("SERV-024 can be sent again, and then only the new link works; not after the user has signed in", async () => {
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

  test("REG-029 where the server generates the passwords, the letter contains one that must be changed", async () => {
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

  test("an address of the own company is refused; an invalid one names the field", async () => {
    const own = await create({ email: "Operator@Metrum.example " });
    const wrong = await create({ email: "a@b\r\nBcc: c@d.example" });

    expect(own).toMatchObject({ status: 422, code: "email_unavailable" });
    expect(wrong.status).toBe(422);
    expect(wrong.attributes).toHaveProperty("email");
  });

  test("whether an address has an account in another company is told by no answer, list or letter count", async () => {
    const [foreign, unknown] = ["viewer@metrum.example", anAddress()];
    const answers = [await create({ email: foreign }), await create({ email: unknown })];
    const listed = async (email: string) =>
      (await api.ask(users.list, { token: admin, input: { body: { search_string: email } } })).data.users;
    const shapeOf = (text: string, email: string, id: number) =>
      text.replaceAll(email, "ADDRESS").replaceAll(new RegExp(`\\b${String(id)}\\b`, "g"), "ID");

    const shapes = answers.map(({ text, data }) => shapeOf(text, data.user.email, data.user.id));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(withoutTimes(shapes[0])).toBe(withoutTimes(shapes[1]));
    expect((await listed(foreign)).map(({ is_invited }) => is_invited)).toEqual([true]);
    expect((await create({ email: foreign })).code).toBe((await create({ email: unknown })).code);
  });

  test("an invitation of an address with an account elsewhere leaves that account as it is, and only its reader learns of it", async () => {
    const email = "viewer2@metrum.example";
    await sql`insert into users (company_id, email, name, password_hash)
      select company_id, ${email}, name, password_hash from users
      where email = 'viewer@metrum.example' and invited_at is null`.execute(api.services.database.system);
    await create({ email });
    const letter = (await lettersTo(email)).at(-1);
    const password = "Erdenet!2026-khan";
    const body = { token: letter ? tokenIn(letter) : "", email, password, password_confirmation: password };
    const signIn = (given: string) =>
      api.ask(auth.login, { input: { body: { email, password: given, personal_data_access: true } } });

    const before = await signIn("Metrum!2026");
    const accepted = await api.ask(registration.passwordReset, { input: { body } });
    const after = await signIn("Metrum!2026");

    expect(letter?.kind).toBe("invitation");
    expect(accepted).toMatchObject({ status: 422, code: "email_unavailable" });
    expect([before.status, after.status]).toEqual([200, 200]);
    expect((await signIn(password)).status).toBe(422);
  });

  test("of two companies that invite one person the first to be accepted has the address", async () => {
    const email = anAddress();
    const second = await api.token("engineer2@metrum.example");
    await create({ email });
    await api.ask(members.create, { token: second, input: { body: { name: "Also here", email } } });
    const [first] = await lettersTo(email);
    const password = "Erdenet!2026-khan";
    const body = { token: first ? tokenIn(first) : "", email, password, password_confirmation: password };

    const accepted = await api.ask(registration.passwordReset, { input: { body } });
    const signedIn = await api.ask(auth.login, {
      input: { body: { email, password, personal_data_access: true } },
    });

    expect(accepted.status, accepted.text).toBe(200);
    expect(signedIn.status, signedIn.text).toBe(200);
  });

  test("needs no access group for an administrator, and only groups of the own company are accepted", async () => {
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
  test("SERV-024 stores the given fields, keeps the rest, and the slower of two editors gets a conflict", async () => {
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

  test("only an administrator can ask for another address; it counts once its mailbox is proved, and the old one is notified", async () => {
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
    const proof = (await lettersTo("moved@metrum.example")).at(-1);
    const proved = await prove(proof);

    expect(self).toMatchObject({ status: 403, code: "own_account" });
    expect(refused).toMatchObject({ status: 403, code: "right_not_held" });
    expect(staff).toMatchObject({ status: 403, code: "entered_refused" });
    expect([moved.status, moved.data.user.email]).toEqual([200, user.email]);
    expect(moved.msg).toMatch(/link|ссылк|холбоос/);
    expect([proof?.kind, proved.status]).toEqual(["address_proof", 200]);
    expect((await addressOf(user.id)).email).toBe("moved@metrum.example");
    expect((await lettersTo(user.email)).at(-1)?.kind).toBe("address_changed");
    expect((await audited("user.update", user.id))?.after).toMatchObject({
      address_asked: "moved@metrum.example",
    });
  });

  test("whether another address of an accepted user has an account in another company is told by no answer", async () => {
    const [one, other, mate] = [await aUser({}), await aUser({}), await aUser({})];
    const [taken, free] = [anAddress(), anAddress()];
    const { system } = api.services.database;
    await sql`insert into users (company_id, email, name, password_hash)
      select company_id, ${taken}, name, password_hash from users
      where email = 'viewer@metrum.example' and invited_at is null`.execute(system);
    // Their mailboxes are proved.
    await sql`update users set invited_at = null where id = any(${[one.id, other.id]}::int[])`.execute(
      system,
    );
    const shapeOf = (text: string, { id, email }: { id: number; email: string }) =>
      withoutTimes(
        text.replaceAll(email, "ADDRESS").replaceAll(new RegExp(`\\b${String(id)}\\b`, "g"), "ID"),
      );

    const answers = [await update({ id: one.id, email: taken }), await update({ id: other.id, email: free })];
    const ofCompany = await update({ id: one.id, email: mate.email });
    const opened = await prove((await lettersTo(taken)).at(-1));

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = [one, other].map((user, at) => shapeOf(answers[at]?.text ?? "", user));
    expect(first).toBe(second);
    expect((await lettersTo(free)).at(-1)?.kind).toBe("address_proof");
    expect(opened).toMatchObject({ status: 422, code: "email_unavailable" });
    expect((await addressOf(one.id)).email).toBe(one.email);
    // Which addresses the own company has is no secret.
    expect(ofCompany).toMatchObject({ status: 422, code: "email_unavailable" });
  });

  test("a mailbox gets five letters that prove an address in an hour, whichever administrators ask", async () => {
    const user = await aUser({});
    const email = anAddress();

    const answers = [];
    for (let n = 0; n < 6; n++) answers.push((await update({ id: user.id, email })).status);

    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe("switching off and removing", () => {
  test("SERV-007 ACL-045 a switched-off user is refused in every process, and switching on does not restore tokens", async () => {
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

  test("SERV-024 users cannot remove or switch off themselves", async () => {
    const { data } = await api.ask(users.info, { token: admin });
    const { id } = data.user;
    await aUser({ is_admin: true });

    expect(await remove(id)).toMatchObject({ status: 403, code: "own_account" });
    expect(await toggle(id, false)).toMatchObject({ status: 403, code: "own_account" });
  });

  test("SERV-024 ACL-044 a removed user is refused at once, and is still named in the log", async () => {
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

  test("an administrator can end all sessions of a user, and all but the current one of their own", async () => {
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
