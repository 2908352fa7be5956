import { tasks } from "@metrum/contract/headend";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { prepareJobs } from "#headend/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { seedCatalogue, seedKeys, type SeededDevice } from "./catalogue.ts";
import { startDemoPark } from "./demo.ts";
import type { ParkProcess } from "./park.ts";
import { termOf } from "@metrum/vocabulary";

/** The part of the demonstration whose meters send unsolicited telegrams on monitored lines. */
const whole = demoPlan();
const gateways = whole.gateways.filter(({ listens }) => listens !== undefined);
const keys = new Set(gateways.map(({ key }) => key));
const plan = {
  gateways,
  baseStations: [],
  devices: whole.devices.filter(({ gateway }) => gateway !== undefined && keys.has(gateway)),
};

let api: TestApi;
let dialogue: Dialogue;
let park: ParkProcess;
let devices: readonly SeededDevice[];

beforeAll(async () => {
  api = await openTestApi({
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1" },
  });
  const { services, companies } = api;
  const { config, database, secretBox } = services;
  devices = await database.system.transaction().execute(async (db) => {
    const seeded = await seedCatalogue(db, companies.first, plan, config.deviceHost);
    await seedKeys({ db, secretBox }, seeded);
    // The addresses of the park are recorded once it runs; another demonstration may use the planned ports.
    await sql`update gateway set port = null`.execute(db);
    return seeded;
  });
  await prepareJobs(services);
  dialogue = await openDialogue(services);
  const { modemPorts, mqttPort } = dialogue.ports;
  park = await startDemoPark(
    {
      ...services,
      config: {
        ...config,
        mqttPort: mqttPort ?? 0,
        modemPorts: config.modemPorts.map((each) => ({ ...each, port: modemPorts[0] ?? 0 })),
      },
    },
    companies.first,
  );
});
afterAll(async () => {
  await park.stop();
  await dialogue.stop();
  await api.close();
});

/** Devices with values from their own uplinks. */
async function idsWithUplinks(): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select distinct device_id as id from device_latest where source = 2`.execute(
    api.services.database.system,
  );
  return new Set(rows.map(({ id }) => id));
}

async function untilAllHaveUplinks(): Promise<void> {
  for (const end = Date.now() + 150_000; Date.now() < end;) {
    const ids = await idsWithUplinks();
    if (devices.every(({ id }) => ids.has(id))) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const ids = await idsWithUplinks();
  const missing = devices.filter(({ id }) => !ids.has(id)).map(({ planned }) => planned.name);
  throw new Error(`nothing came from ${missing.join(", ")}`);
}

test("P1 ports and radio meters of the park are received, and every byte of their telegrams is named in the log", async () => {
  const token = await api.token("engineer@metrum.example");
  await untilAllHaveUplinks();

  expect(devices.length).toBeGreaterThanOrEqual(14);
  for (const { id, planned } of devices) {
    const body = { device_id: id, steps: true };
    const { data } = await api.ask(tasks.logs, { token, input: { body } });
    const [log] = data.logs.data;
    const [step] = log?.steps ?? [];
    if (!log || !step) throw new Error(`no exchange of ${planned.name}`);
    const bytes = step.received.length / 2;
    const named = new Set(
      step.received_spans.flatMap((span) => Array.from({ length: span.bytes }, (_, at) => span.offset + at)),
    );
    const names = step.received_spans.map(({ name }) => termOf(name));
    const line = planned.gateway?.startsWith("p1") === true ? "p1" : "wmbus";
    expect(log, planned.name).toMatchObject({ result_code: 0, line });
    expect(step.label, planned.name).toBe("telegram");
    expect(named.size, planned.name).toBe(bytes);
    expect(
      names.filter(({ code }) => ["not_named", "undecoded"].includes(code)),
      planned.name,
    ).toEqual([]);
    expect(
      names.some(({ isDecrypted }) => isDecrypted),
      planned.name,
    ).toBe(planned.key !== undefined);
  }
});
