import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messages } from "@metrum/contract/messages";
import { mqttAccount } from "@metrum/contract/metering";
import { sql } from "kysely";
import mqtt, { type MqttClient } from "mqtt";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openDatabase, type Database } from "#core";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { makeCertificate } from "#testing/peers/certificate";
import { anotherProcess } from "#testing/anotherProcess";

/** Time limit against hanging, generous for a busy machine. */
const patience = { timeout: 20_000, interval: 20 };

let api: TestApi;
/** The database as accessed by another process. */
let elsewhere: Database;
/** Two processes with a broker each. */
let dialogues: readonly Dialogue[];
let token: string;
beforeAll(async () => {
  api = await openTestApi({
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1" },
  });
  elsewhere = openDatabase({ ...api.database.connection, max: 4 });
  dialogues = [
    await openDialogue(api.services),
    await openDialogue(anotherProcess(api.services, { database: elsewhere })),
  ];
  const listeners = [api.services.database.listener, elsewhere.listener];
  await vi.waitFor(() => expect(listeners.every((each) => each.isAlive())).toBe(true), patience);
  token = await api.token("engineer@metrum.example");
});
const clients: MqttClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.endAsync(true);
});
afterAll(async () => {
  for (const { stop } of dialogues) await stop();
  await elsewhere.close();
  await api.close();
});

async function aClient(username: string, password: string, at = 0): Promise<MqttClient> {
  const port = String(dialogues[at]?.ports.mqttPort);
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    username,
    password,
    reconnectPeriod: 0,
  });
  clients.push(client);
  return client;
}
const issue = async (by = token) => {
  const { status, data, msg } = await api.ask(mqttAccount.issue, { token: by });
  expect(status).toBe(200);
  return { username: data.account.username, password: data.password, msg };
};
const get = (by = token) => api.ask(mqttAccount.get, { token: by });

test("an issued password signs in to the broker, and no later answer contains it", async () => {
  const before = await get();
  const { username, password } = await issue();
  const after = await get();
  const client = await aClient(username, password);
  await client.publishAsync(`${after.data.prefix}mapped/x`, "{}", { qos: 1 });

  expect(before.data).toMatchObject({ has_password: false, issued_at: null, issued_by: null });
  const name = await sql<{ name: string }>`select name from users where email = 'engineer@metrum.example'`
    .execute(api.services.database.system)
    .then(({ rows }) => rows[0]?.name);
  expect(after.data).toMatchObject({ username, has_password: true, issued_by: name });
  expect(after.data.issued_at).toBeGreaterThan(0);
  expect(after.data.address).toEqual({ host: "127.0.0.1", port: 0, tls_port: null });
  expect(after.text).not.toContain(password);
});

test("the log records that a later password has replaced another one, but not that the first has", async () => {
  const theirs = await api.token("engineer2@metrum.example");

  const [first, second] = [await issue(theirs), await issue(theirs)];

  expect(Object.values(messages.mqtt_password_first)).toContain(first.msg);
  expect(Object.values(messages.mqtt_password_issued)).toContain(second.msg);
});

test("with a new password the old one is refused, and its connections are closed in every process", async () => {
  const old = await issue();
  const other = await issue(await api.token("engineer2@metrum.example"));
  const opened = [await aClient(old.username, old.password, 0), await aClient(old.username, old.password, 1)];
  const stranger = await aClient(other.username, other.password, 1);
  const fresh = await issue();

  await vi.waitFor(() => expect(opened.map(({ connected }) => connected)).toEqual([false, false]), patience);
  await expect(aClient(old.username, old.password)).rejects.toThrow("Not authorized");
  const again = await aClient(fresh.username, fresh.password);
  await again.publishAsync(`${fresh.username}/mapped/x`, "{}", { qos: 1 });

  expect([again.connected, stranger.connected]).toEqual([true, true]);
});

test("neither the table nor the audit log contains the password", async () => {
  const { username, password } = await issue();

  const rows = async (text: string) =>
    JSON.stringify((await api.services.database.pool.query<object>(text)).rows);
  const [account, trail] = [
    await rows("select *, encode(secret_hash, 'escape') as secret from mqtt_account"),
    await rows("select * from audit where action = 'mqttAccount.issue'"),
  ];
  expect(account).not.toContain(password);
  expect(trail).not.toContain(password);
  expect(trail).toContain(username);
});

test("API-024 the account shows what the broker has refused to its clients, and to no other's", async () => {
  const { username, password } = await issue();
  const client = await aClient(username, password);
  await client.publishAsync("$SYS/broker/connection/site/state", "1", { qos: 1, retain: true });
  await client.publishAsync("elsewhere/1", "1", { qos: 1 });
  await expect(aClient(username, "guess", 1)).rejects.toThrow("Not authorized");
  await expect(aClient("c999999", "guess", 1)).rejects.toThrow("Not authorized");

  const shown = async () =>
    (await get()).data.refusals.map(({ reason, detail, count }) => [reason, detail, count]);
  await vi.waitFor(async () => {
    expect((await shown()).toSorted()).toEqual(
      expect.arrayContaining([
        ["password", "", expect.any(Number)],
        ["topic", "elsewhere/1", 2],
      ]),
    );
  }, patience);

  const { data } = await get(await api.token("engineer2@metrum.example"));
  expect(data.refusals.filter(({ reason }) => reason === "topic")).toEqual([]);
});

test("a company gets its own account and sees no other", async () => {
  const theirs = await api.token("engineer2@metrum.example");
  const { username, password } = await issue(theirs);
  const before = await get(theirs);
  const own = await issue();
  const after = await get(theirs);
  const client = await aClient(username, password);

  expect(after.data).toEqual(before.data);
  expect(after.data).toMatchObject({ username, prefix: `c${String(api.companies.second)}/` });
  expect(own.username).toBe(`c${String(api.companies.first)}`);
  await expect(client.subscribeAsync(`${own.username}/#`, { qos: 1 })).rejects.toThrow();
});

test("only administrators see the account; demonstration users get no password", async () => {
  const codesOf = async (email: string) => {
    const by = await api.token(email);
    return [(await get(by)).code, (await api.ask(mqttAccount.issue, { token: by })).code];
  };

  expect(await codesOf("operator@metrum.example")).toEqual(["right_missing", "right_missing"]);
  expect((await codesOf("demo@metrum.example"))[1]).toBe("demo_refused");
});

test("the account is valid for the TLS port, whose number is returned; a missing file prevents the start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "metrum-tls-"));
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const { cert, key } = makeCertificate();
  writeFileSync(certFile, cert);
  const tls = { METRUM_MQTTS_PORT: "0", METRUM_TLS_CERT: certFile, METRUM_TLS_KEY: keyFile };
  const secure = await openTestApi({
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1", ...tls },
  });
  try {
    await expect(openDialogue(secure.services)).rejects.toThrow(/METRUM_TLS_KEY: .*key\.pem cannot be read/);
    writeFileSync(keyFile, key);
    const dialogue = await openDialogue(secure.services);
    const by = await secure.token("engineer@metrum.example");
    const { data } = await secure.ask(mqttAccount.issue, { token: by });
    const client = await mqtt.connectAsync(`mqtts://127.0.0.1:${String(dialogue.ports.mqttsPort)}`, {
      username: data.account.username,
      password: data.password,
      ca: cert,
      reconnectPeriod: 0,
    });

    expect(client.connected).toBe(true);
    expect(data.account.address).toMatchObject({ tls_port: 0 });

    await client.endAsync(true);
    await dialogue.stop();
  } finally {
    await secure.close();
    rmSync(folder, { recursive: true });
  }
});

test("with an external broker no password is issued", async () => {
  const outside = await openTestApi({ env: { METRUM_MQTT_URL: "mqtt://127.0.0.1:1" } });
  try {
    const by = await outside.token("engineer@metrum.example");
    const { data } = await outside.ask(mqttAccount.get, { token: by });
    const { code } = await outside.ask(mqttAccount.issue, { token: by });

    expect([data.address, data.has_password, code]).toEqual([null, false, "broker_elsewhere"]);
  } finally {
    await outside.close();
  }
});
