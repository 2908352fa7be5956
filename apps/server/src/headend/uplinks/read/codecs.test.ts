import { tasks } from "@metrum/contract/headend";
import { codecs, decodeAgain } from "@metrum/contract/metering";
import { buildChirpStackUp } from "@metrum/protocols/chirpstack";
import { fromHex } from "@metrum/protocols/core";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";
import { takeMqttMessage } from "../ways/mqttMessages.ts";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const devEui = counter.deviceID;
const source = `function decodeUplink(input) {
  if (input.fPort !== 7) return { data: {}, errors: ["port 7 only"] };
  return { data: { litres: input.bytes[0], temperature: input.bytes[1], odd: 1, pulse: input.bytes[2] } };
}`;
const field_map = { litres: { name: "in1", unit: "L" }, pulse: { name: "in2", unit: "pulses" } };
const at = 1_795_250_000;

let api: TestApi;
let id: number;
let token: string;
let codec: number;

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

async function uplink(payload: string, fPort: number, heardAt = at): Promise<void> {
  const body = buildChirpStackUp({
    deduplicationId: "",
    at: heardAt,
    devEui,
    deviceName: "",
    applicationId: "a",
    devAddr: "",
    fCnt: 7,
    fPort,
    dr: 0,
    confirmed: false,
    payload: fromHex(payload),
    receptions: [],
  });
  const companyId = api.companies.first;
  const topic = `c${String(companyId)}/application/a/device/${devEui}/event/up`;
  await takeMqttMessage(api.services, { companyId, topic, payload: new TextEncoder().encode(body) });
}

const stored = async (ts = at) => {
  const { rows } = await sql<{ values: Record<string, number>; status: number }>`
    select m.status, (select jsonb_object_agg(f.name, m.v[f.at]) from unnest(s.fields) with ordinality as f (name, at)) as values
    from message m join field_set s on s.id = m.field_set_id where device_id = ${id} and ts = ${ts}`.execute(
    api.services.database.system,
  );
  return rows;
};
const newestLog = async () =>
  (await api.ask(tasks.logs, { token, input: { body: { device_id: id, steps: true } } })).data.logs.data[0];
const again = async () =>
  (
    await api.ask(decodeAgain.run, {
      token,
      input: { body: { device_id: id, start_date: 1_700_000_000, stop_date: 4_000_000_000 } },
    })
  ).data;

test("DEV-054: an uplink of a device is decoded by the active codec of its company, in the units of its map", async () => {
  const input = { body: { name: "Ours", model_id: 301, source_code: source, field_map, is_active: true } };
  const saved = await api.ask(codecs.save, { token, input });
  codec = saved.data.codec.id;
  expect(saved.data.codec).toMatchObject({ version: 1, is_active: true });

  await uplink("fa 15 0a", 7);

  const [row] = await stored();
  expect(row?.values).toEqual({ in1: 0.25, in2: 0.1, temperature: 21 });
  expect(await newestLog()).toMatchObject({
    result_code: 0,
    readings: 1,
    message: "odd: no field of this name",
  });
});

test("DEV-056: a payload refused by the codec is logged with its bytes and the codec's message", async () => {
  await uplink("fa 15 0a", 2, at + 60);

  const entry = await newestLog();
  expect(entry).toMatchObject({ result_code: 4, readings: 0, message: "codec Ours, version 1: port 7 only" });
  expect(entry?.steps?.[0]).toMatchObject({ received: "fa150a", received_spans: [] });
  expect(await stored(at + 60)).toEqual([]);
  const { data } = await api.ask(codecs.list, { token, input: { body: {} } });
  expect(data.codecs.data[0]?.last_failure).toMatchObject({
    device_id: id,
    device_name: counter.name,
    message: "codec Ours, version 1: port 7 only",
  });
});

test("a saved version has no effect until activated; then stored payloads are decoded again as corrected data", async () => {
  const better = source.replace("if (input.fPort !== 7)", "if (false)");
  const input = { body: { name: "Ours", model_id: 301, source_code: better, field_map } };
  const { data } = await api.ask(codecs.save, { token, input });
  expect(data.codec).toMatchObject({ version: 2, is_active: false });
  expect(await again()).toMatchObject({ payloads: 2, failed: 1 });

  await api.ask(codecs.switch, {
    token,
    input: { params: { id: String(data.codec.id) }, body: { is_active: true } },
  });
  const first = await again();
  const second = await again();

  expect(first).toMatchObject({ payloads: 2, failed: 0, readings: 1, next: null });
  expect(second).toMatchObject({ payloads: 2, failed: 0, readings: 0 });
  const [row] = await stored(at + 60);
  expect(row).toMatchObject({ status: 6, values: { in1: 0.25, in2: 0.1, temperature: 21 } });
});

test("versions are listed newest first, one of them active, and another company sees none", async () => {
  const ask = { input: { body: {} } };
  const own = await api.ask(codecs.list, { token, ...ask });
  const other = await api.ask(codecs.list, { token: await api.token("engineer2@metrum.example"), ...ask });

  expect(own.data.codecs.data.map(({ version, is_active }) => [version, is_active])).toEqual([
    [2, true],
    [1, false],
  ]);
  expect(other.data.codecs.total).toBe(0);
});

test("a codec can be tried on a payload before it is saved", async () => {
  const body = { source_code: source, payload: "fa150a", fport: 7, model_id: 301, field_map };
  const { data } = await api.ask(codecs.test, { token, input: { body } });
  expect(data).toMatchObject({ errors: [], warnings: ["odd: no field of this name"], data: { litres: 250 } });
  expect(data.readings).toContainEqual({
    name: "in1",
    value: 0.25,
    unit: expect.any(String) as string,
    time: null,
  });

  const bad = { ...body, source_code: "function decodeUplink() { for (;;); }" };
  const looped = await api.ask(codecs.test, { token, input: { body: bad } });
  expect(looped.data.errors).toEqual(["the codec ran longer than 50 ms"]);
});

test("a value that overflows by unit conversion is an error that names the field, in trials and in operation", async () => {
  const body = {
    source_code: "function decodeUplink() { return { data: { flow: 1e308 } }; }",
    model_id: 301,
    field_map: { flow: { name: "in1", unit: "pulses" } },
  };
  const tried = await api.ask(codecs.test, { token, input: { body: { ...body, payload: "00", fport: 7 } } });
  expect(tried.data).toMatchObject({ errors: ["flow is too large"], readings: [] });
  const saved = await api.ask(codecs.save, {
    token,
    input: { body: { ...body, name: "Ours", is_active: true } },
  });

  await uplink("00", 7, at + 90);

  const { version, id: newest } = saved.data.codec;
  expect(await newestLog()).toMatchObject({
    result_code: 4,
    readings: 0,
    message: `codec Ours, version ${String(version)}: flow is too large`,
  });
  expect(await stored(at + 90)).toEqual([]);
  await api.ask(codecs.delete, { token, input: { params: { id: String(newest) } } });
});

test("models without LoRaWAN, unknown fields and incompatible units are refused by name", async () => {
  const input = { body: { name: "Ours", model_id: 301, source_code: source } };
  const wrongModel = await api.ask(codecs.save, {
    token,
    input: { body: { ...input.body, model_id: 101 } },
  });
  const wrongUnit = await api.ask(codecs.save, {
    token,
    input: { body: { ...input.body, field_map: { x: { name: "in1", unit: "kWh" } } } },
  });

  expect(wrongModel.code).toBe("codec_model");
  expect(Object.keys(wrongUnit.attributes)).toEqual(["field_map.x"]);
});

test.each([
  ["x", "x"],
  ["function decodeUplink( {", "SyntaxError"],
  ["const other = 1;", "the codec has no function decodeUplink"],
])("a text that reads nothing is not saved: %s", async (source_code, words) => {
  const { status, attributes } = await api.ask(codecs.save, {
    token,
    input: { body: { name: "Ours", model_id: 301, source_code } },
  });

  expect(status).toBe(422);
  expect(attributes["source_code"]?.join()).toContain(words);
});

test("without an active codec devices are read by the driver of their model again", async () => {
  await api.ask(codecs.delete, { token, input: { params: { id: String(codec) } } });
  const { data } = await api.ask(codecs.list, { token, input: { body: { model_id: 301 } } });
  const [active] = data.codecs.data;
  await api.ask(codecs.switch, {
    token,
    input: { params: { id: String(active?.id) }, body: { is_active: false } },
  });

  await uplink("01620600 bf006a15 10270000 01000000 00000000 00000000", 2, at + 120);

  expect(await newestLog()).toMatchObject({ result_code: 0, readings: 1 });
});
