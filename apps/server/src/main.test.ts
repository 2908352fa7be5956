import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Output of a start without the demonstration until it is ready; it is stopped then. */
async function printedBy(env: Record<string, string> = {}): Promise<string> {
  const { user, password, host, port, database: name } = database.connection;
  const url = `postgres://${user}:${password}@/${name}?host=${encodeURIComponent(host)}&port=${String(port)}`;
  const started = spawn(process.execPath, programOf("main"), {
    cwd: join(import.meta.dirname, ".."),
    env: {
      PATH: process.env["PATH"],
      METRUM_DATABASE_URL: url,
      METRUM_DATA_DIR: dataDir,
      METRUM_ROLES: "api",
      METRUM_PORT: "0",
      METRUM_LOG_LEVEL: "silent",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
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
