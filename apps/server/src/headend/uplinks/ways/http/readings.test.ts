import { ownSessions } from "@metrum/contract/access";
import { tasks } from "@metrum/contract/headend";
import { push, readings } from "@metrum/contract/metering";
import { buildActilityUp, readActility } from "@metrum/protocols/actility";
import { fromHex, parseJson } from "@metrum/protocols/core";
import { buildThings } from "@metrum/protocols/thethings";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestApi, type TestApi } from "#testing/api";
import { registerPark } from "#testing/park";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const devEui = counter.deviceID.toLowerCase();
const current = "0162060040016a15" + "10270000" + "01000000" + "00000000" + "00000000";

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

const valuesAt = async (ts: number) => {
  const { rows } = await sql<{ fields: string[]; v: (number | null)[] }>`
    select fields, v from message join field_set on id = field_set_id where device_id = ${id} and ts = ${ts}
  `.execute(api.services.database.system);
  const [row] = rows;
  return Object.fromEntries(
    (row?.fields ?? []).flatMap((name, at) => (row?.v[at] == null ? [] : [[name, row.v[at]]])),
  );
};
const asideCount = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from uplink_aside`.execute(
    api.services.database.system,
  );
  return rows[0]?.n ?? 0;
};
const messageCount = async () => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from message where device_id = ${id}`.execute(api.services.database.system);
  return rows[0]?.n ?? 0;
};
const pushed = (items: readonly object[]) =>
  api.ask(push.readings, { token, input: { body: { readings: [...items] } } });

test("readings by number and by id are stored before the answer is sent, each with its outcome", async () => {
  const { data, status } = await pushed([
    { deviceID: devEui.toUpperCase(), time: 1_795_300_000, values: { in1: 120.5, battery: 90 } },
    { device_id: id, time: 1_795_303_600, values: { in1: 121 } },
    { deviceID: devEui, payload: current, fPort: 2 },
  ]);

  expect(status).toBe(200);
  expect(data).toMatchObject({ taken: 3 });
  expect(await valuesAt(1_795_300_000)).toEqual({ in1: 120.5, battery: 90 });
  expect(await valuesAt(1_795_303_600)).toEqual({ in1: 121 });
  expect(await valuesAt(0x156a0140)).toEqual({});
});

test("items of unknown devices go into quarantine, as the answer reports", async () => {
  const before = await asideCount();

  const { status, data } = await pushed([
    { deviceID: "nobody", values: { in1: 1 } },
    { deviceID: devEui, time: 1_795_307_200, values: { in1: 122 } },
  ]);

  expect(status).toBe(200);
  expect(data).toEqual({
    taken: 1,
    results: [
      { device: "nobody", result: "aside", message: "unknown device" },
      { device: devEui, result: "taken" },
    ],
  });
  expect(await asideCount()).toBe(before + 1);
});

test("fields that the model does not have are named in the log and never stored", async () => {
  const { data } = await pushed([
    { deviceID: devEui, time: 1_795_310_800, values: { in1: 123, voltage1: 230, colour: 1 } },
    { deviceID: devEui, time: 1_795_310_801, values: { voltage1: 230 } },
    { deviceID: devEui, payload: "ff" },
  ]);

  expect(data.results).toMatchObject([
    { result: "taken", message: "not of this model: colour, voltage1" },
    { result: "unread", message: "not of this model: voltage1" },
    { result: "unread" },
  ]);
  expect(await valuesAt(1_795_310_800)).toEqual({ in1: 123 });
  const { data: logged } = await api.ask(tasks.logs, { token, input: { body: { device_id: id } } });
  expect(logged.logs.data.map(({ message }) => message)).toContain("not of this model: colour, voltage1");
});

test("readings with an implausible time are answered and logged as quarantined, with the reason", async () => {
  const before = await messageCount();
  const now = api.services.clock.now();
  const [ahead, early] = [now + 3 * 86_400, Date.UTC(1998, 0, 1) / 1000];

  const { data } = await pushed([
    { deviceID: devEui, time: ahead, values: { in1: 130 } },
    { deviceID: devEui, time: early, values: { in1: 131 } },
  ]);

  expect(data).toMatchObject({
    taken: 0,
    results: [
      { result: "out_of_time", message: "the time is more than a day ahead, set aside" },
      { result: "out_of_time", message: "the time is before 2000, set aside" },
    ],
  });
  expect(await messageCount()).toBe(before);
  const { rows } = await sql<{ ts: number }>`
    select ts::float8 as ts from reading_quarantine where device_id = ${id} and ts in (${ahead}, ${early}) order by ts
  `.execute(api.services.database.system);
  expect(rows).toEqual([{ ts: early }, { ts: ahead }]);
  const { data: logged } = await api.ask(tasks.logs, { token, input: { body: { device_id: id } } });
  const quarantined = logged.logs.data.filter(({ message }) => message.includes("set aside"));
  expect(quarantined.map(({ result_code, readings: count }) => [result_code, count])).toEqual([
    [4, 0],
    [4, 0],
  ]);
});

test("an item with an id that is pushed again is processed once", async () => {
  const item = { deviceID: devEui, time: 1_795_314_400, reference: "a-1", values: { in1: 124 } };

  await pushed([item]);
  const { data } = await pushed([item]);

  expect(data).toEqual({ taken: 1, results: [{ device: devEui, result: "repeated" }] });
});

test("a device of another company by its id refuses the whole push and changes nothing", async () => {
  const [theirs = 0] = await registerPark(api.services.database, api.companies.second, {
    gateways: [],
    baseStations: [],
    devices: [{ ...counter, deviceID: "00000000000000aa" }],
  });

  const { status } = await pushed([
    { deviceID: devEui, time: 1_795_318_000, values: { in1: 125 } },
    { device_id: theirs, values: { in1: 1 } },
  ]);

  expect(status).toBe(404);
  expect(await valuesAt(1_795_318_000)).toEqual({});
});

test("the number of another company's device counts as unknown", async () => {
  const { data } = await pushed([{ deviceID: "00000000000000aa", values: { in1: 1 } }]);

  expect(data.results).toEqual([{ device: "00000000000000aa", result: "aside", message: "unknown device" }]);
});

test("SHELL-020 each fault of a pushed JSON has its path and the language of the sender", async () => {
  const faultsOf = async (definition: Parameters<typeof api.ask>[0], language: string, body: object) => {
    const { status, attributes } = await api.ask(definition, { token, language, input: { body } });
    expect(status).toBe(422);
    return attributes;
  };
  const item = { deviceID: devEui };
  const readings = [{ ...item, time: -1, values: {} }];

  expect(await faultsOf(push.readings, "en", { readings: [item] })).toEqual({
    "readings.0": ["one of the two is needed: values or payload"],
  });
  expect(await faultsOf(push.readings, "ru", { readings })).toEqual({
    "readings.0.time": ["целое число от 0 до 253402300799"],
  });
  expect(await faultsOf(push.readings, "mn", { readings: [{ ...item, payload: "0x" }] })).toEqual({
    "readings.0.payload": ["арван зургаатын орон хэрэгтэй"],
  });
  expect(await faultsOf(push.senml, "ru", [{ n: "x" }])).toEqual({ "0.v": ["обязательное поле"] });
  expect(await faultsOf(push.senml, "ru", [{ n: "in1", v: 1 }])).toEqual({
    "0.n": ["нужны прибор и поле: «прибор/поле»"],
  });
  expect(await faultsOf(push.senml, "ru", [{ n: "a/in1", v: 1, t: -9e15 }])).toEqual({
    "0.t": ["целое число от 0 до 253402300799"],
  });
  expect(await faultsOf(push.senml, "ru", [{ bver: 11 }])).toEqual({ "0.bver": ["целое число от 1 до 10"] });
  expect(await faultsOf(push.senml, "ru", [{ n: "a/in1", v: 1, colour_: 1 }])).toEqual({
    "0.colour_": ["такого поля нет"],
  });
  expect(await faultsOf(push.senml, "ru", [{ bn: "a/" }])).toEqual({ body: ["нет показаний"] });
  expect(await faultsOf(push.things, "mn", { hello: 1 })).toEqual({
    "end_device_ids.dev_eui": ["арван зургаатын 16 орон хэрэгтэй"],
  });
});

test("a SenML pack is stored in the units of the fields", async () => {
  const { data } = await api.ask(push.senml, {
    token,
    input: {
      body: [
        { bn: `urn:dev:mac:${devEui}:`, bt: 1_795_321_600, n: "in1", u: "l", v: 126_500 },
        { n: "temperature", u: "K", v: 294.15 },
        { n: "battery", u: "V", v: 3.6 },
      ],
    },
  });

  expect(data.taken).toBe(1);
  const { in1, temperature, battery } = await valuesAt(1_795_321_600);
  expect([in1, battery]).toEqual([126.5, undefined]);
  expect(temperature).toBeCloseTo(21);
});

test("a value made too large by unit or pulse weight is refused by field name, and nothing is stored", async () => {
  const weigh = (weight: number) =>
    sql`update device set impulse_weight = ${weight} where id = ${id}`.execute(api.services.database.system);
  const before = await messageCount();

  const inUnit = await api.ask(push.senml, {
    token,
    input: {
      body: [
        { bn: `urn:dev:mac:${devEui}:`, bt: 1_795_322_600, n: "in1", u: "l", v: 126_500 },
        { n: "battery", u: "/", v: 1e308 },
      ],
    },
  });
  await weigh(1e305);
  const weighed = await pushed([{ deviceID: devEui, payload: current, fPort: 2 }]);
  await weigh(0.01);

  expect([inUnit, weighed].map(({ data }) => data.results[0]?.result)).toEqual(["unread", "unread"]);
  expect(await messageCount()).toBe(before);
  const { data } = await api.ask(tasks.logs, { token, input: { body: { device_id: id } } });
  const messages = data.logs.data.map(({ message }) => message);
  expect(messages).toEqual(expect.arrayContaining(["battery is too large", "in1 is too large"]));
});

test("a SenML record without a value is refused with its path", async () => {
  const { status, attributes } = await api.ask(push.senml, { token, input: { body: [{ n: "x" }] } });

  expect(status).toBe(422);
  expect(attributes).toEqual({ "0.v": ["обязательное поле"] });
});

test("SenML is accepted under its own content type", async () => {
  const { statusCode } = await api.fastify.inject({
    method: "POST",
    url: "/api/push/senml",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/senml+json" },
    payload: JSON.stringify([{ bn: `urn:dev:mac:${devEui}:`, bt: 1_795_325_200, n: "in1", v: 127 }]),
  });

  expect(statusCode).toBe(200);
  expect(await valuesAt(1_795_325_200)).toEqual({ in1: 127 });
});

const up = {
  event: "up",
  devEui,
  at: 1_795_250_000,
  deduplicationId: "",
  application: "app1",
  devAddr: "00189440",
  fCnt: 5,
  fPort: 2,
  dataRate: "SF7BW125",
  confirmed: false,
  payload: fromHex("01620600bf006a15" + "10270000" + "01000000" + "00000000" + "00000000"),
  receptions: [{ gatewayId: "a", rssi: -70, snr: 9 }],
} as const;

test("network servers push with an API token: The Things Stack, Actility and ChirpStack", async () => {
  const { data: made } = await api.ask(ownSessions.createToken, {
    token,
    input: { body: { name: "Network server", days: 30, current_password: "Metrum!2026" } },
  });
  const bearer = { token: made.access_token };
  const message = parseJson(buildThings({ ...up, deviceId: "dev1" })) as Record<string, unknown>;
  const report = parseJson(buildActilityUp({ ...up, fCnt: 6 })) as Record<string, unknown>;
  const join = { deviceInfo: { devEui }, devAddr: "00189440", time: "2026-11-21T09:00:00Z" };

  const answers = [
    await api.ask(push.things, { ...bearer, input: { body: message } }),
    await api.ask(push.actility, { ...bearer, input: { body: report } }),
    await api.ask(push.chirpstack, { ...bearer, input: { query: { event: "join" }, body: join } }),
    await api.ask(push.chirpstack, { ...bearer, input: { query: { event: "location" }, body: join } }),
  ];

  expect(readActility(report)).toMatchObject({ fCnt: 6 });
  expect(answers.map(({ status, data }) => [status, data.taken])).toEqual([
    [200, 1],
    [200, 1],
    [200, 1],
    [200, 0],
  ]);
  const { data } = await api.ask(tasks.logs, { token, input: { body: { device_id: id } } });
  expect(data.logs.data.slice(0, 3).map(({ type_id, line }) => [type_id, line])).toEqual([
    [4, "chirpstack"],
    [3, "actility"],
    [3, "things"],
  ]);
});

test("a message that no network server sends is refused", async () => {
  const { status, attributes } = await api.ask(push.things, { token, input: { body: { hello: 1 } } });

  expect(status).toBe(422);
  expect(attributes).toEqual({
    "end_device_ids.dev_eui": ["нужны 16 шестнадцатеричных цифр"],
  });
});

test("a user with the right to read only cannot push", async () => {
  const { status } = await api.ask(push.readings, {
    token: await api.token("viewer@metrum.example"),
    input: { body: { readings: [{ deviceID: devEui, values: { in1: 1 } }] } },
  });

  expect(status).toBe(403);
});

test("a pushed reading is shown as pushed", async () => {
  const { data } = await api.ask(readings.last, {
    token,
    input: { params: { id: String(id) }, body: { msgType: 1 } },
  });

  expect(JSON.stringify(data)).toContain("in1");
});
