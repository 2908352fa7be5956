import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import mqtt from "mqtt";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createLog } from "#core";
import { openTestApi, type TestApi } from "#testing/api";
import { testBrokers } from "#testing/peers/broker";
import { movableClock } from "#testing/clock";
import { hasMosquitto, openMosquitto, type Mosquitto } from "#testing/peers/mosquitto";
import { connectBrokerElsewhere } from "./brokerElsewhere.ts";
import { clientIdOf, holdExternalBroker } from "./heldBroker.ts";
import { connectExternalBroker } from "./mqttClient.ts";
import { refusalNotes } from "./refusals.ts";

const why = hasMosquitto ? "" : " (skipped: /usr/sbin/mosquitto is not installed)";
const patience = { timeout: 30_000, interval: 50 };
const topic = "c7/application/1/device/0102030405060708/event/up";

let api: TestApi;
let broker: Mosquitto;
beforeAll(async () => {
  api = await openTestApi();
  if (hasMosquitto) broker = await openMosquitto();
});
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
afterAll(async () => {
  if (hasMosquitto) await broker.close();
  await api.close();
});

async function aPublisher() {
  const client = await mqtt.connectAsync(broker.url);
  stops.push(() => client.endAsync(true));
  return client;
}

test("API-024 the name of a session is that of the installation, and accepted by every broker", () => {
  const [one, other] = [
    clientIdOf(api.services, "mqtt_broker"),
    clientIdOf(api.services, "network_server:3"),
  ];

  expect(one).toMatch(/^[0-9a-z]{22}$/);
  expect(clientIdOf(api.services, "mqtt_broker")).toBe(one);
  expect(other).not.toBe(one);
});

/** A log, and the lines that it has written. */
function aLog() {
  const lines: string[] = [];
  return { lines, log: createLog("warn", { write: (line) => void lines.push(line) }) };
}

test("API-024 a wrong password of the broker of the installation is named in the log", async () => {
  const brokers = testBrokers();
  stops.push(brokers.stop);
  const { port } = await brokers.aBroker();
  const { log, lines } = aLog();
  const external = connectExternalBroker({
    ...{ url: `mqtt://c7:guess@127.0.0.1:${String(port)}`, clientId: "metrum", log },
    onMessage: () => Promise.resolve(),
    pause: (ms) => sleep(ms),
  });
  stops.push(external.stop);

  await vi.waitFor(() => expect(lines.join()).toContain("the name or password in METRUM_MQTT_URL"), patience);
});

test("API-024 a refusal has a line in the log, each account and reason once a minute", () => {
  const { log, lines } = aLog();
  const clock = movableClock();
  const notes = refusalNotes({ database: api.services.database, clock, log });
  stops.push(notes.stop);
  const refuse = () => {
    notes.add({ username: "c7", reason: "topic", detail: "$SYS/broker/connection/site/state" });
    notes.add({ username: "c7", reason: "password" });
  };

  refuse();
  refuse();
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    ...{ account: "c7", reason: "topic", detail: "$SYS/broker/connection/site/state" },
  });
  clock.ahead += 61;
  refuse();
  expect(lines).toHaveLength(4);
});

test.skipIf(!hasMosquitto)(
  `API-024 an uplink that is published while nothing is connected is stored by the next process, once${why}`,
  async () => {
    const stored: string[] = [];
    const hold = (processId: number) => {
      const held = holdExternalBroker({
        services: api.services,
        url: broker.url,
        processId: () => processId,
        everyMs: 200,
        onMessage: ({ payload }) => Promise.resolve(void stored.push(Buffer.from(payload).toString())),
      });
      stops.push(held.stop);
      return held;
    };
    const publisher = await aPublisher();
    const first = hold(901);
    await vi.waitFor(() => expect(first.reaches("")).toBe(true), patience);
    await vi.waitFor(async () => {
      await publisher.publishAsync(topic, "before", { qos: 1 });
      expect(stored).toContain("before");
    }, patience);
    const second = hold(902);
    await sleep(600);
    expect(second.reaches("")).toBe(false);

    // A restart: the first ends, and what comes before the second has taken over is kept by the broker.
    await second.stop();
    await first.stop();
    await publisher.publishAsync(topic, "between", { qos: 1 });
    hold(903);
    await vi.waitFor(() => expect(stored).toContain("between"), patience);

    expect(stored.filter((each) => each === "between")).toHaveLength(1);
  },
);

test.skipIf(!hasMosquitto)(
  `API-024 a connection of a company keeps its session too, and ends it when it is removed${why}`,
  async () => {
    const stored: string[] = [];
    const open = async () => {
      let isConnected = (): void => undefined;
      const connected = new Promise<void>((resolve) => (isConnected = resolve));
      const elsewhere = connectBrokerElsewhere({
        open: () => connect(Number(new URL(broker.url).port), "127.0.0.1"),
        username: "",
        password: "",
        clientId: "metrumcompany",
        filters: ["application/#"],
        qos: 1,
        onMessage: (_, payload) => Promise.resolve(void stored.push(Buffer.from(payload).toString())),
        pause: (ms) => sleep(ms),
        onConnected: () => isConnected(),
        onLost: () => undefined,
        log: createLog("silent"),
      });
      await connected;
      return elsewhere;
    };
    const publisher = await aPublisher();
    await (await open()).stop();
    await publisher.publishAsync("application/1", "kept", { qos: 1 });
    const second = await open();
    await vi.waitFor(() => expect(stored).toEqual(["kept"]), patience);

    await second.stop();
    await second.forget();
    await publisher.publishAsync("application/1", "dropped", { qos: 1 });
    const last = await open();
    stops.push(last.stop);
    await publisher.publishAsync("application/1", "next", { qos: 1 });
    await vi.waitFor(() => expect(stored).toContain("next"), patience);

    expect(stored).toEqual(["kept", "next"]);
  },
);
