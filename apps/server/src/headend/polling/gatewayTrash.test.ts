import { control } from "@metrum/contract/headend";
import { gateways } from "@metrum/contract/metering";
import { demoPlan, startPark, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dialogue } from "#headend/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { openDialogue } from "#testing/dialogue";
import { registerPark } from "#testing/park";
import { until } from "#testing/until";
import { startPlanner } from "./planner.ts";
import { dueDevices } from "./store.ts";

const demo = demoPlan(3);
const plan: Plan = {
  baseStations: [],
  gateways: demo.gateways.slice(0, 1),
  devices: demo.devices.filter(({ gateway }) => gateway === demo.gateways[0]?.key).slice(0, 1),
};

let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let stopPlanner: () => Promise<void>;
let token: string;
let device = 0;
let gateway = 0;

beforeAll(async () => {
  api = await openTestApi({ env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0" } });
  [device = 0] = await registerPark(api.services.database, api.companies.first, plan);
  dialogue = await openDialogue(api.services);
  park = await startPark(plan, { host: "127.0.0.1", ports: { modem: dialogue.ports.modemPorts[0] ?? 0 } });
  stopPlanner = startPlanner(api.services);
  token = await api.token("engineer@metrum.example");
  const { rows } = await sql<{
    id: number;
  }>`select gateway_id as id from device where id = ${device}`.execute(api.services.database.system);
  gateway = rows[0]?.id ?? 0;
});
afterAll(async () => {
  await stopPlanner();
  await dialogue.stop();
  await park.stop();
  await api.close();
});

const isConnected = () => dialogue.ports.lines.held(`modem:${String(gateway)}`)?.isOpen === true;
const by = (call: typeof gateways.toTrash) =>
  api.ask(call, { token, input: { params: { id: String(gateway) } } });
/** The same request within seconds would be a double click. */
const outcomeOf = async (management: object): Promise<string> => {
  const { data, msg } = await api.ask(control.device, {
    token,
    language: "en",
    input: { body: { id: device, management: { ...management } } },
  });
  return data.control_set.result ?? data.control_set.error ?? msg;
};

test("GW-002 GW-013 a trashed gateway loses its line and its devices are not polled; after it is restored they are", async () => {
  await until(isConnected);
  await until(async () => (await outcomeOf({ now_value: 1 })) === "The device has answered");

  await by(gateways.toTrash);
  await until(() => !isConnected());
  const inTrash = await outcomeOf({ tariff: 1 });
  const due = await dueDevices(api.services.database.system, 4_000_000_000, 10);
  await by(gateways.restore);
  await until(isConnected);
  await until(async () => (await outcomeOf({ now_value: 1, tariff: 1 })) === "The device has answered");

  expect(inTrash).not.toBe("The device has answered");
  expect(due.filter(({ id, isPolled }) => id === device && isPolled)).toEqual([]);
});
