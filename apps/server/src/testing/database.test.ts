import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import { openDatabaseAt, releasedStep } from "./migrations.ts";
import { until } from "./until.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.drop());

test("each test file gets its own migrated database, in the role of the application", async () => {
  const client = new pg.Client({ ...database.connection });
  await client.connect();

  const { rows } = await client.query<{ applied: number; is_superuser: string }>(
    "select count(*)::int as applied, current_setting('is_superuser') as is_superuser from migration",
  );

  expect(rows[0]?.applied).toBeGreaterThan(0);
  expect(rows[0]?.is_superuser).toBe("off");
  await client.end();
});

test("a closed connection to an old database is replaced, and ends no process", async () => {
  const old = await openDatabaseAt(releasedStep);
  const superuser = new pg.Client({ ...database.superuser });
  await superuser.connect();
  const { rows: names } = await old.pool.query<{ name: string }>("select current_database() as name");

  await superuser.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [
    names[0]?.name,
  ]);
  await until(() => old.pool.totalCount === 0);
  const { rows } = await old.pool.query("select 1 as one");

  expect(rows).toEqual([{ one: 1 }]);
  await superuser.end();
  await old.drop();
});
