import mqtt from "mqtt";
import { afterEach, expect, test } from "vitest";
import { createLog, systemClock } from "#core";
import { createDoorkeeper } from "./bounds.ts";
import { startBroker, type Broker } from "./broker.ts";

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function aBroker(): Promise<Broker> {
  const broker = await startBroker({
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: createLog("silent"),
    doorkeeper: createDoorkeeper(systemClock),
    authenticate: (username, secretHash) =>
      Promise.resolve({ companyId: Number(username.slice(1)), username, secretHash }),
    onMessage: () => Promise.resolve(),
  });
  stops.push(broker.stop);
  return broker;
}

async function aClient({ port }: Broker, username: string) {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${String(port)}`, { username, password: "x" });
  stops.push(() => client.endAsync(true));
  return client;
}

test("an order reaches the network server of its company and nobody else's", async () => {
  const broker = await aBroker();
  const [own, other] = [await aClient(broker, "c7"), await aClient(broker, "c8")];
  const heard: string[] = [];
  const first = new Promise<void>((resolve) =>
    own.on("message", (topic, body) => {
      heard.push(`${topic} ${body.toString()}`);
      resolve();
    }),
  );
  other.on("message", (topic) => heard.push(topic));
  await own.subscribeAsync("c7/application/+/device/+/command/#", { qos: 1 });
  await other.subscribeAsync("c8/#", { qos: 1 });

  expect(await broker.publish("c7/application/a/device/1/command/down", "{}")).toBe(true);
  await first;

  expect(heard).toEqual(["c7/application/a/device/1/command/down {}"]);
});

test("an order is refused when no network server of the company is connected", async () => {
  const broker = await aBroker();
  const other = await aClient(broker, "c8");

  expect(await broker.publish("c7/a", "{}")).toBe(false);
  expect(await broker.publish("c8/a", "{}")).toBe(true);
  await other.endAsync();

  await expect.poll(() => broker.publish("c8/a", "{}")).toBe(false);
});
