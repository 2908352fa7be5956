import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { sql } from "kysely";
import type { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestDialogue, type TestDialogue } from "#testing/dialogue";
import { until } from "#testing/until";

const modems = 150;
const firstImei = 350_000_000_100_000;
let platform: TestDialogue;
let observer: Client;
let sockets: Socket[] = [];

beforeAll(async () => {
  platform = await openTestDialogue();
  observer = await besidePool();
  await sql`
    insert into gateway (company_id, model_id, interface_id, name, device_id)
    select ${platform.api.companies.first}::int, 601, 1, 'modem ' || n,
      (${String(firstImei)}::bigint + n)::text
    from generate_series(1, ${modems}::int) n`.execute(db());
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await platform.dialogue.stop();
  await Promise.all(beside.map((client) => client.end()));
  await platform.api.close();
});
beforeEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await until(async () => (await heldLines()) === 0);
});

const db = () => platform.api.services.database.system;

/** Connections outside the pool, which is exhausted while the lock is held. */
const beside: Client[] = [];
async function besidePool(): Promise<Client> {
  const client = platform.api.services.database.client();
  await client.connect();
  beside.push(client);
  return client;
}

async function dialIn(count: number): Promise<Socket[]> {
  const opened = Array.from({ length: count }, (_, n) => {
    const socket = connect({ host: "127.0.0.1", port: platform.modemPort });
    socket.on("error", () => undefined);
    socket.write(String(firstImei + n + 1).padStart(15, "0"));
    return socket;
  });
  sockets.push(...opened);
  await Promise.all(opened.map((socket) => once(socket, "connect")));
  return opened;
}

async function heldLines(): Promise<number> {
  const { rows } = await observer.query<{ n: number }>(
    "select count(*)::int as n from line_holder where line like 'modem:%'",
  );
  return rows[0]?.n ?? 0;
}

/** The number of held lines stays constant for longer than a reconciliation takes. */
async function staysHeld(count: number): Promise<void> {
  let since: number | undefined;
  await until(async () => {
    since = (await heldLines()) === count ? (since ?? performance.now()) : undefined;
    return since !== undefined && performance.now() - since > 1_500;
  });
}

/** Locks the held lines against changes until the returned function is called. */
async function slowLock(): Promise<() => Promise<void>> {
  const client = await besidePool();
  await client.query("begin");
  await client.query("lock table line_holder in exclusive mode");
  return async () => {
    await client.query("commit");
  };
}

const waitsForLock = (atLeast: number) =>
  until(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks where not granted and relation = 'line_holder'::regclass`.execute(
      db(),
    );
    return (rows[0]?.n ?? 0) >= atLeast;
  });

test("after a mass reconnect with a slow lock no connected modem stays without a holder", async () => {
  await dialIn(modems);
  await staysHeld(modems);
  const unlock = await slowLock();
  for (const socket of sockets.splice(0)) socket.destroy();
  await waitsForLock(1);
  await dialIn(modems);
  await waitsForLock(2);

  await unlock();

  await staysHeld(modems);
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test("the line of a modem that disconnected during its admission is not kept", async () => {
  const unlock = await slowLock();
  const [modem] = await dialIn(1);
  await waitsForLock(1);
  modem?.destroy();
  // The server has noticed once a connection made later is admitted.
  await unlock();

  await staysHeld(0);
});

test("lines and connections that the database has lost are restored within seconds", async () => {
  await dialIn(5);
  await staysHeld(5);

  await sql`delete from line_holder`.execute(db());
  await sql`update modem_connection set is_online = false, process_id = null`.execute(db());

  await staysHeld(5);
  await until(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from modem_connection where is_online`.execute(db());
    return rows[0]?.n === 5;
  });
});

test("a row without a connection is released within seconds", async () => {
  const { rows } = await sql<{ id: number }>`select id from process order by id limit 1`.execute(db());

  await sql`insert into line_holder (line, process_id) values ('modem:999999', ${rows[0]?.id ?? 0})`.execute(
    db(),
  );

  await staysHeld(0);
});
