import { connect as connectSocket } from "node:net";
import mqtt from "mqtt";
import { afterEach, expect, test, vi } from "vitest";
import { testBrokers } from "#testing/peers/broker";
import type { MqttMessage } from "./mqttMessage.ts";
import type { Refused } from "./refusals.ts";

const { aBroker, aClient, stop } = testBrokers();
afterEach(stop);

/** Time limit against hanging, generous for a busy machine. */
const patience = { timeout: 20_000, interval: 10 };

test("PUBACK is sent only after the message is committed", async () => {
  const steps: string[] = [];
  let commit = (): void => undefined;
  const onMessage = async ({ topic }: MqttMessage): Promise<void> => {
    steps.push(`arrived ${topic}`);
    await new Promise<void>((resolve) => (commit = resolve));
    steps.push("committed");
  };
  const client = await aClient(await aBroker({ onMessage }), "c7");

  const acknowledged = client.publishAsync("c7/a", "1", { qos: 1 }).then(() => steps.push("acknowledged"));
  await vi.waitFor(() => expect(steps).toEqual(["arrived c7/a"]), patience);
  commit();
  await acknowledged;

  expect(steps).toEqual(["arrived c7/a", "committed", "acknowledged"]);
});

test("while the database is unavailable nothing is acknowledged, and afterwards nothing is lost", async () => {
  let isAway = true;
  let tries = 0;
  const stored: string[] = [];
  const onMessage = ({ payload }: MqttMessage): Promise<void> => {
    tries += 1;
    if (isAway) return Promise.reject(new Error("database away"));
    stored.push(Buffer.from(payload).toString());
    return Promise.resolve();
  };
  const client = await aClient(await aBroker({ onMessage }), "c7");
  let acknowledged = false;

  const publishing = client.publishAsync("c7/a", "1", { qos: 1 }).then(() => (acknowledged = true));
  await vi.waitFor(() => expect(tries).toBeGreaterThan(0), patience);
  expect(acknowledged).toBe(false);
  isAway = false;
  await publishing;

  expect(stored).toEqual(["1"]);
});

test("a client that connects while the database is unavailable waits instead of being refused, which it could take as final", async () => {
  let tries = 0;
  const account = { companyId: 7, username: "c7", secretHash: Buffer.alloc(32) };
  const authenticate = () =>
    (tries += 1) < 3 ? Promise.reject(new Error("database away")) : Promise.resolve(account);
  const broker = await aBroker({ authenticate, pause: () => Promise.resolve() });

  const client = await aClient(broker, "c7");

  expect([client.connected, tries]).toEqual([true, 3]);
});

test("clients without the account of a company are refused", async () => {
  const broker = await aBroker();

  await expect(aClient(broker, "c7", { password: "guess" })).rejects.toThrow("Not authorized");
  await expect(
    mqtt.connectAsync(`mqtt://127.0.0.1:${String(broker.port)}`, { reconnectPeriod: 0 }),
  ).rejects.toThrow("Not authorized");
});

test("a company publishes and receives under its own prefix only", async () => {
  const stored: MqttMessage[] = [];
  const broker = await aBroker({ onMessage: (message) => Promise.resolve(void stored.push(message)) });
  const other = await aClient(broker, "c8");
  const own = await aClient(broker, "c7");

  await expect(own.subscribeAsync("c8/#", { qos: 1 })).rejects.toThrow();
  await expect(own.subscribeAsync("#", { qos: 1 })).rejects.toThrow();
  await other.subscribeAsync("c8/#", { qos: 1 });
  await own.publishAsync("c8/a", "1", { qos: 1 });
  await other.publishAsync("c8/b", "2", { qos: 1 });
  await vi.waitFor(() => expect(other.received).toContain("c8/b 2"), patience);

  expect(stored.map(({ companyId, topic }) => [companyId, topic])).toEqual([[8, "c8/b"]]);
  expect(other.received).toEqual(["c8/b 2"]);
});

const bridgeNotice = "$SYS/broker/connection/site/state";

test("API-024 a message that a client may not publish is acknowledged, dropped and noted, and the next one stored", async () => {
  const stored: string[] = [];
  const refused: Refused[] = [];
  const broker = await aBroker({
    onMessage: ({ topic }) => Promise.resolve(void stored.push(topic)),
    onRefused: (each) => void refused.push(each),
  });
  const bridge = await aClient(broker, "c7", {
    clientId: "site",
    clean: false,
    will: { topic: bridgeNotice, payload: Buffer.from("0"), qos: 1, retain: true },
  });
  const listener = await aClient(broker, "c7");
  await listener.subscribeAsync("c7/#", { qos: 1 });

  for (const qos of [0, 1, 2] as const) await bridge.publishAsync(bridgeNotice, "1", { qos, retain: true });
  await bridge.publishAsync("c7/mapped/x", "{}", { qos: 1 });
  await vi.waitFor(() => expect(listener.received).toEqual(["c7/mapped/x {}"]), patience);
  bridge.stream.destroy();
  await vi.waitFor(() => expect(refused).toHaveLength(4), patience);

  expect(stored).toEqual(["c7/mapped/x"]);
  expect(refused).toEqual(Array(4).fill({ username: "c7", reason: "topic", detail: bridgeNotice }));
});

test("API-024 every refusal has a reason: password, filter, version, keep alive, client id", async () => {
  const refused: Refused[] = [];
  const broker = await aBroker({ onRefused: (each) => void refused.push(each) });

  await expect(aClient(broker, "c7", { password: "guess" })).rejects.toThrow();
  await expect(aClient(broker, "c7", { protocolVersion: 5 })).rejects.toThrow();
  await expect(aClient(broker, "c7", { keepalive: 0 })).rejects.toThrow();
  await expect(aClient(broker, "c7", { clientId: "x".repeat(300) })).rejects.toThrow();
  const own = await aClient(broker, "c7");
  await expect(own.subscribeAsync("c8/#", { qos: 1 })).rejects.toThrow();

  expect(refused).toEqual([
    { username: "c7", reason: "password" },
    { username: "c7", reason: "version" },
    { username: "c7", reason: "keep_alive" },
    { username: "c7", reason: "client_id" },
    { username: "c7", reason: "filter", detail: "c8/#" },
  ]);
});

test("a retained message of a device is processed once and not retained", async () => {
  const client = await aClient(await aBroker(), "c7");
  await client.publishAsync("c7/state", "old", { qos: 1, retain: true });

  await client.subscribeAsync("c7/#");
  // A retained message would arrive before one published after the subscription.
  await client.publishAsync("c7/next", "new", { qos: 1 });
  await vi.waitFor(() => expect(client.received).toContain("c7/next new"), patience);

  expect(client.received).toEqual(["c7/next new"]);
});

test("a packet that announces more than 256 KiB ends the connection before it is read", async () => {
  const { port } = await aBroker();
  const socket = connectSocket({ host: "127.0.0.1", port });
  socket.on("error", () => undefined);
  const ended = new Promise((resolve) => socket.once("close", resolve));

  socket.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
  socket.resume();

  await ended;
  expect(socket.destroyed).toBe(true);
});
