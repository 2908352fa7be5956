import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "./database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.drop());

test("a test file gets a migrated database of its own, as the role of the application", async () => {
  const client = new pg.Client({ ...database.connection });
  await client.connect();

  const { rows } = await client.query<{ applied: number; is_superuser: string }>(
    "select count(*)::int as applied, current_setting('is_superuser') as is_superuser from migration",
  );

  expect(rows[0]?.applied).toBeGreaterThan(0);
  expect(rows[0]?.is_superuser).toBe("off");
  await client.end();
});
