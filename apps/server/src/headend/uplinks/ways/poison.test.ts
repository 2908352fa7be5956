import { randomBytes } from "node:crypto";
import { mappings, tasks } from "@metrum/contract/headend";
import { codecs, imports, push, readings } from "@metrum/contract/metering";
import { buildChirpStackUp } from "@metrum/protocols/chirpstack";
import { fromHex } from "@metrum/protocols/core";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import mqtt, { type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueMqttCredentials } from "#headend/channels";
import type { Dialogue } from "#headend/dialogue";
import { openDialogue } from "#testing/dialogue";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const at = Math.floor(Date.now() / 1000) - 7200;
/** Text that PostgreSQL rejects, as JSON escapes. */
const refused = ["a\\u0000b", "\\ud800", "x\\udc00y"];

let api: TestApi;
let dialogue: Dialogue;
let client: MqttClient;
let token: string;
let companyId: number;
let id: number;
beforeAll(async () => {
  api = await openTestApi({
    env: { METRUM_MODEM_PORTS: "0:imei", METRUM_MQTT_PORT: "0", METRUM_DEVICE_HOST: "127.0.0.1" },
  });
  dialogue = await openDialogue(api.services);
  token = await api.token("engineer@metrum.example");
  companyId = api.companies.first;
  [id = 0] = await registerPark(api.services.database, companyId, {
    gateways: [],
    baseStations: [],
    devices: [counter],
  });
  const credentials = await issueMqttCredentials(api.services.database, companyId);
  client = await mqtt.connectAsync(`mqtt://127.0.0.1:${String(dialogue.ports.mqttPort)}`, credentials);
});
afterAll(async () => {
  await client.endAsync(true);
  await dialogue.stop();
  await api.close();
});

/** Resolves with the acknowledgement of the broker, which comes after COMMIT. */
const publish = (topic: string, body: string) =>
  client.publishAsync(`c${String(companyId)}/${topic}`, body, { qos: 1 });
const uplinkTopic = `application/a/device/${counter.deviceID}/event/up`;
const anUplink = (payload: string, name = "") =>
  buildChirpStackUp({
    deduplicationId: name,
    at,
    devEui: counter.deviceID,
    deviceName: "NAME",
    applicationId: "APPLICATION",
    devAddr: "ADDRESS",
    fCnt: 1,
    fPort: 9,
    dr: 0,
    confirmed: false,
    payload: fromHex(payload),
    receptions: [],
  });
const set = async () => {
  const { rows } = await sql<{ reason: string; payload: Buffer }>`
    select reason, payload from uplink_aside order by id`.execute(api.services.database.system);
  return rows;
};
const logs = async () =>
  (await api.ask(tasks.logs, { token, input: { body: { device_id: id, steps: true } } })).data.logs.data;

test("TRUST-008 an uplink with such text in every name is acknowledged and logged like any other", async () => {
  for (const [n, text] of refused.entries()) {
    const before = (await logs()).length;
    const body = anUplink("0162", `d-${String(n)}`)
      .replaceAll("NAME", text)
      .replaceAll("APPLICATION", text)
      .replaceAll("ADDRESS", text)
      .replaceAll(`d-${String(n)}`, `${text}${String(n)}`);

    await publish(uplinkTopic, body);

    expect(await logs()).toHaveLength(before + 1);
  }
});

test("an unknown device whose name cannot be stored goes into quarantine and is acknowledged", async () => {
  const definition = {
    topic: "poison/+",
    device_path: "id",
    values: [{ path: "v", field: "in1" }],
  };
  const saved = await api.ask(mappings.save, {
    token,
    input: { body: { name: "Poison", is_active: true, definition } },
  });
  expect(saved.status, saved.text).toBe(200);
  const before = (await set()).length;

  for (const text of refused) await publish("poison/1", `{"id":"${text}","v":1}`);

  expect((await set()).slice(before).map(({ reason }) => reason)).toEqual(
    refused.map(() => "unknown device"),
  );
});

test("errors and warnings of a codec may contain any text", async () => {
  const source_code = `function decodeUplink(input) {
    if (input.bytes[0] === 1) throw new Error("bad \\u0000 \\ud800 text");
    return { data: { volume: 7, "n\\u0000": 1, "m\\udc00": 2 }, warnings: ["w\\u0000\\udfff"] };
  }`;
  const field_map = { volume: { name: "in1", unit: "" } };
  const saved = await api.ask(codecs.save, {
    token,
    input: { body: { name: "Poison", model_id: 301, source_code, field_map, is_active: true } },
  });
  expect(saved.status, saved.text).toBe(200);

  await publish(uplinkTopic, anUplink("01", "codec-1"));
  await publish(uplinkTopic, anUplink("02", "codec-2"));

  const [read, thrown] = await logs();
  expect(read).toMatchObject({ result_code: 0, readings: 1 });
  expect(thrown?.message).toContain("bad \uFFFD \uFFFD text");
});

test("a message that can never be stored is acknowledged and quarantined with its bytes, the others of its batch are stored", async () => {
  // Compressed random bytes are longer than those of any other exchange here.
  await sql
    .raw(
      `do $$ begin execute format('alter table poll_log add constraint poisoned check (octet_length(steps) < %s)',
        (select max(octet_length(steps)) + 100 from poll_log)); end $$`,
    )
    .execute(api.services.database.system);
  const before = { logs: (await logs()).length, set: (await set()).length };
  const poison = anUplink(`02${randomBytes(220).toString("hex")}`, "poison");

  await Promise.all([
    publish(uplinkTopic, anUplink("02aa", "good-1")),
    publish(uplinkTopic, poison),
    publish(uplinkTopic, anUplink("02bb", "good-2")),
  ]);
  await sql`alter table poll_log drop constraint poisoned`.execute(api.services.database.system);

  expect(await logs()).toHaveLength(before.logs + 2);
  const kept = (await set()).slice(before.set);
  expect(kept.map(({ reason }) => reason)).toEqual(["cannot be stored"]);
  expect(kept[0]?.payload.toString()).toBe(poison);
});

/** As a foreign system sends it: the client of the contract would not. */
async function post(path: string, payload: string) {
  const answer = await api.fastify.inject({
    method: "POST",
    url: `/api/${path}`,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload,
  });
  return { status: answer.statusCode, ...answer.json<{ data: { taken: number; readings: number } }>() };
}

test("a push with such text in every field is answered 200, and its readable part is stored", async () => {
  for (const [n, text] of refused.entries()) {
    const time = at + 60 * (n + 1);
    const own = await post(
      push.readings.path,
      `{"readings":[{"deviceID":"${text}","time":${String(time)},"values":{"in1":1}},
        {"device_id":${String(id)},"time":${String(time)},"reference":"${text}","${text}":1,"values":{"in1":1,"${text}":2}}]}`,
    );
    const server = await post(
      `${push.chirpstack.path}?event=up`,
      anUplink("02", `push-${String(n)}`)
        .replaceAll("NAME", text)
        .replaceAll("ADDRESS", text),
    );
    const senml = await post(push.senml.path, `[{"bn":"${text}:","n":"${text}","v":1,"t":${String(time)}}]`);

    expect([n, own.status, own.data.taken]).toEqual([n, 200, 1]);
    expect([n, server.status, server.data.taken]).toEqual([n, 200, 1]);
    expect([n, [200, 422].includes(senml.status)]).toEqual([n, true]);
  }
});

test("a file with such text is read as far as possible, with the errors by row", async () => {
  for (const text of refused) {
    const json = await post(
      imports.readings.path,
      JSON.stringify({
        text: `{"readings":[{"deviceID":"${text}","time":${String(at)},"values":{"in1":1}}]}`,
      }),
    );
    const csv = await post(imports.readings.path, `{"text":"deviceID;time;in1\\n${text};${String(at)};5"}`);

    expect([json.status, csv.status]).toEqual([422, 422]);
  }
});

test("input of users is refused with the field, not silently changed", async () => {
  const { status } = await post(
    "device/codec/save",
    `{"name":"a\\u0000b","model_id":301,"source_code":"x","is_active":false}`,
  );

  expect(status).toBe(422);
  expect((await api.ask(readings.types, { token, input: { body: {} } })).status).toBe(200);
});
