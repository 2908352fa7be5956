import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { programOf } from "#testing/program";

/** Two real processes of the API on one database. */
interface Server {
  readonly port: number;
  readonly child: ChildProcess;
}

const engineer = "engineer@metrum.example";
const password = "Metrum!2026";

let api: TestApi;
let servers: Server[] = [];
beforeAll(async () => {
  api = await openTestApi();
  servers = await Promise.all([startServer(), startServer()]);
});
beforeEach(async () => {
  await sql`delete from guess`.execute(api.services.database.system);
});
afterAll(async () => {
  await Promise.all(servers.map(stopServer));
  await api.close();
});

async function startServer(): Promise<Server> {
  const { host, port: databasePort, user, password: secret, database } = api.database.connection;
  const url = new URL(`postgres://localhost:${String(databasePort)}/${database}`);
  url.username = user;
  url.password = secret;
  url.searchParams.set("host", host);
  const child = spawn(process.execPath, programOf("main"), {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      METRUM_DATABASE_URL: url.href,
      METRUM_DATA_DIR: api.services.config.dataDir,
      METRUM_ROLES: "api",
      METRUM_PORT: "0",
      METRUM_LOG_LEVEL: "error",
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (bytes: Buffer) => {
      const [, taken] = /^Metrum is ready: http:\/\/127\.0\.0\.1:(\d+)/m.exec(bytes.toString()) ?? [];
      if (taken !== undefined) resolve(Number(taken));
    });
    child.on("exit", () => reject(new Error("the server ended before it was ready")));
  });
  return { port, child };
}

async function stopServer({ child }: Server): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** Answer of one of the two servers to a sign-in, in turn; tried again while a loaded machine answers too late. */
async function login(turn: number, body: object): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = await loginOnce(turn, body);
    if (answer !== "database_away") return answer;
    await sleep(500);
  }
  return "database_away";
}

async function loginOnce(turn: number, body: object): Promise<string> {
  const { port } = servers[turn % servers.length] ?? { port: 0 };
  const response = await fetch(`http://127.0.0.1:${String(port)}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: engineer, password, ...body }),
  });
  const { code } = (await response.json()) as { code?: string };
  return response.ok ? "in" : (code ?? "");
}

/** A captcha of either server, answered. */
async function solved(turn: number): Promise<{ captcha: string; captcha_key: string }> {
  const { port } = servers[turn % servers.length] ?? { port: 0 };
  const response = await fetch(`http://127.0.0.1:${String(port)}/api/captcha`);
  const { data } = (await response.json()) as { data: { key: string } };
  const { rows } = await sql<{ answer: string }>`
    select answer from captcha where key_hash = sha256(${data.key}::bytea)
  `.execute(api.services.database.system);
  return { captcha: rows[0]?.answer ?? "", captcha_key: data.key };
}

async function restart(turn: number): Promise<void> {
  const old = servers[turn];
  if (old) await stopServer(old);
  servers[turn] = await startServer();
}

test("LOGIN-027 two processes share their counts: of 50 concurrent attempts 3 are checked", async () => {
  const codes = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => login(turn, { password: "wrong" })),
  );

  expect(codes.filter((code) => code === "sign_in_refused")).toHaveLength(3);
  expect(codes.filter((code) => code === "captcha_needed")).toHaveLength(47);
});

test("LOGIN-027 the 10th failure locks the account in both, and a restart forgets neither failures nor the lock", async () => {
  for (const turn of [0, 1, 0]) await login(turn, { password: "wrong" });
  await restart(0);
  const refused = [await login(0, {}), await login(1, {})];
  for (let turn = 0; turn < 7; turn += 1)
    await login(turn, { password: "wrong", ...(await solved(turn + 1)) });
  const locked = [await login(0, await solved(1)), await login(1, await solved(0))];
  await restart(1);
  const still = await login(1, await solved(1));

  // A locked account answers like a wrong password; the lock shows only by ending after its time.
  await sql`
    update guess set failed_at = array(select at - 15 * 60000 from unnest(failed_at) as at)
  `.execute(api.services.database.system);
  const later = await login(1, {});

  expect(refused).toEqual(["captcha_needed", "captcha_needed"]);
  expect([...locked, still]).toEqual(["sign_in_refused", "sign_in_refused", "sign_in_refused"]);
  expect(later).toBe("in");
});

test("a captcha issued by one process can be solved at another, once in total", async () => {
  for (let turn = 0; turn < 3; turn += 1) await login(turn, { password: "wrong" });
  const given = { password: "wrong", ...(await solved(0)) };

  const codes = await Promise.all(Array.from({ length: 10 }, (_, turn) => login(turn + 1, given)));

  expect(codes.filter((code) => code === "sign_in_refused")).toHaveLength(1);
  expect(codes.filter((code) => code === "captcha_wrong")).toHaveLength(9);
});
