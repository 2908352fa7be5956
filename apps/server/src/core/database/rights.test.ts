import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startEmbedded, type Connection, type EmbeddedDatabase } from "./embedded/index.ts";
import { migrate } from "./migrate.ts";
import { lacking, requireRights } from "./rights.ts";
import type { Rights } from "./rightsStore.ts";

// A cluster of its own: roles belong to the cluster, and the one of the run has that of the API.
let dataDir: string;
let embedded: EmbeddedDatabase;
let superuser: Connection;
let login: Connection;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "metrum-rights-"));
  await chmod(dataDir, 0o711);
  embedded = await startEmbedded({ dataDir, log: () => undefined, settings: { fsync: "off" } });
  const password = (await readFile(join(dataDir, "database.superuser.password"), "utf8")).trim();
  superuser = { ...embedded.connection, user: "postgres", password, database: "postgres" };
  login = { ...embedded.connection, user: "guest", password: "guest", database: "given" };
});
afterEach(() =>
  administer([
    "drop database if exists given with (force)",
    "drop role if exists metrum_api",
    "drop role if exists guest",
  ]),
);
afterAll(async () => {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function administer(statements: readonly string[], database = "postgres"): Promise<void> {
  const client = new pg.Client({ ...superuser, database });
  await client.connect();
  try {
    for (const text of statements) await client.query({ text });
  } finally {
    await client.end();
  }
}

async function asGuest<Result>(run: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ ...login, max: 2 });
  try {
    return await run(pool);
  } finally {
    await pool.end();
  }
}

const whyNot = (): Promise<string | undefined> =>
  asGuest((pool) => requireRights(pool)).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : "?"),
  );

const statementsIn = (message: string): string[] =>
  message.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []));

describe("PROD-037 the outside database needs only the named rights", () => {
  test("a login without any right gets the statements that mend it, and with them it suffices", async () => {
    await administer([
      "create role guest login nocreaterole password 'guest'",
      "create database given",
      "revoke create on database given from public",
    ]);

    const message = (await whyNot()) ?? "";
    expect(message).toMatch(/^METRUM_DATABASE_URL: the login "guest" lacks rights in the database "given"/);
    expect(statementsIn(message)).toEqual([
      'grant create on database "given" to "guest";',
      'grant usage, create on schema "public" to "guest";',
      "create role metrum_api nologin;",
      'grant metrum_api to "guest";',
    ]);
    await expect(asGuest(migrate)).rejects.toThrow(/lacks rights/);
    await administer(statementsIn(message), "given");

    expect(await whyNot()).toBeUndefined();
    expect((await asGuest(migrate)).length).toBeGreaterThan(50);
    await asGuest((pool) =>
      pool.query("begin; set local role metrum_api; select count(*) from company; rollback"),
    );
    expect(await asGuest(migrate)).toEqual([]);
  }, 60_000);

  test("each right is missed alone", async () => {
    await administer([
      "create role guest login createrole password 'guest'",
      "create database given owner guest",
    ]);
    expect(await whyNot()).toBeUndefined();

    await administer(["alter role guest nocreaterole"]);
    expect(statementsIn((await whyNot()) ?? "")).toEqual([
      "create role metrum_api nologin;",
      'grant metrum_api to "guest";',
    ]);
    await administer(["create role metrum_api nologin"]);
    expect(statementsIn((await whyNot()) ?? "")).toEqual(['grant metrum_api to "guest";']);
    await administer(["grant metrum_api to guest", "alter database given owner to postgres"]);
    expect(statementsIn((await whyNot()) ?? "")).toEqual([
      'grant create on database "given" to "guest";',
      'grant usage, create on schema "public" to "guest";',
    ]);
    await administer(["grant create on database given to guest"]);
    await administer(["drop schema public"], "given");
    expect(statementsIn((await whyNot()) ?? "")).toEqual(['create schema "guest" authorization "guest";']);
  });

  test("what the extensions need: a package, an administrator, or nothing when they are there", () => {
    const all: Rights = {
      login: "guest",
      database: "given",
      schema: "public",
      createsInDatabase: false,
      createsInSchema: true,
      createsRoles: false,
      hasApiRole: true,
      usesApiRole: true,
      hasJobSchema: true,
      missing: [],
      isSuperuser: false,
    };
    const ltree = { name: "ltree", isInstalled: true, isTrusted: true };

    expect(lacking(all)).toEqual({ statements: [], packages: [] });
    expect(lacking({ ...all, missing: [ltree] }).statements).toEqual([
      'grant create on database "given" to "guest";',
    ]);
    expect(lacking({ ...all, missing: [{ ...ltree, isTrusted: false }] }).statements).toEqual([
      'create extension "ltree";',
    ]);
    const absent = { ...ltree, isInstalled: false, isTrusted: false };
    expect(lacking({ ...all, missing: [absent] })).toEqual({ statements: [], packages: ["ltree"] });
    expect(lacking({ ...all, missing: [absent], isSuperuser: true }).packages).toEqual(["ltree"]);
  });
});
