import type { MqttClient } from "mqtt";
import { afterEach, expect, test, vi } from "vitest";
import { testBrokers } from "../testing/broker.ts";
import type { Broker } from "./broker.ts";
import { fairLevel, maxOwedBytes } from "./mqttSessions.ts";

const { aBroker, aClient, aDeafClient, stop } = testBrokers();
afterEach(stop);

/** Leaves a session behind that is owed everything below these topics. */
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

/** Ends what hangs; a busy machine is no mistake. */
const patience = { timeout: 60_000, interval: 20 };

test("what a sleeping client is owed is bounded by account, and the oldest is dropped and counted", async () => {
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

test("a client that is owed little loses nothing to one of its account that sleeps", async () => {
  const broker = await aBroker();
  await asleep(broker, "c7", "hog", "c7/many/#");
  await asleep(broker, "c7", "modest", "c7/few/#");
  const own = await aClient(broker, "c7");
  await publishMany(own, "c7/few/a", { times: 20, bytes: 1000 });

  await publishMany(own, "c7/many/a", { times: 100, bytes: 255 * 1024 });

  const back = await aClient(broker, "c7", { clientId: "modest", clean: false });
  await vi.waitFor(() => expect(back.received).toHaveLength(20), patience);
});

test("a subscriber that never reads is dropped, and meanwhile holds up no one else", async () => {
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

test("filters of a client and of the sessions of an account are bounded", async () => {
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

test("the level to which all sessions are cut takes from the greatest", () => {
  expect(fairLevel([1, 2, 100, 1000], 203)).toBe(100);
  expect(fairLevel([10, 10], 10)).toBe(5);
  expect(fairLevel([1, 2], 10)).toBe(Infinity);
});
