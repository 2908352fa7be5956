import { tasks } from "@metrum/contract/headend";
import { buildChirpStackEvent, parseChirpStackDown } from "@metrum/protocols/chirpstack";
import { fromHex, toHex } from "@metrum/protocols/core";
import { buildThings, parseThingsDown, type ThingsEvent } from "@metrum/protocols/thethings";
import { encodeTimeCorrection } from "@metrum/protocols/vega";
import { demoPlan } from "@metrum/simulator";
import { sql } from "kysely";
import mqtt from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enterPresence, type Presence } from "#headend/channels";
import type { Stop } from "#core";
import { askedDevice } from "#headend/exchanges";
import { connectExternalBroker } from "../../channels/mqtt/mqttClient.ts";
import { openTestApi, type TestApi } from "#testing/api";
import { hasMosquitto, openMosquitto } from "#testing/peers/mosquitto";
import { registerPark } from "#testing/park";
import { sendDownlink } from "../orders/downlinks.ts";
import { startNetwork, type OwnBroker } from "./networks/network.ts";
import { takeMqttMessage } from "./mqttMessages.ts";

const counter = demoPlan(1).devices.find(({ modelId }) => modelId === 301);
if (!counter) throw new Error("no pulse counter in the plan");
const devEui = counter.deviceID.toLowerCase();
/** Battery 98 %, every hour, 2026-11-21 04:00 UTC, 21 degrees, 10,000 pulses. */
const current = fromHex("01620600 bf006a15 10270000 01000000 00000000 00000000".replaceAll(" ", ""));
const heardAt = 1_795_250_000;

let api: TestApi;
let id: number;
let token: string;
let prefix: string;
let orders: { topic: string; body: string }[];
let isConnected: boolean;
let presence: Presence;
let stop: Stop;
const broker: OwnBroker = {
  reaches: () => isConnected,
  publish(topic, body) {
    orders.push({ topic, body });
    return Promise.resolve(isConnected);
  },
};

beforeAll(async () => {
  api = await openTestApi();
  presence = await enterPresence(api.services.database, api.services.log);
  token = await api.token("engineer@metrum.example");
  prefix = `c${String(api.companies.first)}`;
  stop = startNetwork({ services: api.services, broker, processId: () => presence.id });
});
afterAll(async () => {
  await stop();
  await presence.leave();
  await api.close();
});
beforeEach(async () => {
  orders = [];
  isConnected = true;
  await sql`update device set deleted_at = now() where lower("deviceID") = ${devEui}`.execute(
    api.services.database.system,
  );
  [id = 0] = await registerPark(api.services.database, api.companies.first, {
    gateways: [],
    baseStations: [],
    devices: [counter],
  });
});

const head = { deduplicationId: "", at: heardAt, devEui, deviceName: "", applicationId: "app-1" };
const receptions = [
  { gatewayId: "a", rssi: -70, snr: 9 },
  { gatewayId: "b", rssi: -110, snr: -3 },
];

const take = (topic: string, body: string) =>
  takeMqttMessage(api.services, {
    companyId: api.companies.first,
    topic: `${prefix}/${topic}`,
    payload: new TextEncoder().encode(body),
  });

/** An event of ChirpStack as its MQTT integration publishes it. */
const chirp = (event: Parameters<typeof buildChirpStackEvent>[0]) =>
  take(`application/app-1/device/${devEui}/event/${event.event}`, buildChirpStackEvent(event));

const chirpUp = (fCnt: number, payload = current, fPort = 2) =>
  chirp({
    ...head,
    event: "up",
    devAddr: "00189440",
    fCnt,
    fPort,
    dr: 5,
    confirmed: false,
    payload,
    receptions,
  });

const thingsHead = { devEui, deviceId: "dev1", application: "app1", at: heardAt, deduplicationId: "" };
const ends = { up: "up", join: "join", downlink: "down/ack" } as const;
const things = (event: Exclude<ThingsEvent, { event: "status" }>) =>
  take(`v3/app1@ttn/devices/dev1/${ends[event.event]}`, buildThings(event));

const logs = async () =>
  (await api.ask(tasks.logs, { token, input: { body: { device_id: id, steps: true } } })).data.logs.data;
const labels = async () => (await logs())[0]?.steps?.map(({ label }) => label);
const latest = async () => {
  const { rows } = await sql<{ fields: string[]; v: number[] }>`
    select fields, v from message join field_set on id = field_set_id where device_id = ${id} order by ts desc limit 1
  `.execute(api.services.database.system);
  return Object.fromEntries((rows[0]?.fields ?? []).map((name, at) => [name, rows[0]?.v[at]]));
};
const device = async () => {
  const found = await askedDevice(api.services.database.system, id);
  if (!found) throw new Error("no device");
  return found;
};

describe("an uplink", () => {
  test("is logged with its best reception, which becomes part of the reading", async () => {
    await chirpUp(7);

    expect(await labels()).toEqual([
      { code: "uplink", n: 7, port: 2 },
      { code: "radio", rssi: -70, snr: 9, rate: "DR5", gateways: 2 },
    ]);
    expect(await latest()).toMatchObject({ in1: expect.any(Number) as number, rssi: -70, snr: 9 });
  });

  test("is logged with the number of those missing before it", async () => {
    await chirpUp(7);
    await chirpUp(11);

    const [entry] = await logs();
    expect(entry?.message).toBe("3 uplinks missing before this one");
    expect(await labels()).toContainEqual({ code: "missing", n: 3 });
  });

  test("is logged with it also if both arrive in one batch", async () => {
    await Promise.all([chirpUp(7), chirpUp(9)]);

    const messages = (await logs()).map(({ message }) => message).filter((message) => message !== "");
    expect(messages).toEqual(["1 uplink missing before this one"]);
  });

  test("starts a new count after a join, and the join is a separate row", async () => {
    await chirpUp(700);
    await chirp({ ...head, event: "join", devAddr: "00189441" });
    await chirpUp(0);

    const rows = await logs();
    expect(rows.map(({ type_id, message }) => [type_id, message])).toEqual([
      [3, ""],
      [4, ""],
      [3, ""],
    ]);
    expect(rows[1]?.steps?.[0]?.label).toEqual({ code: "join_address", address: "00189441" });
  });
});

describe("The Things Stack", () => {
  const up = {
    ...thingsHead,
    event: "up",
    devAddr: "00bcb929",
    fCnt: 5,
    fPort: 2,
    dataRate: "SF7BW125",
    confirmed: false,
    payload: current,
    receptions,
  } as const;

  test("DEV-035: its uplinks become readings, its joins log rows", async () => {
    await things(up);
    await things({ ...thingsHead, event: "join", devAddr: "00bcb92a" });

    expect(await latest()).toMatchObject({ temperature: 21, rssi: -70 });
    expect((await logs()).map(({ type_id, line }) => [type_id, line])).toEqual([
      [4, "things"],
      [3, "things"],
    ]);
  });

  test("a repeated message is processed once", async () => {
    const named = { ...up, fCnt: 41, deduplicationId: `${devEui}:up:AXBS:41` };
    await things(named);
    await things(named);

    expect(await logs()).toHaveLength(1);
  });

  test("accepts a downlink at the topic of the device, and its outcome is logged", async () => {
    await things({ ...up, fCnt: 77 });

    const sent = await sendDownlink(api.services, await device(), {
      fPort: 15,
      payload: Uint8Array.of(0xbe, 0xef),
      confirmed: true,
    });

    expect(sent).toBe("handed_over");
    expect(orders[0]?.topic).toBe(`${prefix}/v3/app1@ttn/devices/dev1/down/push`);
    const [order] = parseThingsDown(orders[0]?.body ?? "");
    expect(order).toMatchObject({ fPort: 15, confirmed: true, payload: Uint8Array.of(0xbe, 0xef) });
    const downlink = { ...thingsHead, event: "downlink", fCntDown: 3, reason: "" } as const;
    await things({ ...downlink, outcome: "acknowledged", reference: order?.reference ?? "" });
    expect((await logs()).slice(0, 2).map(({ type_id, steps }) => [type_id, steps?.[0]?.label])).toEqual([
      [6, "downlink_acknowledged"],
      [6, { code: "downlink", port: 15 }],
    ]);
  });
});

describe("a status", () => {
  const status = { ...head, event: "status", margin: 7, externalPowerSource: false } as const;

  test("is a log row, and its battery level a reading", async () => {
    await chirp({ ...status, batteryLevel: 80 });

    const [entry] = await logs();
    expect(entry).toMatchObject({ type_id: 5, readings: 1 });
    expect(entry?.steps?.[0]?.label).toEqual({ code: "status", margin: 7, battery: 80 });
    expect(await latest()).toEqual({ battery: 80 });
  });

  test("without a battery level is a log row only", async () => {
    await chirp({ ...status, batteryLevel: null });

    expect((await logs())[0]).toMatchObject({ type_id: 5, readings: 0 });
  });
});

describe("an order", () => {
  const down = { fPort: 4, payload: Uint8Array.of(1), confirmed: false };

  test("to a device without any uplink has no path", async () => {
    expect(await sendDownlink(api.services, await device(), down)).toBe("no_way");
    expect(orders).toEqual([]);
  });

  test("without a connected receiver is logged as such", async () => {
    await chirpUp(7);
    isConnected = false;

    expect(await sendDownlink(api.services, await device(), down, { expiresInSec: 1 })).toBe("no_line");
    expect((await logs())[0]).toMatchObject({ type_id: 6, result_code: 7 });
  });

  test.each([
    ["sent", "txack", {}, 0],
    ["acknowledged", "ack", { acknowledged: true }, 0],
    ["not_acknowledged", "ack", { acknowledged: false }, 1],
  ] as const)("whose outcome is %s has it in the log", async (outcome, event, more, result) => {
    const downlink = { ...head, queueItemId: "q", fCntDown: 4, gatewayId: "a", acknowledged: false, ...more };
    await chirp({ ...downlink, event });

    expect((await logs())[0]).toMatchObject({ type_id: 6, result_code: result });
    expect(await labels()).toEqual([`downlink_${outcome}`]);
  });

  test("that failed is logged with the reason, and does not affect the polling of the device", async () => {
    const remark = { ...head, event: "log", level: "ERROR", code: "DOWNLINK_PAYLOAD_SIZE" } as const;
    await chirp({ ...remark, description: "too long" });

    expect((await logs())[0]).toMatchObject({ result_code: 3, message: "too long" });
    const { rows } = await sql<{ n: number }>`
      select poll_failures as n from device_state where device_id = ${id}`.execute(
      api.services.database.system,
    );
    expect(rows[0]?.n).toBe(0);
  });

  test("answers a time request of a pulse counter with the deviation of its clock", async () => {
    const request = new Uint8Array(5);
    request[0] = 255;
    new DataView(request.buffer).setUint32(1, heardAt - 90, true);

    await chirpUp(7, request, 4);

    await expect.poll(logs).toHaveLength(2);
    expect(orders[0]?.topic).toBe(`${prefix}/application/app-1/device/${devEui}/command/down`);
    expect(parseChirpStackDown(orders[0]?.body ?? "")).toMatchObject({
      devEui,
      fPort: 4,
      payload: encodeTimeCorrection(90),
    });
    const [entry] = await logs();
    expect(entry).toMatchObject({ type_id: 6, result_code: 0 });
    expect(entry?.steps?.[0]?.sent).toBe(toHex(encodeTimeCorrection(90)));
  });
});

const why = hasMosquitto ? "" : " (skipped: /usr/sbin/mosquitto is not installed)";

describe.skipIf(!hasMosquitto)(`a real mosquitto broker${why}`, () => {
  test("delivers uplinks of both kinds of servers and accepts the answer to a time request", async () => {
    const mosquitto = await openMosquitto();
    const { log } = api.services;
    const ours = connectExternalBroker({
      url: mosquitto.url,
      clientId: "metrumtest",
      log,
      onMessage: (message) => takeMqttMessage(api.services, message),
      pause: api.services.database.pause,
    });
    // Replaces the embedded broker.
    await stop();
    stop = startNetwork({ services: api.services, broker: ours, processId: () => presence.id });
    const server = await mqtt.connectAsync(mosquitto.url);
    try {
      await expect.poll(() => ours.publish(`${prefix}/hello`, ""), { timeout: 30_000 }).toBe(true);
      const answered = new Promise<string>((resolve) =>
        server.on("message", (topic, body) => resolve(`${topic} ${body.toString()}`)),
      );
      await server.subscribeAsync(`${prefix}/application/+/device/+/command/down`, { qos: 1 });
      const request = new Uint8Array(5);
      request[0] = 255;
      const up = {
        ...head,
        devAddr: "00189440",
        fPort: 4,
        dr: 5,
        confirmed: false,
        payload: request,
        receptions,
      };
      const topic = `${prefix}/application/app-1/device/${devEui}/event/up`;
      // Until the shared subscription is active, the broker has no receiver for it.
      let fCnt = 0;
      const asking = setInterval(() => {
        server.publish(topic, buildChirpStackEvent({ ...up, event: "up", fCnt: fCnt++ }), { qos: 1 });
      }, 200);
      const answer = await answered.finally(() => clearInterval(asking));
      await server.publishAsync(
        `${prefix}/v3/app1@ttn/devices/dev1/join`,
        buildThings({ ...thingsHead, event: "join", devAddr: "00bcb92a" }),
        { qos: 1 },
      );

      expect(answer).toContain(`/device/${devEui}/command/down {`);
      expect(parseChirpStackDown(answer.slice(answer.indexOf("{"))).payload).toEqual(
        encodeTimeCorrection(heardAt),
      );
      await expect.poll(async () => (await logs()).map(({ type_id }) => type_id)).toContain(4);
    } finally {
      await server.endAsync(true);
      await ours.stop();
      await mosquitto.close();
    }
  });
});
