import { spawn, type ChildProcessByStdio } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "#testing/database";
import { programOf } from "#testing/program";

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await openTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), "metrum-start-"));
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await database.drop();
});

const workDir = join(import.meta.dirname, "..");

function spawnMain(env: Record<string, string> = {}): ChildProcessByStdio<null, Readable, Readable> {
  const { user, password, host, port, database: name } = database.connection;
  const url = `postgres://${user}:${password}@/${name}?host=${encodeURIComponent(host)}&port=${String(port)}`;
  return spawn(process.execPath, programOf("main"), {
    cwd: workDir,
    env: {
      PATH: process.env["PATH"],
      METRUM_DATABASE_URL: url,
      METRUM_DATA_DIR: dataDir,
      METRUM_ROLES: "api",
      METRUM_PORT: "0",
      METRUM_LOG_LEVEL: "silent",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Output of a start without the demonstration until it is ready; it is stopped then. */
async function printedBy(): Promise<string> {
  const started = spawnMain();
  started.stderr.pipe(process.stderr);
  let printed = "";
  started.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    if (printed.includes("Metrum is ready")) started.kill("SIGTERM");
  });
  await new Promise((resolve) => started.on("close", resolve));
  return printed;
}

test("PROD-034 only the first start shows the one-time password of one administrator", async () => {
  const first = await printedBy();
  const second = await printedBy();

  expect(first).toMatch(
    /^First account: owner@metrum\.example, password \S{20} \(shown only this once\)\nMetrum is ready: /,
  );
  expect(second).toMatch(/^Metrum is ready: [^\n]*\n$/);
});

test("PROD-038 a start with another key of the secrets ends with what to do", async () => {
  await printedBy();
  const other = mkdtempSync(join(tmpdir(), "metrum-other-"));
  writeFileSync(join(other, "secrets.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  const started = spawnMain({ METRUM_DATA_DIR: other });

  expect(await outcomeOf(started)).toEqual({
    code: 1,
    said: expect.stringMatching(/secrets\.key is not the key of this database.*Copy the file/) as string,
  });
  rmSync(other, { recursive: true });
});

async function outcomeOf(
  started: ChildProcessByStdio<null, Readable, Readable>,
): Promise<{ code: number | null; said: string }> {
  let said = "";
  started.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => started.on("close", resolve));
  return { code, said };
}

test("a first start of the demonstration that is stopped ends in order, without an error", async () => {
  const started = spawnMain({ METRUM_DEMO: "true", METRUM_ROLES: "api,worker", METRUM_LOG_LEVEL: "warn" });
  const outcome = outcomeOf(started);
  const client = new pg.Client({ ...database.connection });
  await client.connect();
  // Accounts are its first step; devices and their history follow.
  const isWriting = async (): Promise<boolean> => {
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from users where email = 'engineer@metrum.example'",
    );
    return (rows[0]?.n ?? 0) > 0;
  };
  await expect.poll(isWriting, { timeout: 120_000, interval: 50 }).toBe(true);
  await client.end();

  started.kill("SIGTERM");

  const { code, said } = await outcome;
  expect(code, said).toBe(0);
  expect(said).not.toContain("after calling end");
}, 180_000);

test("a server started as root goes on as an ordinary user, who owns its data directory", async () => {
  const own = mkdtempSync(join(tmpdir(), "metrum-root-"));
  const started = spawnMain({
    // As the default is.
    METRUM_DATA_DIR: relative(workDir, own),
    METRUM_DATABASE_URL: "",
    METRUM_ROLES: "api,worker",
    METRUM_LOG_LEVEL: "info",
  });
  const outcome = outcomeOf(started);
  await new Promise<void>((resolve) => {
    started.stdout.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("Metrum is ready")) resolve();
    });
    started.on("close", () => resolve());
  });
  const ids = readFileSync(`/proc/${String(started.pid)}/status`, "utf8");
  const owner = statSync(join(own, "secrets.key")).uid;
  // Where the database runs in a namespace, only root reaches it.
  const isReached = statSync(join(own, "database")).uid !== 0;
  started.kill("SIGTERM");
  const { code, said } = await outcome;
  rmSync(own, { recursive: true });

  expect(code, said).toBe(0);
  if (process.getuid?.() === 0 && isReached) expect(owner).not.toBe(0);
  else expect(owner).toBe(process.getuid?.());
  expect(ids).toMatch(new RegExp(`^Uid:(\\t${String(owner)}){4}$`, "m"));
}, 180_000);
