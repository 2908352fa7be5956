import { auth, registration, twoFactor } from "@metrum/contract/access";
import { contract } from "@metrum/contract/calls";
import type { Call } from "@metrum/contract/core";
import { administration } from "@metrum/contract/platform";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer } from "../api.ts";
import { watchChanges, type Changes } from "./changes.ts";
import { impatientClock } from "../clock.ts";
import { examples } from "./examples.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { proofOf } from "../access/secondFactor.ts";
import { entryCode, staff } from "./spares.ts";

/** What can be used once is used twice: at the same time, and once more later. */
let fixture: Fixture;
let changes: Changes;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  changes = await watchChanges(fixture.api);
});
afterAll(async () => {
  await changes.close();
  await fixture.api.close();
});

const calls = [...contract.values()]
  .filter(({ id, isOnce }) => isOnce === true && examples[id]?.build === undefined)
  .map((call): [string, Call] => [call.id, call]);
const inputOf = async ({ id }: Call): Promise<object> => (await examples[id]?.input?.(fixture)) ?? {};

async function entriesOfLog(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit`.execute(
    fixture.api.services.database.system,
  );
  return rows[0]?.n ?? 0;
}

/** How many entries of the log a request leaves. */
async function logged<Result>(run: () => Promise<Result>): Promise<[Result, number]> {
  const before = await entriesOfLog();
  return [await run(), (await entriesOfLog()) - before];
}

const changedTables = async () =>
  (await changes.take()).map(({ table }) => table).filter((table) => table !== "session");

/** Within seconds the same request is the one before, whichever key it has. */
const joined = ["task.create", "device.control"];

describe("API-020 a request with an idempotency key is executed once", () => {
  let differing = 0;

  test.each(calls)("%s", async (id, call) => {
    const { api } = fixture;
    const token = await api.token(examples[id]?.as ?? "engineer@metrum.example");
    const ask = (input: object, key: string): Promise<Answer<unknown>> =>
      api.ask(call, { token, input, key });
    const [alone, ofOne] = await logged(async () => ask(await inputOf(call), `${id} alone`));
    const input = await inputOf(call);

    const [[first, twin], ofTwo] = await logged(() => Promise.all([ask(input, id), ask(input, id)]));
    await changes.take();
    const later = await ask(input, id);
    const changed = await changedTables();
    const other = await inputOf(call);
    const isOther = JSON.stringify(other) !== JSON.stringify(input);
    await changes.take();
    const refused = isOther ? await ask(other, id) : undefined;

    expect([alone.status, first.status], first.text).toEqual([200, 200]);
    expect([twin.text, later.text]).toEqual([first.text, first.text]);
    expect([ofTwo, changed]).toEqual([joined.includes(id) ? 0 : ofOne, []]);
    if (!refused) return;
    differing += 1;
    expect([refused.status, refused.code, await changedTables()]).toEqual([409, "key_reused", []]);
  });

  test("most keys were tried with another request too", () => {
    expect(differing).toBeGreaterThan(calls.length / 2);
  });
});

/** A request that only its first user may make, by the name of what is used up. */
const usedUp: Readonly<Record<string, () => Promise<() => Promise<Answer<unknown>>>>> = {
  "a link that sets a password": () => {
    const body = { email: "api@metrum.example", token: fixture.tokens.reset, password: "Kx7!mPqw" };
    const input = { body: { ...body, password_confirmation: body.password } };
    return Promise.resolve(() => fixture.api.ask(registration.passwordReset, { input }));
  },
  "a code with which staff enter a company": async () => {
    const [code, token] = [await entryCode(fixture), await fixture.api.token(staff)];
    return () => fixture.api.ask(administration.redeemEntry, { token, input: { body: { code } } });
  },
  "a recovery code at signing in": async () => {
    const email = "norights@metrum.example";
    const { one_t_p, current_password: password } = await proofOf(fixture.api, email);
    const body = { email, password, one_t_p, personal_data_access: true };
    return () => fixture.api.ask(auth.login, { input: { body } });
  },
  "a recovery code in settings": async () => {
    const email = "viewer@metrum.example";
    const [body, token] = [await proofOf(fixture.api, email), await fixture.api.token(email)];
    return () => fixture.api.ask(twoFactor.renewRecovery, { token, input: { body } });
  },
};

describe("what is used up serves one request", () => {
  test.each(Object.entries(usedUp))("%s", async (_, make) => {
    const use = await make();

    const together = await Promise.all([use(), use(), use()]);
    await changes.take();
    const later = await use();
    const changed = await changes.take();

    expect(together.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(later.status).toBeGreaterThanOrEqual(400);
    expect(
      changed.map(({ table }) => table).filter((table) => table !== "audit" && table !== "guess"),
    ).toEqual([]);
  });
});
