import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSecretBox, fingerprintOf, secretsKeyFile } from "../secrets.ts";
import { openTestDatabase, type TestDatabase } from "#testing/database";
import { openDatabase, type Database } from "./database.ts";
import { acceptSecretsKey, holdSecretsKey, requireSecretsKey } from "./secretsKey.ts";

let given: TestDatabase;
let database: Database;
let folders: string;
let dataDir: string;
let other: string;
beforeAll(async () => {
  given = await openTestDatabase();
  database = openDatabase({ ...given.connection, max: 4 });
  folders = mkdtempSync(join(tmpdir(), "metrum-keys-"));
});
afterAll(async () => {
  await database.close();
  await given.drop();
  rmSync(folders, { recursive: true });
});
beforeEach(async () => {
  dataDir = mkdtempSync(join(folders, "own-"));
  other = mkdtempSync(join(folders, "other-"));
  await sql`delete from installation`.execute(database.system);
  await sql`delete from network_server`.execute(database.system);
});

const hold = (folder: string): Promise<void> => holdSecretsKey(database.system, folder);

async function sealSomething(): Promise<void> {
  await sql`
    with c as (insert into company (path, name, active_modules)
      values (text2ltree('k' || replace(gen_random_uuid()::text, '-', '')), 'Sealed', '[]') returning id)
    insert into network_server (company_id, kind, name, url, username, sealed)
      select id, 'chirpstack', 'Server', '', '', '\\x01' from c`.execute(database.system);
}

describe("PROD-038 a database knows the key that sealed its secrets", () => {
  test("the first start makes the key and stores its fingerprint, which tells nothing of it", async () => {
    await hold(dataDir);
    await hold(dataDir);

    const { rows } = await sql<{ value: string }>`select value from installation`.execute(database.system);
    expect(rows).toEqual([{ value: fingerprintOf(dataDir) }]);
    const key = Buffer.from(readFileSync(join(dataDir, secretsKeyFile), "utf8"), "base64");
    expect(key.toString("hex")).not.toContain(rows[0]?.value);
  });

  test("a process with another key, or without one, refuses and says what to do, and makes no key", async () => {
    await hold(dataDir);
    createSecretBox({ dataDir: other }).seal("text", "purpose");
    const empty = mkdtempSync(join(folders, "empty-"));

    await expect(hold(other)).rejects.toThrow(/secrets\.key is not the key of this database.*Copy the file/);
    await expect(hold(empty)).rejects.toThrow(/secrets\.key is missing.*Copy the file.*accept-key/);

    expect(fingerprintOf(empty)).toBeUndefined();
    await hold(dataDir);
  });

  test("of two first starts with data directories of their own one refuses", async () => {
    const outcomes = await Promise.allSettled([hold(dataDir), hold(other)]);

    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("a database of an older version with sealed secrets takes the key that is there, never a new one", async () => {
    await sealSomething();

    await expect(hold(dataDir)).rejects.toThrow(/secrets\.key is missing/);
    expect(fingerprintOf(dataDir)).toBeUndefined();
    createSecretBox({ dataDir }).seal("text", "purpose");
    await hold(dataDir);

    await expect(requireSecretsKey(database.system, other)).rejects.toThrow(/is missing/);
  });

  test("a lost key is replaced on demand only", async () => {
    await hold(dataDir);
    await expect(hold(other)).rejects.toThrow();

    await acceptSecretsKey(database.system, other);

    await hold(other);
    await expect(hold(dataDir)).rejects.toThrow(/is not the key/);
  });

  test("a file that is no key is named, and nothing is stored of it", async () => {
    writeFileSync(join(dataDir, secretsKeyFile), "c2hvcnQ=\n");

    await expect(hold(dataDir)).rejects.toThrow(/secrets\.key is not a key of 32 bytes/);

    await hold(other);
  });
});
