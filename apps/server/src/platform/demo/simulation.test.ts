import { mqttAccount } from "@metrum/contract/metering";
import { simulation } from "@metrum/contract/platform";
import { sql } from "kysely";
import mqtt, { type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Services } from "#core";
import type { Dialogue } from "#headend/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { openTestDialogue } from "#testing/dialogue";
import { until } from "#testing/until";
import { startDemoPark } from "./demo.ts";
import type { ParkProcess } from "./park.ts";

let api: TestApi;
let dialogue: Dialogue;
let park: ParkProcess;
let services: Services;
let staff: string;

beforeAll(async () => {
  ({ api, dialogue } = await openTestDialogue());
  const { modemPorts, mqttPort } = dialogue.ports;
  const { config } = api.services;
  services = {
    ...api.services,
    config: {
      ...config,
      mqttPort: mqttPort ?? 0,
      modemPorts: config.modemPorts.map((each) => ({ ...each, port: modemPorts[0] ?? 0 })),
    },
  };
  park = await startDemoPark(services, api.companies.first);
  staff = await api.token("admin@metrum.example");
});
afterAll(async () => {
  await park.stop();
  await dialogue.stop();
  await api.close();
});

/** Connected modems of a park. */
async function online(companyId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from line_holder l join gateway g on l.line = 'modem:' || g.id
    where g.company_id = ${companyId} and g.name like 'GW-P%'`.execute(api.services.database.system);
  return rows[0]?.n ?? 0;
}

const start = (token: string, company_id: number, devices = 40) =>
  api.ask(simulation.start, { token, language: "en", input: { body: { company_id, devices } } });

async function deviceCount(companyId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from device where company_id = ${companyId}`.execute(
    api.services.database.system,
  );
  return rows[0]?.n ?? 0;
}

test("one call registers a park whose modems dial in, another one removes both; the audit log records them", async () => {
  const companyId = api.companies.second;

  const started = await start(staff, companyId);

  expect(started).toMatchObject({ status: 200, msg: "The simulation is running, devices: 40" });
  expect(await deviceCount(companyId)).toBe(40);
  const { data } = await api.ask(simulation.state, { token: staff });
  expect(data).toMatchObject({ is_available: true, parks: [{ company_id: companyId, devices: 40 }] });
  await until(async () => (await online(companyId)) > 5);

  const removed = await api.ask(simulation.remove, {
    token: staff,
    input: { params: { id: String(started.data.id) } },
  });

  expect(removed.status).toBe(200);
  expect(await deviceCount(companyId)).toBe(0);
  await until(async () => (await online(companyId)) === 0);
  const { rows } = await sql<{ action: string }>`
    select action from audit where action like 'simulation.%' order by id`.execute(
    api.services.database.system,
  );
  expect(rows.map(({ action }) => action)).toEqual(["simulation.start", "simulation.remove"]);
});

test("only staff of the provider can start a park, in an existing company, and up to a limit", async () => {
  const engineer = await api.token("engineer@metrum.example");

  const foreign = await start(engineer, api.companies.first);
  const nowhere = await start(staff, 999_999);
  const tooMany = await start(staff, api.companies.first, 10_001);

  expect([foreign.status, nowhere.status, tooMany.status]).toEqual([403, 404, 422]);
  expect(Object.keys(tooMany.attributes)).toEqual(["devices"]);
});

test("an installation without the demonstration refuses to start a park", async () => {
  const real = await openTestApi({ env: { METRUM_DEMO: "false" } });
  try {
    const token = await real.token("admin@metrum.example");

    const { data } = await real.ask(simulation.state, { token });
    const answer = await real.ask(simulation.start, {
      token,
      input: { body: { company_id: real.companies.first, devices: 5 } },
    });

    expect(data.is_available).toBe(false);
    expect([answer.status, answer.code]).toEqual([409, "simulation_off"]);
  } finally {
    await real.close();
  }
});

test("users and simulated meters have separate broker accounts: starting meters invalidates no password, and a new password disconnects no meter", async () => {
  const token = await api.token("engineer@metrum.example");
  const issue = async () => (await api.ask(mqttAccount.issue, { token })).data;
  const sees = (): boolean => dialogue.ports.reaches(`c${String(api.companies.first)}/application/1`);
  await until(sees);
  const { account, password } = await issue();
  const person = await aClient(account.username, password);

  await park.stop();
  park = await startDemoPark(services, api.companies.first);
  const again = await aClient(account.username, password);
  expect([person.connected, again.connected]).toEqual([true, true]);

  // A client signed in with an expired password is disconnected in the same run.
  const ended = [person, again].map(
    (client) => new Promise<void>((resolve) => client.once("close", resolve)),
  );
  await issue();
  await Promise.all(ended);
  await until(sees);
  const { data } = await api.ask(mqttAccount.get, { token });
  expect(data.issued_at).not.toBeNull();
});

function aClient(username: string, password: string): Promise<MqttClient> {
  const url = `mqtt://127.0.0.1:${String(services.config.mqttPort)}`;
  return mqtt.connectAsync(url, { username, password, reconnectPeriod: 0 });
}
