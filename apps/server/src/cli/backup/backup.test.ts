import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verify } from "../../platform/backup/read.ts";
import { readConfig } from "#config";
import { openTestDatabase, type TestDatabase } from "#testing/database";
import { runCommand } from "#testing/program";
import { main as backup } from "./backup.ts";
import { examine } from "../doctor/doctor.ts";
import { main as restore } from "./restore.ts";
import { UsageError } from "../usage.ts";

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await openTestDatabase();
  directory = await mkdtemp(join(tmpdir(), "metrum-saved-"));
  await chmod(directory, 0o711);
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

const metrum = (args: string[], env: Record<string, string>) =>
  runCommand(args, { env: { ...process.env, METRUM_DATA_DIR: join(directory, "none"), ...env } });

function outside(): Record<string, string> {
  const { user, password, host, port, database: name } = database.connection;
  const url = `postgres://${user}:${password}@/${name}?host=${encodeURIComponent(host)}&port=${String(port)}`;
  return { METRUM_DATABASE_URL: url };
}

test("PROD-036 one command saves an external database, one restores it on an empty machine, and one saves it again", async () => {
  const [first, second] = [join(directory, "first"), join(directory, "second")];
  const empty = { METRUM_DATA_DIR: join(directory, "fresh", "data") };

  const saved = metrum(["backup", first], outside());
  const restored = metrum(["restore", first], empty);
  const again = metrum(["backup", second], empty);

  expect(saved.out).toMatch(
    /^\d+ tables with [\d,]+ rows and 0 files in .*first: [\d.]+ MiB in [\d.]+ s\.\n.*keys/,
  );
  expect((await stat(first)).mode & 0o777).toBe(0o600);
  expect(restored).toMatchObject({ status: 0, err: "" });
  expect(restored.out).toMatch(
    /^Restored \d+ tables .* every count and checksum is equal\.\nEverybody signs in anew;/,
  );
  expect(again.status).toBe(0);
  const sums = async (file: string) =>
    (await verify({ file })).tables
      // The record of the first backup is newer than its snapshot.
      .filter(({ name }) => name !== "installation")
      .map(({ name, rows, checksum }) => ({ name, rows, checksum }));
  expect(await sums(second)).toEqual(await sums(first));
  const findings = await examine(readConfig(outside()));
  expect(findings.find(({ about }) => about === "backup")?.seen).toMatch(/^\d{4}-.* 0 days ago, .*first$/);
});

test("PROD-036 the passphrase of a backup comes from the environment or a file, never from the command line", async () => {
  const [sealed, secret] = [join(directory, "sealed"), join(directory, "passphrase")];
  const empty = { METRUM_DATA_DIR: join(directory, "opened", "data") };
  await writeFile(secret, "correct horse battery staple\nanother line\n", { mode: 0o600 });

  const saved = metrum(["backup", sealed], {
    ...outside(),
    METRUM_BACKUP_PASSPHRASE: "correct horse battery staple",
  });
  const refused = metrum(["restore", sealed], empty);
  const restored = metrum(["restore", sealed, "--passphrase-file", secret], empty);
  await writeFile(secret, "short\n");

  expect(saved.out).toMatch(/is encrypted: nobody restores it without its passphrase/);
  expect(refused).toMatchObject({ status: 1, err: expect.stringContaining("is encrypted") as string });
  expect(restored.status).toBe(0);
  expect(metrum(["backup", sealed, "--passphrase-file", secret], outside())).toMatchObject({
    status: 2,
    err: expect.stringContaining("shorter than 12") as string,
  });
  expect(metrum(["backup", sealed], { ...outside(), METRUM_BACKUP_PASSPHRASE: "short" }).err).toContain(
    "METRUM_BACKUP_PASSPHRASE: at least 12 characters",
  );
});

test("wrong usage is distinguished from a file that is not a backup", async () => {
  const letter = join(directory, "letter");
  await writeFile(letter, "Dear customer");

  await expect(backup([])).rejects.toThrow(UsageError);
  await expect(restore(["a", "b"])).rejects.toThrow(UsageError);
  await expect(restore(["a", "--force"])).rejects.toMatchObject({ code: "ERR_PARSE_ARGS_UNKNOWN_OPTION" });
  expect(metrum(["restore", letter], outside())).toMatchObject({
    status: 1,
    out: "",
    err: expect.stringContaining("is no backup of Metrum") as string,
  });
});
