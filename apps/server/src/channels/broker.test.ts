import { connect as connectSocket } from "node:net";
import mqtt, { type MqttClient } from "mqtt";
import { afterEach, expect, test, vi } from "vitest";
import { createLog, systemClock } from "#core";
import { createDoorkeeper } from "./bounds.ts";
import { startBroker, type MqttMessage, type OnMqttMessage } from "./broker.ts";

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function aBroker(onMessage: OnMqttMessage): Promise<number> {
  const broker = await startBroker({
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: createLog("silent"),
    doorkeeper: createDoorkeeper(systemClock),
    authenticate: (username, password) =>
      Promise.resolve(
        password.toString() === `secret of ${username}`
          ? { companyId: Number(username.slice(1)), username, secretHash: password }
          : undefined,
      ),
    onMessage,
  });
  stops.push(broker.stop);
  return broker.port;
}

/** Ends what hangs; a busy machine is no mistake. */
const patience = { timeout: 20_000, interval: 10 };

async function aClient(
  port: number,
  username = "c7",
  password = `secret of ${username}`,
): Promise<MqttClient> {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${String(port)}`, {
    username,
    password,
    reconnectPeriod: 0,
  });
  stops.push(() => client.endAsync(true));
  return client;
}

test("PUBACK leaves only after the message is committed", async () => {
  const steps: string[] = [];
  let commit = (): void => undefined;
  const port = await aBroker(async ({ topic }) => {
    steps.push(`arrived ${topic}`);
    await new Promise<void>((resolve) => (commit = resolve));
    steps.push("committed");
  });
  const client = await aClient(port);

  const acknowledged = client.publishAsync("c7/a", "1", { qos: 1 }).then(() => steps.push("acknowledged"));
  await vi.waitFor(() => expect(steps).toEqual(["arrived c7/a"]), patience);
  commit();
  await acknowledged;

  expect(steps).toEqual(["arrived c7/a", "committed", "acknowledged"]);
});

test("while the database is away nothing is acknowledged, and afterwards nothing is lost", async () => {
  let isAway = true;
  let tries = 0;
  const stored: string[] = [];
  const port = await aBroker(({ payload }) => {
    tries += 1;
    if (isAway) return Promise.reject(new Error("database away"));
    stored.push(Buffer.from(payload).toString());
    return Promise.resolve();
  });
  const client = await aClient(port);
  let acknowledged = false;

  const publishing = client.publishAsync("c7/a", "1", { qos: 1 }).then(() => (acknowledged = true));
  await vi.waitFor(() => expect(tries).toBeGreaterThan(0), patience);
  expect(acknowledged).toBe(false);
  isAway = false;
  await publishing;

  expect(stored).toEqual(["1"]);
});

test("nobody is let in without the account of a company", async () => {
  const port = await aBroker(() => Promise.resolve());

  await expect(aClient(port, "c7", "guess")).rejects.toThrow();
  await expect(
    mqtt.connectAsync(`mqtt://127.0.0.1:${String(port)}`, { reconnectPeriod: 0 }),
  ).rejects.toThrow();
});

test("a company publishes and hears under its own prefix only", async () => {
  const stored: MqttMessage[] = [];
  const port = await aBroker((message) => {
    stored.push(message);
    return Promise.resolve();
  });
  const other = await aClient(port, "c8");
  const own = await aClient(port, "c7");

  await expect(own.subscribeAsync("c8/#", { qos: 1 })).rejects.toThrow();
  await expect(own.subscribeAsync("#", { qos: 1 })).rejects.toThrow();
  own.publish("c8/a", "1", { qos: 1 }, () => undefined);
  await new Promise<void>((resolve) => own.once("close", () => resolve()));
  await other.publishAsync("c8/b", "2", { qos: 1 });

  expect(stored.map(({ companyId, topic }) => [companyId, topic])).toEqual([[8, "c8/b"]]);
});

test("a retained message of a device is taken once and not kept", async () => {
  const port = await aBroker(() => Promise.resolve());
  const client = await aClient(port);
  await client.publishAsync("c7/state", "old", { qos: 1, retain: true });

  const heard: string[] = [];
  client.on("message", (topic) => heard.push(topic));
  await client.subscribeAsync("c7/#");
  // A retained message would come before one that is published after the subscription.
  await client.publishAsync("c7/next", "new", { qos: 1 });
  await vi.waitFor(() => expect(heard).toContain("c7/next"), patience);

  expect(heard).toEqual(["c7/next"]);
});

test("a packet that announces more than 256 KiB ends the connection before it is taken in", async () => {
  const port = await aBroker(() => Promise.resolve());
  const socket = connectSocket({ host: "127.0.0.1", port });
  socket.on("error", () => undefined);
  const ended = new Promise((resolve) => socket.once("close", resolve));

  socket.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
  socket.resume();

  await ended;
  expect(socket.destroyed).toBe(true);
});
