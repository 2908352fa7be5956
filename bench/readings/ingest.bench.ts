import { meterModels } from "@metrum/catalogue";
import { sources, statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import type { Services } from "../../apps/server/src/core/index.ts";
import { ingest, type Incoming } from "../../apps/server/src/metering/messages/index.ts";
import { addDevices, startCluster } from "../cluster.ts";
import { copyFrom } from "../../apps/server/src/metering/messages/rows/copy.ts";
import { atLeast, reported, type Bench, type Figure } from "../report.ts";

const batchSize = 5_000;
const batches = 24;
const start = Date.UTC(2026, 4, 4) / 1000;

/**
 * Distribution of the 5,000 readings of a batch over devices, which determines the number of affected read
 * model rows.
 */
const shapes = [
  {
    name: "archives: 104 devices x 48 half-hours",
    devices: 104,
    each: 48,
    msgType: 5,
    stepSec: 1800,
    target: 0.5,
  },
  { name: "bursts: 500 devices x 10 readings", devices: 500, each: 10, msgType: 2, stepSec: 60, target: 0.5 },
  {
    name: "uplinks: 5,000 devices x 1 reading",
    devices: 5_000,
    each: 1,
    msgType: 1,
    stepSec: 3600,
    target: undefined,
  },
] as const;

type Shape = (typeof shapes)[number];

const profile = ["power_a_plus", "power_a_minus", "power_r_plus", "power_r_minus"] as const;
const counters = ["tariff0", "tariff1", "tariff2", "tariff_reactive0"] as const;
const states = ["voltage1", "current1", "power_active", "cos0"] as const;
const fieldsByType: Readonly<Record<Shape["msgType"], readonly FieldName[]>> = {
  1: counters,
  2: states,
  5: profile,
};
const fieldsOf = (shape: Shape): readonly FieldName[] => fieldsByType[shape.msgType];

export const bench: Bench = {
  title: "idempotent ingest with read models against COPY into the same table, batches of 5,000, fsync on",
  async run() {
    const cluster = await startCluster();
    try {
      const { services } = cluster;
      const modelId = meterModels.find(({ resource }) => resource === "electricity")?.id ?? 0;
      const ids = await addDevices(services, { count: 10_000, modelId });
      const figures: Figure[] = [];
      for (const shape of shapes) {
        // Half of the devices are written by the service, the other half by COPY: the same table, no common
        // key.
        const [own, other] = [ids.slice(0, 5_000), ids.slice(5_000)];
        await ingest(services, batchOf(shape, own, -1));
        const byIngest: number[] = [];
        const byCopy: number[] = [];
        const client = await services.database.pool.connect();
        const { rows } = await client.query<{ id: number }>("select id from field_set where fields = $1", [
          [...fieldsOf(shape)].sort(),
        ]);
        const set = rows[0]?.id ?? 0;
        // Alternating, so that other load affects both alike.
        for (let n = 0; n < batches; n++) {
          const given = batchOf(shape, own, n);
          byIngest.push(await timed(() => ingest(services, given)));
          const copied = batchOf(shape, other, n);
          byCopy.push(await timed(() => copyFrom(client, copyText, [linesOf(copied, set)])));
        }
        client.release();
        await services.parts.readingStore.settle();
        const all = Array.from({ length: batches }, (_, n) => batchOf(shape, own, batches + n));
        const inFlight = await timed(() => Promise.all(all.map((given) => ingest(services, given))));
        await services.parts.readingStore.settle();
        figures.push(...(await summed(shape, { byIngest, byCopy, inFlight })));
        await checkCounts(cluster.services, shape, own.concat(other));
        const again = await timed(() => ingest(services, batchOf(shape, own, 0)));
        figures.push(reported("  the same batch again, absorbed", batchSize / again, "rows/s"));
      }
      return figures;
    } finally {
      await cluster.services.parts.readingStore.settle();
      await cluster.stop();
    }
  },
};

async function summed(
  shape: Shape,
  taken: { byIngest: readonly number[]; byCopy: readonly number[]; inFlight: number },
): Promise<Figure[]> {
  const total = batches * batchSize;
  const rate = (seconds: readonly number[]) => total / seconds.reduce((sum, each) => sum + each, 0);
  const [service, copy] = [rate(taken.byIngest), rate(taken.byCopy)];
  const share = "  service, one batch at a time, of COPY";
  return Promise.resolve([
    reported(shape.name, service, "rows/s"),
    reported("  COPY (text) into the same table", copy, "rows/s"),
    reported("  service, batches in flight", total / taken.inFlight, "rows/s"),
    shape.target === undefined
      ? reported(share, service / copy, "x")
      : atLeast(share, service / copy, "x", shape.target),
  ]);
}

function batchOf(shape: Shape, ids: readonly number[], n: number): Incoming[] {
  const names = fieldsOf(shape);
  const perRound = Math.floor(ids.length / shape.devices);
  const [round, slice] = [Math.floor((n + perRound) / perRound), (n + perRound) % perRound];
  const readings: Incoming[] = [];
  for (let at = 0; at < shape.devices; at++) {
    const deviceId = ids[slice * shape.devices + at] as DeviceId;
    for (let each = 0; each < shape.each && readings.length < batchSize; each++) {
      const ts = start + (round * shape.each + each) * shape.stepSec;
      readings.push({
        deviceId,
        msgType: shape.msgType,
        ts,
        meterAt: ts + 3,
        receivedAt: ts + 7,
        source: "polled",
        values: Object.fromEntries(names.map((name, k) => [name, (ts - start) / 3600 + k + at / 1000])),
      });
    }
  }
  // The remainder: the last device gets some additional readings.
  while (readings.length < batchSize) {
    const last = readings.at(-1);
    if (!last) break;
    readings.push({ ...last, ts: last.ts + 1, receivedAt: last.receivedAt + 1 });
  }
  return readings;
}

const copyText =
  "copy message (ts, device_id, real_ts_offset, received_at_offset, msg_type, field_set_id, status, source, v, extra) from stdin";

function linesOf(readings: readonly Incoming[], set: number): Buffer {
  const status = String(statuses.measured.id);
  const source = String(sources.polled);
  let text = "";
  for (const { ts, deviceId, meterAt, receivedAt, msgType, values } of readings)
    text += `${ts}\t${deviceId}\t${(meterAt ?? ts) - ts}\t${receivedAt - ts}\t${msgType}\t${set}\t${status}\t${source}\t{${Object.values(values).join(",")}}\t\\N\n`;
  return Buffer.from(text);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1000;
}

/** Checks that no rows are lost. */
async function checkCounts(services: Services, shape: Shape, ids: readonly number[]): Promise<void> {
  const { rows } = await services.database.pool.query<{ stored: number; summed: number }>(
    `select (select count(*)::int from message where device_id = any($1) and msg_type = $2 and v is not null) as stored,
      (select sum(n)::int from reading_day where device_id = any($1) and msg_type = $2) as summed`,
    [ids, shape.msgType],
  );
  const { stored, summed: inDays } = rows[0] ?? { stored: 0, summed: 0 };
  if (stored !== inDays + batches * batchSize)
    throw new Error(
      `${shape.name}: ${String(stored)} rows, of which ${String(inDays)} are in the read models`,
    );
}
