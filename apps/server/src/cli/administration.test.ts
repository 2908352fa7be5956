import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "#testing/database";
import { runCommand } from "#testing/program";

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.drop());

function metrum(args: string[], env: Record<string, string> = {}): { status: number | null; out: string } {
  const { user, password, host, port, database: name } = database.connection;
  const url = `postgres://${user}:${password}@/${name}?host=${encodeURIComponent(host)}&port=${String(port)}`;
  const { status, out } = runCommand(args, { env: { ...process.env, METRUM_DATABASE_URL: url, ...env } });
  return { status, out };
}

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ ...database.superuser });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

async function emails(): Promise<string[]> {
  const rows = await query<{ email: string }>("select email from users order by email");
  return rows.map(({ email }) => email);
}

test("create-admin creates an account with a password that is shown once", async () => {
  const first = metrum(["create-admin", "ops@plant.example"]);
  const second = metrum(["create-admin", "ops@plant.example"]);

  expect(first.status).toBe(0);
  expect(first.out).toMatch(/E-mail: +ops@plant\.example\nPassword: \S{16,}\n/);
  expect(second).toEqual({ status: 1, out: "" });
  expect(await emails()).toEqual(["ops@plant.example"]);
});

test("create-admin refuses an invalid e-mail address, which could never sign in", async () => {
  const before = await emails();

  expect(metrum(["create-admin", "nonsense"])).toEqual({ status: 1, out: "" });
  expect(await emails()).toEqual(before);
});

test("create-admin reads the password from the environment and does not print it", () => {
  const { status, out } = metrum(["create-admin"], {
    METRUM_ADMIN_EMAIL: "boss@plant.example",
    METRUM_ADMIN_PASSWORD: "Silent-Heron-17",
  });

  expect(status).toBe(0);
  expect(out).toContain("boss@plant.example");
  expect(out).not.toContain("Silent-Heron-17");
});

test("seed-demo creates the demonstration accounts once", async () => {
  // The 90 days of history take half a minute, and the closing of a month waits one: the tests of the demonstration check them.
  await query(
    "insert into installation (key, value) values ('demo.history', 'true'), ('demo.month.corrected', 'true')",
  );

  expect(metrum(["seed-demo"]).status).toBe(0);
  const seeded = await emails();

  expect(seeded).toContain("engineer@metrum.example");
  expect(metrum(["seed-demo"]).status).toBe(0);
  expect(await emails()).toEqual(seeded);
});

test("migrate reports when there is nothing to do", () => {
  expect(metrum(["migrate"])).toEqual({ status: 0, out: "The database is up to date.\n" });
});
