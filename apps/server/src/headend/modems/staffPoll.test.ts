import { adminBroker } from "@metrum/contract/headend";
import { startPark, type Park, type Plan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dialogue } from "#headend/dialogue";
import type { TestApi } from "#testing/api";
import { openTestDialogue } from "#testing/dialogue";
import { registerPark } from "#testing/park";
import { until } from "#testing/until";

const ce303 = 124;
const imei = "350000000000017";
/** Four hours east of Greenwich: neither the zone of the company nor the default of the model. */
const zone = "Europe/Samara";

const plan: Plan = {
  baseStations: [],
  gateways: [{ key: "g", modelId: 601, name: "GW-1", place: "", deviceID: imei }],
  devices: [
    {
      modelId: ce303,
      gateway: "g",
      insideAddr: "40000023",
      deviceID: "40000023",
      name: "School 4",
      place: "",
      intervalSec: 3600,
      seed: 7,
      load: "school",
      meanPerHour: 12,
      start: 5000,
      impulseWeight: 1,
      startingValue: 0,
      hasLeaks: false,
      clockDriftPerDay: 0,
    },
  ],
};

let api: TestApi;
let dialogue: Dialogue;
let park: Park;
let port: number;
let token: string;

beforeAll(async () => {
  ({ api, dialogue, modemPort: port } = await openTestDialogue());
  const { database } = api.services;
  const [id = 0] = await registerPark(database, api.companies.first, plan);
  await sql`update device set timezone = ${zone} where id = ${id}`.execute(database.system);
  park = await startPark(plan, { host: "127.0.0.1", ports: { modem: port }, utcOffsetSec: 4 * 3600 });
  token = await api.token("admin@metrum.example");
});
afterAll(async () => {
  await dialogue.stop();
  await park.stop();
  await api.close();
});

const modem = () =>
  until(async () => {
    const { data } = await api.ask(adminBroker.connectedGateways, { token, input: { body: {} } });
    return data.find(({ device_id, connect_status }) => device_id === imei && connect_status);
  });
const poll = async () =>
  (await api.ask(adminBroker.requestData, { token, language: "en", input: { body: { port, imei } } })).data;

test("a poll by staff reads the meter's clock in the zone of the device", async () => {
  await modem();

  const { answer, error } = await poll();

  expect(error).toBe("");
  expect(Math.abs((answer.datetime ?? 0) - Date.now() / 1000)).toBeLessThan(900);
});

test("the modem keeps the firmware version that its meter reported in a poll", async () => {
  await modem();

  await poll();

  expect(await modem()).toMatchObject({ end_device_type: "CE303", end_device_version: "11" });
});
