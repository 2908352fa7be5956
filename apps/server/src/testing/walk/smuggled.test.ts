import { contract } from "@metrum/contract/calls";
import { allows, type Call } from "@metrum/contract/core";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApi, type Answer } from "../api.ts";
import { impatientClock } from "../clock.ts";
import { changesOf, watchChanges, type Changes } from "./changes.ts";
import { examples } from "./examples.ts";
import { makeFixture, type Fixture } from "../records.ts";
import { fieldsOf } from "./schemaFields.ts";
import { makeWorlds, type World } from "./victims.ts";

/**
 * The company is a property of the session: fields that claim something else change nothing (security rule
 * 1.3).
 */
let fixture: Fixture;
let worlds: Record<string, World>;
let changes: Changes;
beforeAll(async () => {
  fixture = await makeFixture(await openTestApi({ clock: impatientClock() }));
  worlds = await makeWorlds(fixture.api);
  changes = await watchChanges(fixture.api);
});
afterAll(async () => {
  await changes.close();
  await fixture.api.close();
});

const engineer = "engineer@metrum.example";
const viewer = "viewer@metrum.example";
const calls = [...contract.values()]
  .filter(({ auth, id }) => auth !== "none" && examples[id]?.build === undefined)
  .map((call): [string, Call] => [call.id, call]);

/** Fields that a careless handler might trust, without those that the call itself defines. */
function claimsOf(call: Call): Record<string, unknown> {
  const company = worlds["sibling"]?.company;
  const claims = {
    company_id: company,
    current_company_id: company,
    companyId: company,
    home_company_id: company,
    rules_belong_to_company_id: company,
    is_admin: true,
    is_platform: true,
    access_rules: {
      read: [1, 2, 4],
      create: [1, 2, 4],
      update: [1, 2, 4],
      delete: [1, 2, 4],
      access_all: [4],
    },
    scope: { companyId: company, companyPath: worlds["provider"]?.path },
    impersonator_id: 1,
    user_id: worlds["sibling"]?.admin,
  };
  const known = new Set(fieldsOf(call).map(({ path }) => path[1]));
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !known.has(name)));
}

async function inputOf(call: Call, claims: Record<string, unknown>): Promise<object> {
  const input = (await examples[call.id]?.input?.(fixture)) ?? {};
  const { body = {} } = input;
  const asText = Object.entries(claims).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return {
    ...input,
    query: { ...input.query, ...Object.fromEntries(asText) },
    ...(Array.isArray(body) || call.method === "GET" ? {} : { body: { ...(body as object), ...claims } }),
  };
}

async function ask(call: Call, email: string, claims: Record<string, unknown>): Promise<Answer<unknown>> {
  const input = await inputOf(call, claims);
  return fixture.api.ask(call, { token: await fixture.api.token(email), input });
}

/** An answer without how long it took, which differs from call to call (trial of a codec). */
function untimed({ text }: Answer<unknown>): string {
  return text.replaceAll(/"duration_ms":[\d.]+/gu, '"duration_ms":0');
}

/** State of the accounts, and the companies of their sessions. */
async function standing(): Promise<unknown> {
  const { rows } = await sql`
    select u.email, u.company_id, u.is_admin, u.access_group_id, array_agg(distinct s.company_id) as works_in
    from users u left join session s on s.user_id = u.id and s.root_id is null
    where u.email in (${engineer}, ${viewer}) group by u.id order by 1`.execute(
    fixture.api.services.database.system,
  );
  return rows;
}

describe("ACL-036 company, administrator and rights are those of the session, whatever a request claims", () => {
  test.each(calls)("%s", async (_, call) => {
    const caller = examples[call.id]?.as ?? engineer;
    const claims = claimsOf(call);
    const strangers = ["sibling", "child of another dealer", "demonstration"].map(
      (name) => worlds[name]?.company ?? 0,
    );
    // The dealer and platform staff may change the client companies.
    const watched = caller === engineer ? strangers : strangers.slice(1);
    const first = await ask(call, caller, {});
    const before = await standing();
    await changes.take();
    const claimed = await ask(call, caller, claims);
    const changed = changesOf(await changes.take(), watched, ["session", "audit"]);
    const after = await standing();
    const again = await ask(call, caller, {});

    expect([first.status, again.status]).toContain(claimed.status);
    if (untimed(first) === untimed(again)) expect(untimed(claimed)).toBe(untimed(first));
    expect([changed, after]).toEqual([[], before]);
  });

  const access = {
    is_admin: false,
    is_platform: false,
    rules: { read: [4], create: [], update: [], delete: [], access_all: [] },
  };
  const denied = calls.filter(([, { right }]) => !allows(right, access));

  test.each(denied)("%s cannot be claimed in the request", async (_, call) => {
    const { status, code } = await ask(call, viewer, claimsOf(call));

    expect([status, code]).toEqual([403, "right_missing"]);
  });
});
