import { control } from "@metrum/contract/headend";
import { demoPlan, startPark, type Park, type Plan } from "@metrum/simulator";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { until } from "#testing/until";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { startPlanner } from "./planner.ts";

const demo = demoPlan(3);
const plan: Plan = {
  baseStations: [],
  gateways: demo.gateways.slice(0, 1),
  devices: demo.devices.filter(({ gateway }) => gateway === demo.gateways[0]?.key).slice(0, 4),
};

let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let stopPlanner: () => Promise<void>;
let ids: number[];
let token: string;
/** Log lines of planner and job runner that show they have noticed. */
const logLines: string[] = [];

beforeAll(async () => {
  api = await openTestApi({ env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0" } });
  ids = await registerPark(api.services.database, api.companies.first, plan);
  const log = pino({ level: "warn" }, { write: (line: string) => void logLines.push(line) });
  const services = { ...api.services, log };
  dialogue = await openDialogue(services);
  park = await startPark(plan, { host: "127.0.0.1", ports: { modem: dialogue.ports.modemPorts[0] ?? 0 } });
  stopPlanner = startPlanner(services);
  token = await api.token("engineer@metrum.example");
});
afterAll(async () => {
  await stopPlanner();
  await dialogue.stop();
  await park.stop();
  await api.close();
});

/** The database refuses and disconnects all clients until the test restores it. */
async function takeDatabaseAway(): Promise<() => Promise<void>> {
  const { superuser } = api.database;
  const client = new pg.Client({ ...superuser, database: "postgres" });
  await client.connect();
  const name = client.escapeIdentifier(superuser.database);
  await client.query(`alter database ${name} allow_connections false`);
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    superuser.database,
  ]);
  return async () => {
    await client.query(`alter database ${name} allow_connections true`);
    await client.end();
  };
}

async function isRead(id: number): Promise<boolean> {
  const { status, data } = await api.ask(control.device, {
    token,
    language: "en",
    input: { body: { id, management: { now_value: 1 } } },
  });
  return status === 200 && data.control_set.result === "The device has answered";
}

test("polling resumes after the database was unavailable, over the same connections", async () => {
  const [first = 0, second = 0] = ids;
  await until(() => isRead(first));

  const giveBack = await takeDatabaseAway();
  await until(() => logLines.filter((line) => line.includes("planning failed")).length > 1);
  await giveBack();
  await until(() => isRead(second));

  expect(dialogue.ports.lines.held(`modem:${String(await gatewayId())}`)?.isOpen).toBe(true);
});

async function gatewayId(): Promise<number> {
  const { rows } = await api.services.database.pool.query<{ id: number }>("select id from gateway limit 1");
  return rows[0]?.id ?? 0;
}
