import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startEmbedded, type Connection, type EmbeddedDatabase } from "./index.ts";
import { isAlive } from "./pidFile.ts";

// One cluster for the whole file: creating it takes a second, and every test leaves it stopped.
let dataDir: string;
const started: EmbeddedDatabase[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "metrum-embedded-"));
  await chmod(dataDir, 0o711);
});
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function startIn(directory: string, log: string[] = []): Promise<EmbeddedDatabase> {
  const embedded = await startEmbedded({ dataDir: directory, log: (line) => log.push(line) });
  started.push(embedded);
  return embedded;
}

async function ask(connection: Connection, text: string): Promise<unknown> {
  const client = new pg.Client({ ...connection });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>({ text });
  await client.end();
  return Object.values(rows[0] ?? {})[0];
}

/**
 * An embedded server in a child process, so that it can be killed; resolves to its pid once the database
 * answers.
 */
async function startElsewhere(directory: string): Promise<{ pid: number; postmaster: number }> {
  const program = `import { startEmbedded } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
    await startEmbedded({ dataDir: ${JSON.stringify(directory)}, log: () => {} });
    console.log("ready"); setInterval(() => {}, 1000);`;
  const file = join(directory, "other.mts");
  await writeFile(file, program);
  const child = spawn(process.execPath, ["--import", "tsx", file], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return { pid: child.pid ?? 0, postmaster: await postmasterOf(directory) };
}

const addressOf = ({ host, port }: Connection) => ({ host, port });

async function postmasterOf(directory: string): Promise<number> {
  return Number((await readFile(join(directory, "database", "postmaster.pid"), "utf8")).split("\n")[0]);
}

async function kill(...pids: number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGKILL");
  while (pids.some(isAlive)) await sleep(10);
}

test("a first start creates a UTF-8 cluster that is durable, closed to others and not run as a superuser", async () => {
  const { connection } = await startIn(dataDir);

  expect(await ask(connection, "show server_encoding")).toBe("UTF8");
  expect(await ask(connection, "show fsync")).toBe("on");
  expect(await ask(connection, "show full_page_writes")).toBe("on");
  expect(await ask(connection, "show synchronous_commit")).toBe("on");
  expect(await ask(connection, "show listen_addresses")).toBe("");
  expect(await ask(connection, "show is_superuser")).toBe("off");
  expect((await stat(join(dataDir, "database.password"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, "database"))).mode & 0o777).toBe(0o700);
  await expect(ask({ ...connection, password: "guess" }, "select 1")).rejects.toMatchObject({
    code: "28P01",
  });
});

test("the password of the server's role is not that of the superuser, in a cluster of an older version neither", async () => {
  const first = await startIn(dataDir);
  const { connection } = first;
  const file = join(dataDir, "database.superuser.password");
  const own = (await readFile(file, "utf8")).trim();
  const as = (password: string): Connection => ({
    ...connection,
    user: "postgres",
    database: "postgres",
    password,
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await ask(as(own), "show is_superuser")).toBe("on");
  await expect(ask(as(connection.password), "select 1")).rejects.toMatchObject({ code: "28P01" });

  await ask(as(own), `alter role postgres password '${connection.password}'`);
  await rm(file);
  await first.stop();
  const second = await startIn(dataDir);
  const later = (await readFile(file, "utf8")).trim();

  expect(await ask({ ...as(later), ...addressOf(second.connection) }, "show is_superuser")).toBe("on");
  await expect(
    ask({ ...as(connection.password), ...addressOf(second.connection) }, "select 1"),
  ).rejects.toMatchObject({ code: "28P01" });
});

test("texts are sorted by ICU in Russian and Mongolian order", async () => {
  const { connection } = await startIn(dataDir);

  const sorted = (locale: string) =>
    ask(
      connection,
      `select string_agg(w, ' ' order by w collate "${locale}-x-icu") from unnest(array['я','Ё','е','ж','ө','п','о']) w`,
    );

  expect(await sorted("ru")).toBe("е Ё ж о ө п я");
  expect(await sorted("mn")).toBe("е Ё ж о ө п я");
});

test("a stop leaves no process, and a second start keeps everything", async () => {
  const first = await startIn(dataDir);
  await ask(first.connection, "create table kept as select 42 as value");
  const postmaster = await postmasterOf(dataDir);

  await first.stop();

  await expect.poll(() => isAlive(postmaster)).toBe(false);
  const second = await startIn(dataDir);
  expect(await ask(second.connection, "select value from kept")).toBe(42);
});

test("a database that has outlived its killed server is adopted", async () => {
  const other = await startElsewhere(dataDir);
  await kill(other.pid);
  const log: string[] = [];

  const adopted = await startIn(dataDir, log);

  expect(await postmasterOf(dataDir)).toBe(other.postmaster);
  expect(log.join()).toContain("adopted");
  expect(adopted.isOwner).toBe(true);
  expect(await ask(adopted.connection, "select 1")).toBe(1);
});

test("a start after a kill of both server and database needs no help", async () => {
  const other = await startElsewhere(dataDir);
  await kill(other.pid, other.postmaster);

  const { connection } = await startIn(dataDir);

  expect(await ask(connection, "select 1")).toBe(1);
});

test("a second process uses the database of the first and leaves it running", async () => {
  const other = await startElsewhere(dataDir);

  const guest = await startIn(dataDir);
  expect(guest.isOwner).toBe(false);
  expect(await ask(guest.connection, "select 1")).toBe(1);
  await guest.stop();

  expect(isAlive(other.postmaster)).toBe(true);
  await kill(other.pid, other.postmaster);
});

test.each(["owner", "owner and database"] as const)(
  "a process that shares the database runs it when the %s has been killed",
  async (killed) => {
    const other = await startElsewhere(dataDir);
    const guest = await startIn(dataDir);

    await kill(other.pid, ...(killed === "owner" ? [] : [other.postmaster]));
    // Whoever owns it starts it again.
    await expect.poll(() => postmasterOf(dataDir).then(isAlive, () => false), { interval: 50 }).toBe(true);
    if (killed === "owner") await sleep(1_000).then(() => kill(other.postmaster));

    await expect
      .poll(() => ask(guest.connection, "select 1").catch(() => undefined), { interval: 50 })
      .toBe(1);
    const own = await postmasterOf(dataDir);
    expect(own).not.toBe(other.postmaster);
    await guest.stop();
    await expect.poll(() => isAlive(own)).toBe(false);
  },
);

test("a database that dies is restarted", async () => {
  const { connection } = await startIn(dataDir);
  const dead = await postmasterOf(dataDir);
  await kill(dead);

  await expect.poll(() => ask(connection, "select 1").catch(() => undefined), { interval: 50 }).toBe(1);

  expect(await postmasterOf(dataDir)).not.toBe(dead);
});

test("a lock file whose process id now belongs to another process does not prevent the start", async () => {
  const first = await startIn(dataDir);
  await first.stop();
  const lock = `${String(process.pid)}\n${join(dataDir, "database")}\n1\n5432\n${join(dataDir, "database")}\n\n1 2\nready\n`;
  await writeFile(join(dataDir, "database", "postmaster.pid"), lock);
  await writeFile(join(dataDir, "database", ".s.PGSQL.5432.lock"), lock);

  const { connection } = await startIn(dataDir);

  expect(await ask(connection, "select 1")).toBe(1);
});

test("a path too long for a socket is replaced by a port on loopback", async () => {
  const long = join(dataDir, "d".repeat(100));

  const { connection } = await startIn(long);

  expect(connection.host).toBe("127.0.0.1");
  expect(connection.port).toBeGreaterThan(0);
  expect(await ask(connection, "select 1")).toBe(1);
});

test("a data directory behind a link is the same data directory", async () => {
  const first = await startIn(dataDir);
  const link = `${dataDir}-link`;
  await symlink(dataDir, link);

  const second = await startIn(link);

  expect(second.connection).toEqual(first.connection);
  await rm(link);
});
