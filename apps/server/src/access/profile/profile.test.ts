import { auth, ownSessions, profile, registration } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueLink } from "#access/letters";
import { isPassword } from "#access/users";
import { openTestApi, type TestApi } from "#testing/api";
import { movableClock } from "#testing/clock";
import { engineer, operator, ownAccount, password, viewer } from "#testing/access/ownAccount";

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

const { account, auditOf, change, lettersTo, statusOf, system } = ownAccount(() => api);

/** Opens the newest link that was sent to prove an address. */
async function prove(email: string) {
  const { rows } = await sql<{ link: string }>`
    select params ->> 'link' as link from letter where recipient = ${email} and kind = 'address_proof'
    order by id desc limit 1`.execute(system());
  const token = rows[0]?.link.split("/").at(-1) ?? "";
  return api.ask(registration.activateByLetter, { input: { body: { token } } });
}

async function move(token: string, email: string): Promise<void> {
  await change(token, { email, current_password: password });
  expect((await prove(email)).status).toBe(200);
}

const signInAs = async (email: string): Promise<number> =>
  (await api.ask(auth.login, { input: { body: { email, password } } })).status;

describe("SERV-026 the profile", () => {
  test("name, phone, language and zone are changed without a password, and omitted fields are kept", async () => {
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

  test("an offset selects a zone, null that of the company; an unknown zone is refused", async () => {
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

  test("links sent to the old address are invalid after the address has changed", async () => {
    const [token, { id }] = [await api.token(viewer), await account(viewer)];
    const link = { userId: id, purpose: "reset", validSec: 3600, nowSec: api.services.clock.now() } as const;
    const input = { params: { token: await issueLink(system(), link) } };
    const before = await api.ask(registration.passwordFind, { input });

    await move(token, "moved@metrum.example");
    const after = await api.ask(registration.passwordFind, { input });
    await move(token, viewer);

    expect([before.status, after.code]).toEqual([200, "link_dead"]);
    expect((await account(viewer)).id).toBe(id);
  });

  test("changing the e-mail needs the password and the new mailbox, notifies the old address, and the new one signs in", async () => {
    const token = await api.token(viewer);
    const email = "night.shift@metrum.example";

    const without = await change(token, { email });
    const wrong = await change(token, { email, current_password: "wrong" });
    const same = await change(token, { email: viewer.toUpperCase() });
    const right = await change(token, { email: "Night.Shift@metrum.example", current_password: password });
    const early = [await signInAs(email), await signInAs(viewer)];
    const told = await lettersTo(viewer);
    const proved = await prove(email);
    const again = await prove(email);
    const signedIn = [await signInAs(email), await signInAs(viewer)];
    const warned = await lettersTo(viewer);
    await move(token, viewer);

    expect([without, wrong].map(({ code, attributes }) => [code, attributes])).toEqual(
      [without, wrong].map(() => ["password_wrong", { current_password: ["password_wrong"] }]),
    );
    expect([same.status, right.status, right.data.user.email]).toEqual([200, 200, viewer]);
    expect(right.msg).toMatch(/link|ссылк|холбоос/);
    expect([early, signedIn]).toEqual([
      [422, 200],
      [200, 422],
    ]);
    expect([proved.status, again.status]).toEqual([200, 200]);
    expect(warned.slice(told.length)).toEqual(["address_changed"]);
    expect((await auditOf("profile.update")).some(({ text }) => text.includes(email))).toBe(true);
  });

  test("an address that has an account gets the same answer, and is refused to the reader of its letter alone", async () => {
    const token = await api.token(viewer);
    const ask = (email: string) => change(token, { email, current_password: password });

    const [taken, free] = [await ask(engineer), await ask("nobody@metrum.example")];
    await ask(engineer);
    const opened = await prove(engineer);

    expect([taken.status, taken.msg]).toEqual([free.status, free.msg]);
    expect(opened).toMatchObject({ status: 422, code: "email_unavailable" });
    expect((await account(viewer)).email).toBe(viewer);
  });

  test("the link lives an hour, a newer one replaces it, and a mailbox gets five an hour", async () => {
    const token = await api.token(viewer);
    const ask = (email: string) => change(token, { email, current_password: password });
    await ask("first@metrum.example");
    await ask("second@metrum.example");
    const replaced = await prove("first@metrum.example");
    clock.ahead = 3601;
    const late = await prove("second@metrum.example");
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await ask("flooded@metrum.example")).status);

    expect([replaced.code, late.code]).toEqual(["link_dead", "link_dead"]);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await account(viewer)).email).toBe(viewer);
  });

  test("a new password must satisfy the rule of the company, be repeated and differ from the old one", async () => {
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
      await tryOne("!Qwerty123!@#456"),
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

  test("SESS-043 a new password ends all other sessions and API tokens at once, and is stored nowhere in plain text", async () => {
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

  test("a session inside a child company changes one's own account, not one of that company", async () => {
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

  test("the subscription to news is stored and returned", async () => {
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
