import { setTimeout as sleep } from "node:timers/promises";
import { accessGroups } from "@metrum/contract/access";
import { contract } from "@metrum/contract/calls";
import type { InputOf } from "@metrum/contract/core";
import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { until } from "#testing/until";

const engineer = "engineer@metrum.example";
const none = { create: [], read: [], update: [], delete: [], access_all: [] };

let now = 1_795_000_000_000;
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ clock: { nowMs: () => now, now: () => Math.floor(now / 1000) } });
});
afterAll(() => api.close());

/** One session of a user for all requests: a sign-in takes longer than they do. */
const tokens = new Map<string, Promise<string>>();
function tokenOf(email: string): Promise<string> {
  const known = tokens.get(email) ?? api.token(email);
  tokens.set(email, known);
  return known;
}

type Body = NonNullable<InputOf<typeof accessGroups.create>["body"]>;

async function create(
  key: string | undefined,
  name: string,
  { as = engineer, ...rules }: Partial<Body["access_rules"]> & { readonly as?: string } = {},
) {
  const token = await tokenOf(as);
  const response = await api.fastify.inject({
    method: "POST",
    url: "/api/access/group/create",
    headers: {
      authorization: `Bearer ${token}`,
      "accept-language": "en",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    payload: { name, access_rules: { ...none, ...rules } },
  });
  return {
    status: response.statusCode,
    text: response.payload,
    code: response.json<{ code?: string }>().code,
  };
}

async function groupsNamed(name: string): Promise<number> {
  const { rows } = await api.services.database.pool.query("select 1 from access_group where name = $1", [
    name,
  ]);
  return rows.length;
}

test("API-020 a repeat with the same key creates nothing and gets the first answer", async () => {
  const first = await create("a", "Meter readers");
  const again = await create("a", "Meter readers");
  const without = await create(undefined, "Meter readers");

  expect([first.status, again.text, await groupsNamed("Meter readers")]).toEqual([200, first.text, 1]);
  expect(without.code).toBe("name_taken");
});

test("API-020 of 20 concurrent requests one is executed and all get the same answer", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create("b", "Dispatchers")));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await groupsNamed("Dispatchers")).toBe(1);
});

test("API-020 a refused request can be repeated with its key", async () => {
  await create(undefined, "Accountants");
  const refused = await create("c", "Accountants");
  await api.services.database.pool.query("delete from access_group where name = 'Accountants'");

  const again = await create("c", "Accountants");

  expect([refused.code, again.status]).toEqual(["name_taken", 200]);
});

test("API-020 a key belongs to one request, and can be used again after a day", async () => {
  await create("d", "Night shift");

  const other = await create("d", "Day shift");
  now += 24 * 3_600_000 + 1000;
  tokens.clear();
  const nextDay = await create("d", "Day shift");

  expect([other.status, other.code, nextDay.status]).toEqual([409, "key_reused", 200]);
});

test("API-020 a colleague's key is refused, and its answer is not disclosed", async () => {
  const colleague = "colleague@metrum.example";
  await api.services.database.pool.query(
    `insert into users (company_id, email, name, password_hash, is_admin, personal_data_access_at)
      select company_id, $2, 'Colleague', password_hash, true, now() from users where email = $1`,
    [engineer, colleague],
  );
  const first = await create("theirs", "Dispatch centre");

  const other = await create("theirs", "Dispatch centre", { as: colleague });

  expect([first.status, other.status, other.code]).toEqual([200, 409, "key_reused"]);
  expect(other.text).not.toContain("Dispatch centre");
  expect(await groupsNamed("Dispatch centre")).toBe(1);
});

test("a key that is too long is refused by name", async () => {
  const answer = await create("k".repeat(201), "Long");

  expect([answer.status, answer.text.includes("idempotency-key"), await groupsNamed("Long")]).toEqual([
    422,
    true,
    0,
  ]);
});

test("API-020 every call that creates a record or commands a device accepts a key", () => {
  const making = [...contract.values()].filter(
    ({ id, right }) => id.endsWith(".create") && right !== null && right !== undefined,
  );

  expect(making.length).toBeGreaterThan(2);
  for (const id of ["device.control", "poll.run"]) expect([id, contract.get(id)?.isOnce]).toEqual([id, true]);
  for (const { id, isOnce } of making) expect([id, isOnce]).toEqual([id, true]);
});

/** Rows that nothing else can write until the transaction is rolled back. */
async function held<Result>(lock: string, run: () => Promise<Result>): Promise<Result> {
  const client = api.services.database.client();
  await client.connect();
  try {
    await client.query(`begin; ${lock}`);
    return await run();
  } finally {
    await client.end();
  }
}

const inTransaction = async (): Promise<number> => {
  const { rows } = await api.services.database.system.executeQuery<{ n: number }>(
    CompiledQuery.raw(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    ),
  );
  return rows[0]?.n ?? 0;
};

const stranger = async () => {
  return api.ask(accessGroups.list, { token: await tokenOf("engineer2@metrum.example") });
};

test("API-020 fifty repeats of a slow request hold one connection, and other companies are served", async () => {
  const [answers, waiting, other] = await held("lock table access_group in exclusive mode", async () => {
    await stranger();
    const asked = Promise.all(Array.from({ length: 50 }, () => create("slow", "Slow ones")));
    await until(async () => (await inTransaction()) > 0);
    await sleep(300);
    return [asked, await inTransaction(), await stranger()] as const;
  });

  expect([waiting, other.status]).toEqual([1, 200]);
  expect(new Set((await answers).map(({ status, text }) => `${String(status)} ${text}`)).size).toBe(1);
  expect(await groupsNamed("Slow ones")).toBe(1);
});

test("API-020 while another process executes the key no connection is held, and the answer is busy", async () => {
  const { rows } = await api.services.database.pool.query<{ id: number }>(
    "select company_id as id from users where email = $1",
    [engineer],
  );
  const key = `${String(rows[0]?.id)} elsewhere`;
  const answer = await held(`select pg_advisory_xact_lock(7301160, hashtext('${key}'))`, async () => {
    const asked = create("elsewhere", "Made elsewhere");
    await sleep(300);
    expect(await inTransaction()).toBe(0);
    return asked;
  });

  expect([answer.status, answer.code]).toEqual([503, "busy"]);
  expect((await create("elsewhere", "Made elsewhere")).status).toBe(200);
});

test("API-020 the calls of a company that wait for a lock leave half of the pool to others", async () => {
  const { other, refused } = await held("lock table access_group in exclusive mode", async () => {
    const asked = Array.from({ length: 40 }, (_, n) => create(undefined, `Waiting ${String(n)}`));
    await until(async () => (await inTransaction()) >= 3);
    const served = await stranger();
    const first = await Promise.race(asked);
    void Promise.allSettled(asked);
    return { other: served, refused: first };
  });

  expect(other.status).toBe(200);
  expect([refused.status, refused.code]).toEqual([503, "busy"]);
});
