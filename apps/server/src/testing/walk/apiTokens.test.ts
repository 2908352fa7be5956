import { ownSessions } from "@metrum/contract/access";
import { contract } from "@metrum/contract/calls";
import { pathOf, type Call } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi } from "../api.ts";
import { examples } from "./examples.ts";
import { makeFixture, type Fixture } from "../records.ts";

const closed: [string, Call][] = [...contract.values()]
  .filter(({ auth, problems }) => auth !== "none" && problems?.includes("token_refused"))
  .map((call) => [call.id, call]);

let fixture: Fixture;
const tokens = new Map<string, string>();
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi());
});
afterAll(() => fixture.api.close());

/** An API token of an account, created once. */
async function apiTokenOf(email: string): Promise<string> {
  const known = tokens.get(email);
  if (known !== undefined) return known;
  const { data } = await fixture.api.ask(ownSessions.createToken, {
    token: await fixture.api.token(email),
    input: { body: { name: "Integration", days: 1, current_password: "Metrum!2026" } },
  });
  tokens.set(email, data.access_token);
  return data.access_token;
}

/** Every account, access group, session, tie and company, as text. */
async function accounts(): Promise<string> {
  const { rows } = await sql<{ all: string }>`
    select md5(concat(
      (select string_agg(u::text, ' ' order by id) from users u),
      (select string_agg(g::text, ' ' order by id) from access_group g),
      (select string_agg(concat(id, user_id, company_id, kind), ' ' order by id) from session),
      (select string_agg(t::text, ' ' order by t::text) from device_user t),
      (select string_agg(c::text, ' ' order by id) from company c)
    )) as all
  `.execute(fixture.api.services.database.system);
  return rows[0]?.all ?? "";
}

describe("an API token changes no account, right, session, token or company, with all rights of its user", () => {
  test.each(closed)("%s", async (id, call) => {
    const { as = "engineer@metrum.example", input } = examples[id] ?? {};
    const token = await apiTokenOf(as);
    const given = (await input?.(fixture)) ?? {};
    const before = await accounts();

    const answer = await fixture.api.ask(call, { token, input: given });

    expect([pathOf(call, { id: 1 }), answer.status, answer.code]).toEqual([
      pathOf(call, { id: 1 }),
      403,
      "token_refused",
    ]);
    expect(await accounts()).toBe(before);
  });
});
