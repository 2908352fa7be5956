import { networkServers, tasks } from "@metrum/contract/headend";
import { fromHex } from "@metrum/protocols/core";
import { buildThings, parseThingsDown } from "@metrum/protocols/thethings";
import { demoPlan } from "@metrum/simulator";
import mqtt from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enterPresence, type Presence } from "#headend/channels";
import { openDatabase, type Services, type Stop } from "#core";
import { askedDevice } from "#headend/exchanges";
import { openTestApi, type TestApi } from "#testing/api";
import { hasMosquitto, openMosquitto } from "#testing/peers/mosquitto";
import { registerPark } from "#testing/park";
import { openForeignBroker, type ForeignBroker } from "#testing/peers/things";
import { sendDownlink } from "../../orders/downlinks.ts";
import { startNetwork } from "./network.ts";
import { anotherProcess } from "#testing/anotherProcess";
import { frozenPayloads, ordersWhileFrozen } from "#testing/walk/frozenOrders";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const devEui = counter.deviceID.toLowerCase();
/** Battery 98 %, every hour, 2026-11-21 04:00 UTC, 21 degrees, 10,000 pulses. */
const payload = fromHex("01620600bf006a15102700000100000000000000000000 00".replaceAll(" ", ""));
const account = { username: "app1@ttn", password: "NNSXS.KEY" };

let api: TestApi;
let token: string;
let id: number;
/** Another process on the same database: it holds the connections, that of the API none. */
let other: Services;
let presence: Presence;
let stop: Stop;
beforeAll(async () => {
  api = await openTestApi({ env: { METRUM_OUTGOING_HOSTS: "127.0.0.1" } });
  token = await api.token("engineer@metrum.example");
  [id = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [counter],
  });
  other = anotherProcess(api.services, { database: openDatabase({ ...api.database.connection, max: 6 }) });
  presence = await enterPresence(other.database, other.log);
  stop = startNetwork({
    services: other,
    broker: { reaches: () => false, publish: () => Promise.resolve(false) },
    processId: () => presence.id,
    pausesMs: { first: 50, most: 200 },
  });
});
afterAll(async () => {
  await stop();
  await presence.leave();
  await other.database.close();
  await api.close();
});

const listed = async () => (await api.ask(networkServers.list, { token })).data.network_servers;
const stateOf = async () => (await listed())[0]?.state;
const logs = async () =>
  (await api.ask(tasks.logs, { token, input: { body: { device_id: id, steps: true } } })).data.logs.data;
const patient = { timeout: 30_000 };
const order = async (waitMs?: number) => {
  const device = await askedDevice(api.services.database.system, id);
  if (!device) throw new Error("no device");
  const down = { fPort: 15, payload: Uint8Array.of(0xbe, 0xef), confirmed: true };
  return sendDownlink(api.services, device, down, {
    expiresInSec: waitMs === undefined ? 30 : 1,
    waitMs: waitMs ?? 20_000,
  });
};

async function enter(url: string, more: object = {}): Promise<number> {
  const body = {
    kind: "things" as const,
    name: "TTS",
    url,
    username: account.username,
    secret: account.password,
  };
  const { data, status } = await api.ask(networkServers.save, {
    token,
    input: { body: { ...body, ...more } },
  });
  expect(status).toBe(200);
  return data.network_server.id;
}

let fCnt = 0;
/** Another frame each time: a duplicate is taken once. */
const up = (): string =>
  buildThings({
    event: "up",
    devEui,
    deviceId: "dev1",
    application: "app1",
    at: 1_795_250_000 + ++fCnt,
    deduplicationId: "",
    devAddr: "00bcb929",
    fCnt,
    fPort: 2,
    dataRate: "SF7BW125",
    confirmed: false,
    payload,
    receptions: [{ gatewayId: "a", rssi: -70, snr: 9 }],
  });

beforeEach(async () => {
  for (const server of await listed())
    await api.ask(networkServers.remove, { token, input: { params: { id: String(server.id) } } });
});

const mosquittoWhy = hasMosquitto ? "" : " (skipped: /usr/sbin/mosquitto is not installed)";
const brokers = [
  { name: "a broker that asks for the key", open: () => openForeignBroker(account), isThere: true },
  { name: `mosquitto${mosquittoWhy}`, open: openMosquitto, isThere: hasMosquitto },
];

describe.each(brokers)("The Things Stack over $name", ({ open, isThere }) => {
  test.skipIf(!isThere)("stores uplinks and sends orders written by another process, each once", async () => {
    const broker: ForeignBroker = await open();
    const stack = await mqtt.connectAsync(broker.url, account);
    const orders: string[] = [];
    stack.on("message", (_, body) => orders.push(body.toString()));
    await stack.subscribeAsync("v3/app1@ttn/devices/dev1/down/push", { qos: 0 });
    try {
      const before = (await logs()).length;
      await enter(broker.url);
      await expect.poll(stateOf, patient).toBe("connected");
      await stack.publishAsync("v3/app1@ttn/devices/dev1/up", up(), { qos: 0 });
      await expect.poll(async () => (await logs()).length, patient).toBe(before + 1);
      expect((await logs())[0]).toMatchObject({ type_id: 3, line: "things", result_code: 0, readings: 1 });

      const outcomes = await Promise.all([order(), order()]);
      await expect.poll(() => orders.length, patient).toBe(2);

      expect(outcomes).toEqual(["handed_over", "handed_over"]);
      const references = orders.map((body) => parseThingsDown(body)[0]?.reference);
      expect(new Set(references).size).toBe(2);
      expect(parseThingsDown(orders[0] ?? "")[0]).toMatchObject({ fPort: 15, confirmed: true });
      expect((await logs()).slice(0, 2).map(({ type_id, result_code }) => [type_id, result_code])).toEqual([
        [6, 0],
        [6, 0],
      ]);
    } finally {
      await stack.endAsync(true);
      await broker.close();
    }
  });
});

test("a broken connection is shown in the list of servers, reconnects, and downlinks meanwhile find no line", async () => {
  const broker = await openForeignBroker(account);
  await enter(broker.url);
  await expect.poll(stateOf, patient).toBe("connected");
  const stack = await mqtt.connectAsync(broker.url, account);
  const before = (await logs()).length;
  await stack.publishAsync("v3/app1@ttn/devices/dev1/up", up(), { qos: 0 });
  await expect.poll(async () => (await logs()).length, patient).toBe(before + 1);
  await stack.endAsync(true);

  await broker.close();
  await expect.poll(stateOf, patient).toBe("unreachable");
  expect(await order(20_000)).toBe("no_line");

  const port = Number(new URL(broker.url).port);
  const again = await openForeignBroker(account, port);
  await expect.poll(stateOf, patient).toBe("connected");
  await again.close();
});

test("a wrong key is shown as refused; the right one connects; a switched-off server is disconnected", async () => {
  const broker = await openForeignBroker(account);
  try {
    const server = await enter(broker.url, { secret: "wrong" });
    await expect.poll(stateOf, patient).toBe("refused");
    const [refusedServer] = await listed();
    expect(refusedServer?.state_reason).toBe("sign_in");
    expect(refusedServer?.state_message).toBe("MQTT 5");

    await enter(broker.url, { id: server });
    await expect.poll(stateOf, patient).toBe("connected");
    await enter(broker.url, { id: server, is_active: false });
    await expect.poll(stateOf, patient).toBe("waiting");
  } finally {
    await broker.close();
  }
});

test("a broker that grants none of its topics is shown as refusing them", async () => {
  const broker = await openForeignBroker({ ...account, hasTopics: false });
  try {
    await enter(broker.url);
    const reason = async () => (await listed())[0]?.state_reason;

    await expect.poll(reason, patient).toBe("topics");
    expect(await stateOf()).toBe("refused");
  } finally {
    await broker.close();
  }
});

test("a ChirpStack with a remote broker is supported too", async () => {
  const broker = await openForeignBroker(account);
  const stack = await mqtt.connectAsync(broker.url, account);
  try {
    await enter(broker.url, { kind: "chirpstack" });
    await expect.poll(stateOf, patient).toBe("connected");
    const before = (await logs()).length;
    const body = {
      deviceInfo: { devEui, applicationId: "a" },
      fCnt: 3,
      fPort: 2,
      data: Buffer.from(payload).toString("base64"),
    };
    await stack.publishAsync(`application/a/device/${devEui}/event/up`, JSON.stringify(body), { qos: 1 });
    await expect.poll(async () => (await logs()).length, patient).toBe(before + 1);
    await stack.subscribeAsync(`application/a/device/${devEui}/command/down`, { qos: 1 });
    const downlinkTopic = new Promise<string>((resolve) => stack.on("message", (topic) => resolve(topic)));

    expect(await order()).toBe("handed_over");
    expect(await downlinkTopic).toBe(`application/a/device/${devEui}/command/down`);
  } finally {
    await stack.endAsync(true);
    await broker.close();
  }
});

test("CTRL-109 under a freeze of control no order that changes its device reaches a network server", async () => {
  const broker = await openForeignBroker(account);
  const stack = await mqtt.connectAsync(broker.url, account);
  const orders: string[] = [];
  stack.on("message", (_, body) => orders.push(body.toString()));
  try {
    await stack.subscribeAsync("v3/app1@ttn/devices/dev1/down/push", { qos: 0 });
    await enter(broker.url);
    await expect.poll(stateOf, patient).toBe("connected");
    const before = (await logs()).length;
    await stack.publishAsync("v3/app1@ttn/devices/dev1/up", up(), { qos: 0 });
    await expect.poll(async () => (await logs()).length, patient).toBe(before + 1);

    const { changing, harmless } = await ordersWhileFrozen(api, id);
    await expect.poll(() => orders.length, patient).toBe(1);

    expect([changing.state, harmless]).toEqual(["no_line", "handed_over"]);
    expect(parseThingsDown(orders[0] ?? "")[0]?.payload).toEqual(frozenPayloads.harmless);
  } finally {
    await stack.endAsync(true);
    await broker.close();
  }
});
