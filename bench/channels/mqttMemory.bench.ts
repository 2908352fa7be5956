import { setTimeout as sleep } from "node:timers/promises";
import type { MqttClient } from "mqtt";
import { testBrokers, type TestBrokers } from "../../apps/server/src/testing/peers/broker.ts";
import { atLeast, atMost, reported, type Bench, type Figure } from "../report.ts";

const sleepers = 200;
const largeMessages = 4_000;
const largeBytes = 255 * 1024;
const smallMessages = 60_000;
const smallBytes = 40;
const slowClients = 50;
const mib = 1024 * 1024;

/**
 * Offline sessions and clients that never read use up the limit of their account and do not affect other
 * accounts.
 */
export const bench: Bench = {
  title: "memory of the embedded broker under an account of sleeping sessions and of clients that never read",
  async run() {
    const brokers = testBrokers();
    try {
      return await measure(brokers);
    } finally {
      await brokers.stop();
    }
  },
};

async function measure({ aBroker, aClient, aDeafClient }: TestBrokers): Promise<Figure[]> {
  const broker = await aBroker();
  const publisher = await aClient(broker, "c7");
  const honest = await aClient(broker, "c8");
  for (let n = 0; n < sleepers; n++) {
    const client = await aClient(broker, "c7", { clientId: `sleeper${String(n)}`, clean: false });
    await client.subscribeAsync(`c7/${String(n % 4)}/#`, { qos: 1 });
    await client.endAsync();
  }
  for (let n = 0; n < slowClients; n++) aDeafClient(broker, `slow${String(n)}`);
  await sleep(500);
  const before = process.memoryUsage.rss();
  let most = before;
  const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
  let worstMs = 0;
  const asking = setInterval(() => {
    const startedMs = performance.now();
    void honest.publishAsync("c8/a", "1", { qos: 1 }).then(() => {
      worstMs = Math.max(worstMs, performance.now() - startedMs);
    });
  }, 100);
  const startedMs = performance.now();
  await publishMany(publisher, largeMessages, largeBytes);
  await publishMany(publisher, smallMessages, smallBytes);
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(watching);
  clearInterval(asking);
  const counts = broker.counts("c7");
  await Promise.all([publisher.endAsync(true), honest.endAsync(true)]);
  return [
    reported("published to the account", (largeMessages * largeBytes) / mib, "MiB"),
    reported("seconds", seconds, "s"),
    atMost("owed to its sleeping sessions", counts.owedBytes / mib, "MiB", 16),
    atMost("growth of memory with both publishers, at most", (most - before) / mib, "MiB", 256),
    atLeast("clients dropped that never read", counts.slowClients, "", slowClients),
    atLeast("messages dropped and counted", counts.droppedMessages, "", 1),
    atMost("longest acknowledgement of another company", worstMs, "ms", 1000),
  ];
}

async function publishMany(client: MqttClient, times: number, bytes: number): Promise<void> {
  const payload = Buffer.alloc(bytes, 1);
  for (let sent = 0; sent < times; sent += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.publishAsync(`c7/${String(n % 4)}/a`, payload, { qos: 1 })),
    );
}
