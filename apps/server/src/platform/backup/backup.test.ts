import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { migrateTo, openDatabase, pendingMigrations, type Database } from "#core";
import { ingest } from "#metering/messages";
import type { TestDatabase } from "#testing/database";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";
import { backup, lastBackup, restore } from "./index.ts";
import { manifestEntry } from "./manifest.ts";
import { readTar, tarEnd, tarEntry } from "./tar.ts";
import { anotherProcess } from "#testing/anotherProcess";

let store: TestStore;
let directory: string;
let dataDir: string;
let file: string;
beforeAll(async () => {
  store = await openTestStore();
  directory = await mkdtemp(join(tmpdir(), "metrum-backup-"));
  dataDir = join(directory, "data");
  file = join(directory, "saved.metrum");
  await mkdir(join(dataDir, "designs"), { recursive: true });
  await mkdir(join(dataDir, "database"));
  await writeFile(join(dataDir, "database", "base"), "the engine's own");
  await writeFile(join(dataDir, "database.password"), "of this cluster only");
  await writeFile(join(dataDir, "secrets.key"), randomBytes(32), { mode: 0o600 });
  await writeFile(join(dataDir, "designs", "логотип 1.png"), randomBytes(2_500_000));
  await writeFile(join(dataDir, "designs", "empty.css"), "");
});
afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

/** An empty database owned by the application's role, as on an external PostgreSQL. */
interface Target extends Database {
  readonly connection: TestDatabase["connection"];
  readonly dataDir: string;
  readonly drop: () => Promise<void>;
}
let target: Target;
beforeEach(async () => (target = await emptyDatabase()));
afterEach(() => target.drop());

async function emptyDatabase(): Promise<Target> {
  const name = `restored_${randomBytes(6).toString("hex")}`;
  await asSuperuser(`create database ${name} owner metrum`);
  const connection = { ...inject("testCluster"), user: "metrum", database: name };
  const database = openDatabase({ ...connection, max: 2 });
  return {
    ...database,
    connection,
    dataDir: join(directory, name),
    async drop() {
      await database.close();
      await asSuperuser(`drop database ${name} with (force)`);
    },
  };
}

async function asSuperuser(text: string): Promise<void> {
  const client = new pg.Client({ ...inject("testCluster") });
  await client.connect();
  await client.query(text);
  await client.end();
}

const saveTo = (name = file) => backup({ database: store.services.database, dataDir, file: name });
/** With separate connections, as in the command. */
async function restoreFrom(name = file, replace = false, passphrase?: string): ReturnType<typeof restore> {
  const database = openDatabase({ ...target.connection, max: 2 });
  try {
    return await restore({ database, dataDir: target.dataDir, file: name, passphrase, replace });
  } finally {
    await database.close();
  }
}

/** Every stored table with its rows, in a fixed order: an independent check of counts and checksums. */
async function contentOf(client: pg.ClientBase): Promise<Record<string, { n: number; sum: string }>> {
  await client.query("set timezone = 'UTC'");
  const { rows: tables } = await client.query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relpersistence = 'p'
      and relkind in ('r', 'p') order by 1`);
  const content: Record<string, { n: number; sum: string }> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ n: number; sum: string }>(
      `select count(*)::int as n, md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as sum from ${name} t`,
    );
    if (rows[0]) content[name] = rows[0];
  }
  return content;
}

async function on<Result>(database: Database, run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = database.client();
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

const isEmpty = (database: Database) =>
  on(database, async (client) => {
    const { rows } = await client.query("select from pg_class where relnamespace = 'public'::regnamespace");
    return rows.length === 0;
  });

/** The same archive with another manifest, otherwise intact. */
async function rewrite(from: string, to: string, change: (manifest: string) => string): Promise<void> {
  const parts: Buffer[] = [];
  for await (const { name, data } of readTar(piecesOf(gunzipSync(await readFile(from))))) {
    const text = name === manifestEntry ? change(data.toString()) : undefined;
    if (text !== undefined) expect(text).not.toBe(data.toString());
    parts.push(tarEntry({ name, data: text === undefined ? data : Buffer.from(text) }));
  }
  await writeFile(to, gzipSync(Buffer.concat([...parts, tarEnd])));
}

async function* piecesOf(whole: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < whole.length; at += 70_001)
    yield await Promise.resolve(whole.subarray(at, at + 70_001));
}

describe("PROD-036 backup and restore", () => {
  test("a backup taken while readings arrive, restored elsewhere, has the counts and checksums of its moment", async () => {
    const devices = await Promise.all([store.addDevice(), store.addDevice(), store.addDevice()]);
    let round = 0;
    const load = async (): Promise<void> => {
      const readings = devices.flatMap((deviceId) =>
        Array.from({ length: 200 }, (_, n) =>
          aReading({
            deviceId,
            ts: at("2026-09-29T00:00:00Z") + (round * 200 + n) * 1800,
            values: { tariff1: round + n / 7, tariff2: n },
          }),
        ),
      );
      round++;
      await ingest(store.services, readings);
    };
    await load();
    const over = { isOver: false };
    const loading = (async () => {
      while (!over.isOver) await load();
    })();

    let seen: Awaited<ReturnType<typeof contentOf>> = {};
    const { manifest } = await backup({
      database: store.services.database,
      dataDir,
      file,
      onSnapshot: async (snapshot) => {
        const before = round;
        await load();
        expect(round).toBeGreaterThan(before);
        seen = await on(store.services.database, async (client) => {
          await client.query("begin isolation level repeatable read read only");
          await client.query(`set transaction snapshot '${snapshot}'`);
          return contentOf(client);
        });
      },
    });
    over.isOver = true;
    await loading;
    const { migrated } = await restoreFrom();

    const restored = await on(target, contentOf);
    expect(restored).toEqual(seen);
    expect(migrated).toEqual([]);
    const now = await on(store.services.database, contentOf);
    expect(now["message"]?.n).toBeGreaterThan(restored["message"]?.n ?? 0);
    const rows = manifest.tables.filter(({ partition }) => partition?.of === "message");
    expect(rows.length).toBeGreaterThanOrEqual(1);
    expect(rows.reduce((sum, table) => sum + table.rows, 0)).toBe(seen["message"]?.n);
  });

  test("a restored database works: ids, references, row-level security, triggers and late readings", async () => {
    const device = await store.addDevice();
    await ingest(store.services, [
      aReading({ deviceId: device, ts: at("2026-10-05T00:00:00Z"), values: { tariff1: 5 } }),
    ]);
    await saveTo();
    await restoreFrom();

    const peer = anotherProcess(store.services, { database: target });
    const again = await ingest(peer, [
      aReading({ deviceId: device, ts: at("2026-10-05T00:00:00Z"), values: { tariff1: 5 } }),
      aReading({ deviceId: device, ts: at("2026-10-05T01:00:00Z"), values: { tariff1: 6 } }),
      aReading({ deviceId: device, ts: at("2027-02-05T01:00:00Z"), values: { tariff1: 7 } }),
    ]).catch((error: unknown) => error);
    const { rows } = await target.pool.query<{ fresh: number; states: number; walls: number }>(`
      with made as (
        insert into company (path, name, active_modules) values ('fresh', 'Fresh', '[]') returning id
      )
      select (select id from made) as fresh,
        (select count(*)::int from pg_class where relforcerowsecurity) as walls,
        (select count(*)::int from device_state) as states`);
    const source = await store.services.database.pool.query<{ last: number; walls: number }>(
      `select max(id) as last, (select count(*)::int from pg_class where relforcerowsecurity) as walls from company`,
    );

    expect(again).not.toBeInstanceOf(Error);
    expect(rows[0]?.fresh).toBeGreaterThan(source.rows[0]?.last ?? 0);
    expect(rows[0]?.walls).toBe(source.rows[0]?.walls);
    await expect(
      target.pool.query(
        "delete from company where exists (select from device where company_id = company.id)",
      ),
    ).rejects.toMatchObject({ code: "23503" });
    const { rows: made } = await target.pool.query<{ id: number; states: number }>(`
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      select company_id, model_id, model_title, 4, 3, 4, 'Next', '2' from device where id = ${String(device)} returning id`);
    const { rows: states } = await target.pool.query("select from device_state where device_id = $1", [
      made[0]?.id,
    ]);
    expect(states).toHaveLength(1);
  });

  test("files are included with their modes, those of the database engine are not", async () => {
    const { manifest } = await saveTo();
    await restoreFrom();

    expect(manifest.files.map(({ path }) => path)).toEqual([
      "designs/empty.css",
      "designs/логотип 1.png",
      "secrets.key",
    ]);
    for (const { path } of manifest.files) {
      const [saved, restored] = await Promise.all(
        [dataDir, target.dataDir].map((each) => readFile(join(each, path))),
      );
      expect(saved && restored?.equals(saved), path).toBe(true);
    }
    expect((await stat(join(target.dataDir, "secrets.key"))).mode & 0o777).toBe(0o600);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(stat(join(target.dataDir, "restore.new"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("an installation that is not empty is not touched unless it is to be replaced", async () => {
    await saveTo();
    await restoreFrom();
    const before = await on(target, contentOf);
    await store.addDevice();
    const newer = join(directory, "newer.metrum");
    await saveTo(newer);

    await expect(restoreFrom(newer)).rejects.toThrow(/not empty: it holds \d+ companies.*--replace/);
    expect(await on(target, contentOf)).toEqual(before);
    await restoreFrom(newer, true);

    expect((await on(target, contentOf))["device"]?.n).toBe((before["device"]?.n ?? 0) + 1);
  });

  test("a different key file is not overwritten accidentally", async () => {
    await saveTo();
    await mkdir(target.dataDir);
    await writeFile(join(target.dataDir, "secrets.key"), "another key");

    await expect(restoreFrom()).rejects.toThrow(/another secrets\.key.*--replace/);

    expect(await isEmpty(target)).toBe(true);
    expect(await readFile(join(target.dataDir, "secrets.key"), "utf8")).toBe("another key");
  });

  test("a database with foreign tables is never changed", async () => {
    await saveTo();
    await target.pool.query("create table invoice (id int)");

    await expect(restoreFrom(file, true)).rejects.toThrow(/1 tables that are not of Metrum/);

    expect((await target.pool.query("select from invoice")).rows).toEqual([]);
  });

  test("a database in use is not overwritten", async () => {
    await saveTo();

    await on(target, () => expect(restoreFrom()).rejects.toThrow(/in use by 1 other/));

    expect(await isEmpty(target)).toBe(true);
  });

  test("a truncated, altered or foreign file changes nothing", async () => {
    await saveTo();
    const whole = await readFile(file);
    const middle = Math.floor(whole.length / 2);
    const flipped = Buffer.from(whole);
    flipped[middle] = (flipped[middle] ?? 0) ^ 1;
    const wrong = {
      "no gzip": Buffer.from("PK\u0003\u0004 something else"),
      "nothing at all": Buffer.alloc(0),
      "cut in the middle": whole.subarray(0, middle),
      "without its last bytes": whole.subarray(0, -1),
      "a bit turned": flipped,
    };

    for (const [what, content] of Object.entries(wrong)) {
      const path = join(directory, "wrong.metrum");
      await writeFile(path, content);
      await expect(restoreFrom(path), what).rejects.toThrow(/is no backup of Metrum|damaged|cut off/);
      expect(await isEmpty(target), what).toBe(true);
    }
    await expect(restoreFrom(join(directory, "nowhere"))).rejects.toThrow(/ENOENT/);
    await expect(stat(target.dataDir)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("restored rows that do not match the manifest are rolled back", async () => {
    const altered = join(directory, "altered.metrum");
    await saveTo();
    await rewrite(file, altered, (manifest) =>
      manifest.replace(/("name":"company".*?"rows":)(\d+)/, "$1999"),
    );

    await expect(restoreFrom(altered)).rejects.toThrow(/company came out with/);

    expect(await isEmpty(target)).toBe(true);
    await expect(stat(join(target.dataDir, "secrets.key"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("no file may be written outside the data directory", async () => {
    const altered = join(directory, "altered.metrum");
    await saveTo();
    await rewrite(file, altered, (manifest) => manifest.replace('"secrets.key"', '"../secrets.key"'));

    await expect(restoreFrom(altered)).rejects.toThrow(/damaged or was altered/);
  });

  test("a backup of an older version is restored unchanged and then migrated", async () => {
    const old = await emptyDatabase();
    const versions = ["0001-companies", "0002-devices", "0003-telemetry", "0004-live"];
    await on(old, async (client) => {
      await client.query("begin");
      await migrateTo(client, versions);
      await client.query(
        "insert into company (path, name, active_modules) values ('1', 'Old', '[]'); commit",
      );
    });
    const { manifest } = await backup({ database: old, dataDir, file });
    await old.drop();

    const { migrated } = await restoreFrom();

    expect(manifest.migrations).toEqual(versions);
    expect(migrated[0]).toBe("0005-polling");
    expect(await pendingMigrations(target.pool)).toEqual([]);
    expect((await target.pool.query("select name from company")).rows).toEqual([{ name: "Old" }]);
  });

  test("a backup of a newer version is refused with that version", async () => {
    const altered = join(directory, "altered.metrum");
    await saveTo();
    await rewrite(file, altered, (manifest) =>
      manifest.replace('"0001-companies",', '"0001-companies","9999-teleport",'),
    );

    await expect(restoreFrom(altered)).rejects.toThrow(/newer.*9999-teleport/);

    expect(await isEmpty(target)).toBe(true);
  });

  test("the newest backup is recorded for health, a failed one is not", async () => {
    await saveTo();
    const before = await lastBackup(store.services.database.system);
    const other = join(directory, "letter.txt");
    await writeFile(other, "Dear customer");

    await expect(saveTo(other)).rejects.toThrow(/is no backup of Metrum/);
    await expect(saveTo(join(dataDir, "inside.metrum"))).rejects.toThrow(/inside of the data directory/);
    await expect(saveTo(join(directory, "no", "where"))).rejects.toThrow(/no directory/);
    await expect(backup({ database: target, dataDir, file: join(directory, "x") })).rejects.toThrow(
      /nothing to save/,
    );

    expect(before).toMatchObject({ file, bytes: (await stat(file)).size });
    expect(await lastBackup(store.services.database.system)).toEqual(before);
    expect(await readFile(other, "utf8")).toBe("Dear customer");
    expect((await readdir(directory)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("an encrypted backup is restored with its passphrase, and not without it, and shows nothing of its content", async () => {
    const sealed = join(directory, "sealed.metrum");
    const passphrase = "correct horse battery staple";
    await backup({ database: store.services.database, dataDir, file: sealed, passphrase });

    await expect(restoreFrom(sealed)).rejects.toThrow(/is encrypted: set METRUM_BACKUP_PASSPHRASE/);
    expect(await isEmpty(target)).toBe(true);
    await restoreFrom(sealed, false, passphrase);

    expect(() => gunzipSync(readFileSync(sealed))).toThrow();
    expect((await on(target, contentOf))["company"]).toEqual(
      (await on(store.services.database, contentOf))["company"],
    );
    // An encrypted backup is replaced by the next one of its name.
    await saveTo(sealed);
  });

  test("a restore ends sessions, API tokens and open links, also those that were ended after the backup", async () => {
    await store.query(`
      with c as (insert into company (path, name, active_modules) values ('signed', 'Signed', '[]') returning id),
        u as (insert into users (company_id, email, name, password_hash) select id, 'who@metrum.example', 'Who', 'x' from c returning id, company_id),
        l as (insert into letter_link (token_hash, company_id, user_id, purpose, expires_at)
          select '\\x02', company_id, id, 'reset', now() + interval '1 hour' from u)
      insert into session (token_hash, user_id, company_id, expires_at)
        select '\\x01', id, company_id, now() + interval '1 day' from u`);
    const { manifest } = await saveTo();
    await restoreFrom();

    const saved = (name: string) => manifest.tables.find((table) => table.name === name)?.rows;
    const { rows } = await target.pool.query(
      "select (select count(*)::int from session) as sessions, (select count(*)::int from letter_link) as links",
    );
    expect([saved("session"), saved("letter_link")]).toEqual([1, 1]);
    expect(rows).toEqual([{ sessions: 0, links: 0 }]);
  });

  test("what a killed backup has left is removed by the next one, files of others and of living processes stay", async () => {
    await saveTo();
    const folder = join(directory, "killed");
    await mkdir(folder);
    const whole = await readFile(file);
    const left = { dead: "old.metrum.999999999.part", living: `old.metrum.${String(process.ppid)}.part` };
    const other = "film.999999999.part";
    for (const name of Object.values(left)) await writeFile(join(folder, name), whole.subarray(0, 5_000));
    await writeFile(join(folder, other), "of another program");

    await saveTo(join(folder, "new.metrum"));

    expect((await readdir(folder)).sort()).toEqual([other, "new.metrum", left.living].sort());
  });
});
