import type { MqttClient } from "mqtt";
import { afterEach, expect, test, vi } from "vitest";
import { testBrokers } from "#testing/peers/broker";
import { createMetrics } from "#core";
import type { Broker } from "./broker.ts";
import { brokerFigures } from "./brokerMetrics.ts";
import { fairLevel, maxOwedBytes } from "./accountSessions.ts";

const { aBroker, aClient, aDeafClient, stop } = testBrokers();
afterEach(stop);

const mib = 1024 * 1024;

/** Leaves a session behind with a backlog of everything below these topics. */
async function asleep(broker: Broker, username: string, clientId: string, filter = `${username}/#`) {
  const client = await aClient(broker, username, { clientId, clean: false });
  await client.subscribeAsync(filter, { qos: 1 });
  await client.endAsync();
}

async function publishMany(client: MqttClient, topic: string, many: { times: number; bytes: number }) {
  const payload = Buffer.alloc(many.bytes, 1);
  for (let sent = 0; sent < many.times; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => client.publishAsync(topic, payload, { qos: 1 })));
}

/** Time limit against hanging, generous for a busy machine. */
const patience = { timeout: 60_000, interval: 20 };

test("the queue of a sleeping client is limited by account, and the oldest messages are dropped and counted", async () => {
  const broker = await aBroker();
  await asleep(broker, "c7", "sleeper");
  await asleep(broker, "c8", "other");
  const own = await aClient(broker, "c7");
  const other = await aClient(broker, "c8");
  await publishMany(other, "c8/a", { times: 20, bytes: 1000 });

  await publishMany(own, "c7/a", { times: 240, bytes: 255 * 1024 });

  const { owedBytes, droppedMessages } = broker.counts("c7");
  expect(owedBytes).toBeLessThanOrEqual(maxOwedBytes);
  expect(owedBytes).toBeGreaterThan(maxOwedBytes / 2);
  expect(droppedMessages).toBeGreaterThan(170);
  expect(broker.counts("c8")).toMatchObject({ sessions: 1, droppedMessages: 0 });
  const back = await aClient(broker, "c8", { clientId: "other", clean: false });
  await vi.waitFor(() => expect(back.received).toHaveLength(20), patience);
  await vi.waitFor(() => expect(broker.counts("c8").owedBytes).toBe(0), patience);
});

test("a client with a short queue loses nothing to a sleeping client of its account", async () => {
  const broker = await aBroker();
  await asleep(broker, "c7", "hog", "c7/many/#");
  await asleep(broker, "c7", "modest", "c7/few/#");
  const own = await aClient(broker, "c7");
  await publishMany(own, "c7/few/a", { times: 20, bytes: 1000 });

  await publishMany(own, "c7/many/a", { times: 100, bytes: 255 * 1024 });

  const back = await aClient(broker, "c7", { clientId: "modest", clean: false });
  await vi.waitFor(() => expect(back.received).toHaveLength(20), patience);
});

test("a subscriber that never reads is dropped, and does not delay others meanwhile", async () => {
  const broker = await aBroker();
  aDeafClient(broker, "slow");
  await vi.waitFor(() => expect(broker.counts("c7").filters).toBe(1), patience);
  const own = await aClient(broker, "c7");
  const other = await aClient(broker, "c8");

  const filling = publishMany(own, "c7/a", { times: 400, bytes: 100 * 1024 });
  await publishMany(other, "c8/a", { times: 200, bytes: 100 });
  await filling;

  await vi.waitFor(
    () => expect(broker.counts("c7")).toMatchObject({ slowClients: 1, connections: 1 }),
    patience,
  );
});

test("filters of a client and of the sessions of an account are limited", async () => {
  const broker = await aBroker();
  const client = await aClient(broker, "c7", { clientId: "many", clean: false });
  const granted = new Promise<unknown>((resolve) => {
    client.on("packetreceive", (packet) => (packet.cmd === "suback" ? resolve(packet.granted) : undefined));
  });
  const filters = Array.from({ length: 150 }, (_, at): [string, { qos: 1 }] => [
    `c7/${String(at)}`,
    { qos: 1 },
  ]);

  await client.subscribeAsync(Object.fromEntries(filters)).catch(() => undefined);

  expect(await granted).toEqual(filters.map((_, at) => (at < 100 ? 1 : 128)));
  expect(broker.counts("c7")).toMatchObject({ connections: 1, sessions: 1, filters: 100, refused: 50 });
  await client.unsubscribeAsync(filters.slice(0, 40).map(([filter]) => filter));
  await vi.waitFor(() => expect(broker.counts("c7").filters).toBe(60), patience);
});

test("cutting sessions to a common level shortens the longest queues", () => {
  expect(fairLevel([1, 2, 100, 1000], 203)).toBe(100);
  expect(fairLevel([10, 10], 10)).toBe(5);
  expect(fairLevel([1, 2], 10)).toBe(Infinity);
});

test("the queues of all accounts together are limited, and an account with a short queue loses nothing", async () => {
  const broker = await aBroker({ ofAll: { owedBytes: 2 * mib } });
  for (const name of ["c7", "c8", "c9"]) await asleep(broker, name, "sleeper");
  const [first, second, modest] = [
    await aClient(broker, "c7"),
    await aClient(broker, "c8"),
    await aClient(broker, "c9"),
  ];
  await publishMany(modest, "c9/a", { times: 20, bytes: 1000 });

  await publishMany(first, "c7/a", { times: 60, bytes: 50 * 1024 });
  await publishMany(second, "c8/a", { times: 60, bytes: 50 * 1024 });

  expect(broker.totals().owedBytes).toBeLessThanOrEqual(2 * mib);
  expect(broker.totals().owedBytes).toBeGreaterThan(mib);
  expect(broker.counts("c9")).toMatchObject({ droppedMessages: 0, owedBytes: 20 * (1000 + 600 + 2 * 4) });
  const owed = ["c7", "c8", "c9"].map((name) => broker.counts(name).owedBytes);
  expect(owed.reduce((sum, each) => sum + each, 0)).toBe(broker.totals().owedBytes);
});

test("beyond the total limit of sessions the account with the most loses one", async () => {
  const broker = await aBroker({ ofAll: { sessions: 4 } });
  await asleep(broker, "c8", "modest");
  for (const id of ["a", "b", "c"]) await asleep(broker, "c7", id);

  await asleep(broker, "c9", "new");
  await asleep(broker, "c8", "second");

  expect(["c7", "c8", "c9"].map((name) => broker.counts(name).sessions)).toEqual([1, 2, 1]);
  expect(broker.totals()).toMatchObject({ sessions: 4, droppedSessions: 2 });
  const oldest = await aClient(broker, "c7", { clientId: "a", clean: false });
  expect(oldest.sessionPresent).toBe(false);
});

test("the wills of all accounts are limited, and a client that disconnects frees its share", async () => {
  const broker = await aBroker({ ofAll: { willBytes: 20_000 } });
  const withWill = (username: string) =>
    aClient(broker, username, {
      will: { topic: `${username}/w`, payload: Buffer.alloc(12_000), qos: 0, retain: false },
    });
  const first = await withWill("c7");

  await expect(withWill("c8")).rejects.toThrow();
  await first.endAsync();
  await vi.waitFor(() => expect(broker.totals().willBytes).toBe(0), patience);
  await withWill("c8");

  expect(broker.counts("c8").refused).toBe(1);
});

test("many slow clients share the limit of unread bytes of one account, and other clients stay connected", async () => {
  const broker = await aBroker({ ofAll: { unreadBytes: 3 * mib } });
  for (let n = 0; n < 30; n++) aDeafClient(broker, `slow${String(n)}`);
  await vi.waitFor(() => expect(broker.counts("c7").filters).toBe(30), patience);
  const own = await aClient(broker, "c7");
  const reader = await aClient(broker, "c7");
  await reader.subscribeAsync("c7/#", { qos: 0 });

  await publishMany(own, "c7/a", { times: 200, bytes: 64 * 1024 });

  await vi.waitFor(() => expect(reader.received).toHaveLength(200), patience);
  expect(broker.totals().unreadBytes).toBeLessThanOrEqual((3 + 3 / 8) * mib + 31 * 64 * 1024);
  expect(broker.totals().slowClients).toBeGreaterThan(0);
});

test("usage and drops of the broker are in the metrics, without client ids", async () => {
  const metrics = createMetrics();
  const broker = await aBroker({ ofAll: { sessions: 1 } });
  const remove = metrics.add(brokerFigures(broker));
  await asleep(broker, "c7", "first");
  await asleep(broker, "c8", "second");

  const text = await metrics.text();
  remove();

  expect(text).toMatch(/^metrum_mqtt_sessions 1$/m);
  expect(text).toMatch(/^metrum_mqtt_dropped_sessions_total 1$/m);
  expect(text).toMatch(/^metrum_mqtt_owed_bytes 0$/m);
  expect(text).not.toMatch(/c7|c8/);
  expect(await metrics.text()).not.toContain("metrum_mqtt");
});
