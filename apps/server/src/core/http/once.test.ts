import { contract, type accessGroups, type InputOf } from "@metrum/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";

const engineer = "engineer@metrum.example";
const none = { create: [], read: [], update: [], delete: [], access_all: [] };

let now = 1_795_000_000_000;
let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ clock: { nowMs: () => now, now: () => Math.floor(now / 1000) } });
});
afterAll(() => api.close());

type Body = NonNullable<InputOf<typeof accessGroups.create>["body"]>;

async function create(
  key: string | undefined,
  name: string,
  { as = engineer, ...rules }: Partial<Body["access_rules"]> & { readonly as?: string } = {},
) {
  const token = await api.token(as);
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
