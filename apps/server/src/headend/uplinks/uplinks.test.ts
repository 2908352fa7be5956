import { tasks } from "@metrum/contract/headend";
import { buildChirpStackUp } from "@metrum/protocols/chirpstack";
import { fromHex } from "@metrum/protocols/core";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { takeMqttMessage } from "./ways/mqttMessages.ts";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const devEui = counter.deviceID;
/** Battery 98 %, every hour, 2026-11-21 04:00 UTC, 21 degrees, 10,000 pulses. */
const current = "01620600 bf006a15 10270000 01000000 00000000 00000000";

let api: TestApi;
let id: number;
let token: string;

beforeAll(async () => {
  api = await openTestApi();
  [id = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [{ ...counter, impulseWeight: 0.01, startingValue: 100 }],
  });
  token = await api.token("engineer@metrum.example");
});
afterAll(() => api.close());

function anUplink(
  payload: string,
  more: { devEui?: string; fPort?: number; prefix?: string; body?: string; name?: string } = {},
) {
  const companyId = Number((more.prefix ?? `c${String(api.companies.first)}`).slice(1));
  const eui = more.devEui ?? devEui;
  const body =
    more.body ??
    buildChirpStackUp({
      deduplicationId: more.name ?? "",
      at: 1_795_250_000,
      devEui: eui,
      deviceName: "",
      applicationId: "a",
      devAddr: "",
      fCnt: 7,
      fPort: more.fPort ?? 2,
      dr: 0,
      confirmed: false,
      payload: fromHex(payload),
      receptions: [],
    });
  const topic = `c${String(companyId)}/application/a/device/${eui}/event/up`;
  return takeMqttMessage(api.services, { companyId, topic, payload: new TextEncoder().encode(body) });
}

const stored = async () => {
  const { rows } = await sql<{ v: number[]; source: number }>`
    select v, source from message where device_id = ${id} order by ts`.execute(api.services.database.system);
  return rows;
};
const aside = async () => {
  const { rows } = await sql<{ reason: string }>`select reason from uplink_aside order by id`.execute(
    api.services.database.system,
  );
  return rows.map(({ reason }) => reason);
};
const logs = async () =>
  (await api.ask(tasks.logs, { token, input: { body: { device_id: id, steps: true } } })).data.logs.data;

test("DEV-035: a payload becomes a reading with pulse weight and starting value of the device, and is logged byte by byte", async () => {
  await anUplink(current);

  const [row] = await stored();
  expect(row?.source).toBe(2);
  expect(row?.v).toContain(200);
  const [entry] = await logs();
  expect(entry).toMatchObject({ type_id: 3, result_code: 0, readings: 1 });
  expect(entry?.steps?.[0]?.received).toBe(current.replaceAll(" ", ""));
  expect(entry?.steps?.[0]?.received_spans.map(({ name }) => name)).toContainEqual({
    code: "temperature",
    unit: "°C",
  });
});

test("the same uplink twice is stored once", async () => {
  await anUplink(current);

  expect(await stored()).toHaveLength(1);
});

test("a transmission received by several gateways is logged once, also if it arrives twice concurrently", async () => {
  const before = (await logs()).length;

  await Promise.all([anUplink(current, { name: "d-1" }), anUplink(current, { name: "d-1" })]);
  await anUplink(current, { name: "d-1" });

  expect(await logs()).toHaveLength(before + 1);
});

test("concurrent messages are written together, each with its own outcome", async () => {
  const before = (await logs()).length;

  await Promise.all([
    anUplink(current.replace("bf006a15", "cf006a15")),
    anUplink("0162"),
    anUplink(current.replace("bf006a15", "df006a15")),
  ]);

  expect(
    (await logs())
      .slice(0, 3)
      .map(({ result_code }) => result_code)
      .sort(),
  ).toEqual([0, 0, 4]);
  expect(await logs()).toHaveLength(before + 3);
});

test("a payload that cannot be read is acknowledged and logged with its bytes and the reason", async () => {
  await anUplink("0162");

  const [entry] = await logs();
  expect(entry?.result_code).toBe(4);
  expect(entry?.steps?.[0]).toMatchObject({ received: "0162", error: { kind: "unexpected" } });
});

test("invalid events, and messages of unknown devices, go into quarantine", async () => {
  await anUplink(current, { body: "{" });
  await anUplink(current, { devEui: "ffffffffffffffff" });
  await anUplink(current, { prefix: `c${String(api.companies.second)}` });

  expect(await aside()).toEqual(["not JSON", "unknown device", "unknown device"]);
  expect(await stored()).toHaveLength(3);
});

test("uplinks of a switched-off device are ignored", async () => {
  await sql`update device set is_active = false where id = ${id}`.execute(api.services.database.system);

  await anUplink(current.replace("bf006a15", "cf0e6a15"));

  expect(await stored()).toHaveLength(3);
});
