import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { devices } from "@metrum/contract/metering";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { openBreakableLink, type BreakableLink } from "#testing/peers/breakableLink";
import { openDatabase } from "./database.ts";

let api: TestApi;
let link: BreakableLink;
let token: string;
let stopWatch: () => Promise<void>;

beforeEach(async () => {
  api = await openTestApi({
    connectOver: async (connection) => {
      link = await openBreakableLink(connection);
      return link.connection;
    },
  });
  token = await api.token("engineer@metrum.example");
  stopWatch = api.services.database.watch(api.services.log);
});
afterEach(async () => {
  await stopWatch();
  // First: PostgreSQL waits a minute for a client that falls silent while signing in, and so would the
  // shutdown of the database.
  await link.close();
  await api.close();
});

const list = async () => {
  const { status, headers, code } = await api.ask(devices.list, { token, input: { body: {} } });
  return { status, code, retryAfter: headers["retry-after"] };
};
const away = { status: 503, code: "database_away", retryAfter: "5" };
const there = { status: 200 };
const fetched = async (path: string) => (await api.fastify.inject(path)).statusCode;
/** More than the rules allow, for a busy machine; the benchmark measures the real limit. */
const patience = { timeout: 60_000, interval: 50 };

test.each([
  ["is cut", () => link.cut()],
  ["swallows everything", () => link.swallow()],
])(
  "while the link to the database %s calls are refused, and go on by themselves afterwards",
  async (_, take) => {
    expect(await list()).toMatchObject(there);

    take();
    const begun = await list();
    const [next, live, ready] = await Promise.all([list(), fetched("/healthz"), fetched("/readyz")]);
    link.restore();

    expect([begun, next]).toEqual([away, away]);
    expect([live, ready]).toEqual([200, 503]);
    await expect.poll(list, patience).toMatchObject(there);
    expect(await fetched("/readyz")).toBe(200);
  },
);

test("statements waiting on a dead connection fail, and the pool is complete again afterwards", async () => {
  const { pool } = api.services.database;
  const busy = Array.from({ length: 10 }, () =>
    pool.query("select pg_sleep(0.2)").then(
      () => "done",
      () => "told",
    ),
  );

  link.swallow();
  const outcomes = await Promise.all(busy);
  link.restore();

  expect(outcomes).toContain("told");
  await expect
    .poll(
      () =>
        pool.query("select 1").then(
          ({ rowCount }) => rowCount,
          () => 0,
        ),
      patience,
    )
    .toBe(1);
});

test("locks of a transaction on a dead connection are released when the database returns", async () => {
  const { pool } = api.services.database;
  const client = await pool.connect();
  client.on("error", () => undefined);
  await client.query("begin; select id from company for update; select pg_advisory_lock(7, 7)");

  link.swallow();
  await expect.poll(() => api.services.database.isAway(), patience).toBe(true);
  client.release(true);
  link.restore();
  await expect.poll(list, patience).toMatchObject(there);

  await pool.query("set lock_timeout = '5s'; update company set name = name");
  const free = async () =>
    (await pool.query<{ free: boolean }>("select pg_try_advisory_lock(7, 7) as free")).rows;
  await expect.poll(free, patience).toEqual([{ free: true }]);
});

test("a database that refuses connections counts as unavailable and is logged once", async () => {
  const { superuser } = api.database;
  const client = new pg.Client({ ...superuser, database: "postgres" });
  await client.connect();
  const name = client.escapeIdentifier(superuser.database);
  await client.query(`alter database ${name} allow_connections false`);
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    superuser.database,
  ]);

  await expect.poll(() => api.services.database.isAway(), patience).toBe(true);
  expect(await list()).toEqual(away);
  await client.query(`alter database ${name} allow_connections true`);
  await client.end();

  await expect.poll(list, patience).toMatchObject(there);
});

test("while the database is unavailable only the probe knocks", async () => {
  let knocks = 0;
  const server = createServer((socket) => {
    knocks += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const database = openDatabase({ host: "127.0.0.1", port, user: "metrum", database: "metrum" });
  const stop = database.watch(api.services.log);
  await expect.poll(() => database.isAway(), patience).toBe(true);

  const before = knocks;
  const asked = await Promise.allSettled(Array.from({ length: 200 }, () => database.pool.query("select 1")));
  // They are counted after the answers.
  await sleep(300);
  const after = knocks;

  await stop();
  await database.close();
  server.close();
  expect(asked.every(({ status }) => status === "rejected")).toBe(true);
  // One of the probe at most every 250 ms.
  expect(after - before).toBeLessThan(50);
});

test("every pool has its own application name, whatever the address contains", async () => {
  const { user, password, host, port, database } = api.database.connection;
  const socket = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${String(port)}`;
  const pools = [
    `${socket}&application_name=billing`,
    `${socket}&application_name=billing&connect_timeout=3`,
    socket,
  ].map((connectionString) => openDatabase({ connectionString }));

  const names = await Promise.all(
    pools.map(async ({ pool }) => {
      const { rows } = await pool.query<{ name: string }>(
        "select current_setting('application_name') as name",
      );
      return rows[0]?.name ?? "";
    }),
  );
  for (const pool of pools) await pool.close();

  expect(names.every((name) => /^metrum [0-9a-f-]{36}$/.test(name))).toBe(true);
  expect(new Set(names).size).toBe(3);
});

test("a start waits for a connection as long as it asks for, until the database is watched", async () => {
  const database = openDatabase({ ...api.database.connection, connectionTimeoutMillis: 120_000 });
  const timeouts = () => database.pool.options.connectionTimeoutMillis;
  const starting = timeouts();

  const stop = database.watch(api.services.log);
  const working = timeouts();
  await stop();
  await database.close();

  expect([starting, working]).toEqual([120_000, 4_000]);
});
