import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#config";
import { makeCertificate } from "#testing/peers/certificate";
import { openTestDatabase, type TestDatabase } from "#testing/database";
import { allOptions, examine } from "./doctor.ts";

let database: TestDatabase;
let dataDir: string;
let squatter: Server;
let takenPort: number;
beforeAll(async () => {
  database = await openTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "metrum-doctor-"));
  squatter = createServer();
  takenPort = await new Promise<number>((resolve) =>
    squatter.listen(0, "127.0.0.1", () => {
      const address = squatter.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    }),
  );
});
afterAll(async () => {
  squatter.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

function urlOf({ connection }: TestDatabase, name = connection.database): string {
  const { user, password, host, port } = connection;
  return `postgres://${user}:${password}@/${name}?host=${encodeURIComponent(host)}&port=${String(port)}`;
}

function settings(more: Record<string, string> = {}): Record<string, string> {
  const ports = { METRUM_PORT: "0", METRUM_MQTT_PORT: "0", METRUM_MODEM_PORTS: "0:imei" };
  return { ...ports, METRUM_DATA_DIR: dataDir, METRUM_DATABASE_URL: urlOf(database), ...more };
}

async function wrongIn(env: Record<string, string>): Promise<string[]> {
  const findings = await examine(readConfig(env));
  return findings
    .filter(({ advice }) => advice !== undefined)
    .map(({ about, advice }) => `${about}: ${advice ?? ""}`);
}

test("a correct installation has no findings", async () => {
  expect(await wrongIn(settings())).toEqual([]);
});

test("POLL-020 stuck commands, slots beyond their interval and what is ahead of the clock are findings", async () => {
  const pool = new pg.Pool({ ...database.superuser, max: 1 });
  const now = Math.floor(Date.now() / 1000);
  const idOf = async (text: string, values: readonly unknown[]): Promise<number> =>
    (await pool.query<{ id: number }>(`${text} returning id`, [...values])).rows[0]?.id ?? 0;
  const company = await idOf(
    "insert into company (name, path, active_modules) values ('Late', 'late', '[]')",
    [],
  );
  const device = await idOf(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID",
      report_period_update) values ($1, 101, 'M', 1, 1, 4, 'D', 'late-1', 3600)`,
    [company],
  );
  await pool.query(
    `update device_state set next_poll_at = $2::int8 + 20000, last_data_at = $2::int8 + 7200, silent_at = $2::int8 + 9000
      where device_id = $1`,
    [device, now],
  );
  await pool.query(
    `insert into device_command (company_id, task_id, device_id, key, arguments, actuates, switches_off, created_at,
      expires_at, next_at, state, sent_at, process_id)
      values ($1, 1, $2, 'power', '{}', true, false, $3::int8, $3::int8 + 600, $3::int8, 'sending', $3::int8, 1)`,
    [company, device, now - 900],
  );

  const wrong = await wrongIn(settings());
  await pool.query("delete from device_command");
  await pool.query("delete from device");
  await pool.query("delete from company where id = $1", [company]);
  await pool.end();

  expect(wrong.map((each) => each.slice(0, each.indexOf(":")))).toEqual(["commands", "poll plan", "ahead"]);
});

test("a port in use is reported with its variable", async () => {
  const [wrong] = await wrongIn(settings({ METRUM_MQTT_PORT: String(takenPort) }));

  expect(wrong).toContain(`port ${String(takenPort)}`);
  expect(wrong).toContain("METRUM_MQTT_PORT");
});

async function tls(validDays: number): Promise<Record<string, string>> {
  const [certFile, keyFile] = [join(dataDir, "cert.pem"), join(dataDir, "key.pem")];
  const { cert, key } = makeCertificate({ validDays });
  await writeFile(certFile, cert);
  await writeFile(keyFile, key);
  return { METRUM_MQTTS_PORT: "0", METRUM_TLS_CERT: certFile, METRUM_TLS_KEY: keyFile };
}

test("the TLS port of the broker is checked like the others, together with its certificate", async () => {
  const sound = await wrongIn(settings(await tls(30)));
  const [taken] = await wrongIn(settings({ ...(await tls(30)), METRUM_MQTTS_PORT: String(takenPort) }));
  const [expired] = await wrongIn(settings(await tls(-1)));
  const missing = { ...(await tls(30)), METRUM_TLS_CERT: join(dataDir, "nowhere.pem") };
  const findings = await examine(readConfig(settings(missing)));

  expect(sound).toEqual([]);
  expect(taken).toContain("METRUM_MQTTS_PORT");
  expect(expired).toMatch(/^certificate: Renew/);
  expect(findings.find(({ about }) => about === "certificate")?.seen).toMatch(/METRUM_TLS_CERT.*ENOENT/);
});

test("an outdated schema is reported with the command that updates it", async () => {
  const [wrong] = await wrongIn(settings({ METRUM_DATABASE_URL: urlOf(database, "metrum") }));

  expect(wrong).toMatch(/^schema: .*migrate/);
});

test("a database that does not answer is a finding, not a crash", async () => {
  const wrong = await wrongIn(settings({ METRUM_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }));

  expect(wrong).toEqual([expect.stringContaining("METRUM_DATABASE_URL")]);
});

test("a password file that others can read is a finding", async () => {
  const file = join(dataDir, "database.password");
  await writeFile(file, "secret");
  await chmod(file, 0o644);

  expect(await wrongIn(settings())).toEqual([expect.stringContaining("chmod 600")]);
  await rm(file);
});

test("TRUST-029 options are checked before anything is opened, and a wrong one is named", () => {
  expect(allOptions([])).toBeUndefined();
  expect(allOptions(["--all"])).toEqual({ companyId: undefined, isRepair: false });
  expect(allOptions(["--all", "--repair", "--company", "7"])).toEqual({ companyId: 7, isRepair: true });
  expect(() => allOptions(["--repair"])).toThrow(/--repair needs --all/);
  expect(() => allOptions(["--company", "7"])).toThrow(/--company needs --all/);
  expect(() => allOptions(["--all", "--company", "x"])).toThrow(/--company is to be a whole number/);
  expect(() => allOptions(["--every"])).toThrow(/--every/);
});
