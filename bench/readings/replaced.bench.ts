import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { ingest, type Incoming } from "../../apps/server/src/metering/messages/index.ts";
import { addDevices, startCluster } from "../cluster.ts";
import { atMost, reported, type Bench, type Figure } from "../report.ts";

const batchSize = 5_000;
const rounds = 8;
const start = Date.UTC(2026, 4, 4) / 1000;
const mostTimes = 4;

/** Distribution of the 5,000 readings of a batch over devices and days. */
const shapes = [
  { name: "archives: 105 devices x 48 half-hours", devices: 105, each: 48, msgType: 5, stepSec: 1800 },
  { name: "uplinks: 5,000 devices x 1 reading", devices: 5_000, each: 1, msgType: 1, stepSec: 3600 },
] as const;

type Shape = (typeof shapes)[number];

/**
 * Second pass over a batch whose rows were stored as plain ones; `says` is the expected outcome of every
 * reading.
 */
const ways = [
  {
    name: "replaced by another value",
    says: "replaced",
    of: (reading: Incoming): Incoming => ({
      ...reading,
      values: changed(reading, 0.5),
      receivedAt: reading.receivedAt + 60,
    }),
  },
  {
    name: "refused, worth less",
    says: "refused",
    of: (reading: Incoming): Incoming => ({
      ...reading,
      values: changed(reading, 0.25),
      status: "estimated",
    }),
  },
  {
    name: "with a time that cannot be right",
    says: "quarantined",
    of: (reading: Incoming): Incoming => ({
      ...reading,
      ts: reading.receivedAt + 10 * 86_400 + (reading.ts % 86_400),
    }),
  },
] as const;

const changed = ({ values }: Incoming, by: number): Incoming["values"] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, (value ?? 0) + by]));

export const bench: Bench = {
  title: "5,000 rows replaced, refused or quarantined against 5,000 plain ones, in turns",
  async run() {
    const cluster = await startCluster();
    try {
      const { services } = cluster;
      const modelId = meterModels.find(({ resource }) => resource === "electricity")?.id ?? 0;
      const ids = await addDevices(services, { count: batchSize, modelId });
      const figures: Figure[] = [];
      for (const shape of shapes) {
        let plain = 0;
        const spent = new Map<string, number>();
        await ingest(services, batchOf(shape, ids, 0));
        for (let round = 1; round <= rounds; round++) {
          const batch = batchOf(shape, ids, round);
          plain += await timed(() => ingest(services, batch));
          for (const way of ways) {
            const given = batch.map(way.of);
            const began = performance.now();
            const answer = await ingest(services, given);
            spent.set(way.name, (spent.get(way.name) ?? 0) + (performance.now() - began) / 1000);
            if (answer[way.says] !== given.length)
              throw new Error(`${way.name}: ${JSON.stringify(answer)} of ${String(given.length)}`);
          }
        }
        figures.push(reported(shape.name, (1000 * plain) / rounds, "ms"));
        for (const [name, seconds] of spent)
          figures.push(atMost(`  ${name}, times plain`, seconds / plain, "x", mostTimes));
      }
      return figures;
    } finally {
      await cluster.services.parts.readingStore.settle();
      await cluster.stop();
    }
  },
};

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1000;
}

function batchOf(shape: Shape, ids: readonly number[], round: number): Incoming[] {
  return Array.from({ length: batchSize }, (_, n) => {
    const deviceId = ids[Math.floor(n / shape.each)] as DeviceId;
    const ts = start + (round * shape.each + (n % shape.each)) * shape.stepSec;
    const value = (ts - start) / 3600 + 1;
    const values =
      shape.msgType === 5
        ? { power_a_plus: value, power_a_minus: value, power_r_plus: value, power_r_minus: value }
        : { tariff0: value, tariff1: value, tariff2: value, tariff_reactive0: value };
    return { deviceId, msgType: shape.msgType, ts, receivedAt: ts + 7, source: "polled", values };
  });
}
