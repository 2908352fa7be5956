import { accessGroups, members } from "@metrum/contract/access";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountOf } from "#access/users";
import type { Scope } from "./scope.ts";
import { inTransaction, together } from "./transaction.ts";
import { openTestApi, type TestApi } from "#testing/api";

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  // A deferred constraint is checked at COMMIT only; a full disk or a lost connection fails there too.
  await api.services.database.pool.query(`
    create function refuse_doomed() returns trigger language plpgsql as $$
    begin raise exception 'refused at the end'; end $$;
    create constraint trigger doomed after insert on access_group deferrable initially deferred
      for each row when (new.name = 'Doomed') execute function refuse_doomed()`);
});
afterAll(() => api.close());

const none = { create: [], read: [], update: [], delete: [], access_all: [] };

async function namesOfGroups(): Promise<string[]> {
  const { rows } = await api.services.database.pool.query<{ name: string }>("select name from access_group");
  return rows.map(({ name }) => name);
}

test("a call whose COMMIT fails is not answered as successful", async () => {
  const token = await api.token("engineer@metrum.example");
  const make = (name: string) =>
    api.ask(accessGroups.create, { token, input: { body: { name, access_rules: none } } });

  const doomed = await make("Doomed");
  const next = await make("Sound");

  expect(doomed.status).toBe(500);
  expect(next.status).toBe(200);
  const names = await namesOfGroups();
  expect([names.includes("Doomed"), names.includes("Sound")]).toEqual([false, true]);
});

test("a transaction that PostgreSQL rolls back at COMMIT, because a statement had failed, is not reported as done", async () => {
  const { first } = api.companies;
  const user = (await accountOf(api.services.database.system, "engineer@metrum.example"))?.id;
  if (user === undefined) throw new Error("no such account");
  const { rows } = await sql<{ path: string }>`select path::text from company where id = ${first}`.execute(
    api.services.database.system,
  );
  const scope: Scope = {
    companyId: first,
    companyPath: rows[0]?.path ?? "",
    userId: user,
    access: { is_admin: true, is_platform: false, rules: none },
    onlyTiedDevices: false,
    timeZone: "Etc/UTC",
  };
  const unit = api.services.database.unit(scope);
  await sql`insert into access_group (company_id, name, access_rules) values (${first}, 'Lost', '{}')`.execute(
    unit.db,
  );
  await sql`select 1 / 0`.execute(unit.db).catch(() => undefined);

  await expect(unit.finish("commit")).rejects.toThrow("rolled back");

  expect(await namesOfGroups()).not.toContain("Lost");
});

test("a batch whose COMMIT rolls back is not reported as stored, and its connection can be used again", async () => {
  const { pool } = api.services.database;
  const { first } = api.companies;
  const writing = inTransaction(pool, async (client) => {
    await client.query("begin");
    await client.query(
      "insert into access_group (company_id, name, access_rules) values ($1, 'Swallowed', '{}')",
      [first],
    );
    await client.query("select 1 / 0").catch(() => undefined);
  });

  await expect(writing).rejects.toThrow("rolled back");

  expect(await namesOfGroups()).not.toContain("Swallowed");
});

test("a callback after the commit that fails is logged, and the committed call is answered as successful", async () => {
  const token = await api.token("engineer@metrum.example");
  const { bus } = api.services;
  const publish = bus.publish.bind(bus);
  const broken = (): never => {
    throw new Error("a listener is broken");
  };
  Object.assign(bus, { publish: broken });

  const { status, data } = await api.ask(members.create, {
    token,
    input: { body: { name: "After", email: "after@commit.example" } },
  });
  Object.assign(bus, { publish });

  expect([status, data.user.email]).toEqual([200, "after@commit.example"]);
});

test("statements that are issued at the same time do not queue in the driver, which warns of it once", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", note);
  const { system } = api.services.database;

  const numbers = await system
    .transaction()
    .execute((db) =>
      Promise.all(
        [1, 2, 3].map(async (n) => (await sql<{ n: number }>`select ${n}::int as n`.execute(db)).rows[0]?.n),
      ),
    );
  const failed = await system
    .transaction()
    .execute((db) => Promise.all([sql`select 1 / 0`.execute(db), sql`select 1`.execute(db)]))
    .catch((error: unknown) => (error instanceof Error ? error.message : ""));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);

  expect([numbers, failed]).toEqual([[1, 2, 3], "division by zero"]);
  expect(warnings.filter((each) => each.includes("client.query()"))).toEqual([]);
});

test("of statements sent together the one that failed is reported, not those that are refused because of it", async () => {
  const { pool } = api.services.database;

  const running = inTransaction(pool, async (client) => {
    await client.query("begin");
    const inTwoSteps = async () => {
      await client.query("select 1");
      return client.query("select 2");
    };
    return together(client, () => [inTwoSteps(), client.query("select 1 / 0")]);
  });

  // Division by zero: 22012.
  await expect(running).rejects.toMatchObject({ code: "22012" });
});
