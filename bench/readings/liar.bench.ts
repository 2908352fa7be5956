import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { ingest } from "../../apps/server/src/metering/messages/index.ts";
import {
  capacity,
  faultyReadingsOf,
  holdsHours,
  Oracle,
  randomOf,
  type FaultyReading,
} from "../../apps/server/src/testing/series/faultyMeter.ts";
import {
  countedReadingsOf,
  troubles,
  wrongOf,
  type Counted,
  type Trouble,
} from "../../apps/server/src/testing/series/countingMeter.ts";
import {
  differences,
  expectedState,
  storedState,
  type MeterState,
} from "../../apps/server/src/testing/series/faultyMeterState.ts";
import { addDevices, startCluster } from "../cluster.ts";
import { atMost, reported, type Bench } from "../report.ts";

const meterCount = 4_000;
/** One reading of each meter a batch: the oracle applies them in the order of acknowledgement. */
const readingsOfEach = 250;
/** Honest meters with one trouble each, and the readings of each: 1,000,000 too. */
const countingCount = 4_000;
const countedOfEach = 250;
/** Meters whose batches are sequential; those of different groups are concurrent. */
const groupCount = 4;
const start = Date.UTC(2026, 4, 9, 20) / 1000;
const kinds = [
  "values",
  "latest",
  "days",
  "growth",
  "quarantined",
] as const satisfies readonly (keyof MeterState)[];

type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Meters that count honestly, each with one trouble; every difference and sum that is shown of them. */
async function wrongSums({ services }: Cluster, modelId: number) {
  const kinds = Object.keys(troubles) as Trouble[];
  const ids = await addDevices(services, { count: countingCount, modelId });
  const meters = ids.map((id, n) => {
    const trouble = kinds[n % kinds.length] ?? "exchange";
    const deviceId = id as DeviceId;
    const readings = countedReadingsOf(deviceId, { start, trouble, random: randomOf(n + 1) });
    return { deviceId, trouble, readings, counted: new Array<Counted>() };
  });
  for (const trouble of kinds)
    await services.database.pool.query(
      "update device set timezone = 'UTC', impulse_weight = $2 where id = any($1::int[])",
      [
        meters.filter((each) => each.trouble === trouble).map(({ deviceId }) => deviceId),
        troubles[trouble].capacity / 2 ** 32,
      ],
    );
  for (let n = 0; n < countedOfEach; n++) {
    for (const { readings, counted } of meters) counted.push(readings.next().value);
    await ingest(
      services,
      meters.flatMap(({ counted }) => counted.at(-1)?.reading ?? []),
    );
  }
  const found = new Map(kinds.map((trouble) => [trouble, { readings: 0, wrong: 0 }]));
  for (const { trouble, counted } of meters) {
    const wrong = await wrongOf(services, trouble, counted);
    const sum = found.get(trouble) ?? { readings: 0, wrong: 0 };
    found.set(trouble, { readings: sum.readings + counted.length, wrong: sum.wrong + wrong.length });
    if (wrong[0] !== undefined) console.error(`  ${trouble}: ${wrong[0]}`);
  }
  return [...found].flatMap(([trouble, { readings, wrong }]) => [
    reported(`${trouble}, honest meters`, readings, "readings"),
    atMost("  differences and sums of them wrong", wrong, "items", 0),
  ]);
}

export const bench: Bench = {
  title: "meters with every kind of fault, 1,000,000 readings, compared with an oracle",
  async run() {
    const cluster = await startCluster();
    try {
      const { services } = cluster;
      const pulseId = meterModels.find(({ pulses }) => pulses)?.id ?? 0;
      const modelId =
        meterModels.find((each) => each.counterCapacity === capacity && each.holdsHours === holdsHours)?.id ??
        0;
      const ids = await addDevices(services, { count: meterCount, modelId });
      await services.database.pool.query("update device set timezone = 'UTC'");
      const meters = ids.map((id, n) => ({
        deviceId: id as DeviceId,
        oracle: new Oracle(),
        readings: faultyReadingsOf(id as DeviceId, start, randomOf(n + 1)),
      }));
      const began = performance.now();
      const ingestGroup = async (group: typeof meters): Promise<void> => {
        for (let n = 0; n < readingsOfEach; n++) {
          const batch: FaultyReading[] = [];
          for (const { oracle, readings } of group) {
            const { value } = readings.next();
            oracle.take(value);
            batch.push(value.reading);
          }
          await ingest(services, batch);
        }
      };
      await Promise.all(
        Array.from({ length: groupCount }, (_, group) =>
          ingestGroup(meters.filter((_each, at) => at % groupCount === group)),
        ),
      );
      await services.parts.readingStore.settle();
      const rate = (meterCount * readingsOfEach) / ((performance.now() - began) / 1000);

      const compared = new Map(kinds.map((kind) => [kind, { count: 0, wrong: 0 }]));
      for (const { deviceId, oracle } of meters) {
        const [stored, expected] = [await storedState(services, deviceId), expectedState(oracle)];
        for (const kind of kinds) {
          const wrong = differences(stored[kind], expected[kind]);
          const sum = compared.get(kind) ?? { count: 0, wrong: 0 };
          compared.set(kind, { count: sum.count + expected[kind].length, wrong: sum.wrong + wrong.length });
          if (wrong[0] !== undefined) console.error(`  device ${String(deviceId)}, ${kind}: ${wrong[0]}`);
        }
      }
      const counting = await wrongSums(cluster, pulseId);
      return [
        ...counting,
        reported("readings, oracle included", rate, "rows/s"),
        ...[...compared].flatMap(([kind, { count, wrong }]) => [
          reported(kind, count, "items"),
          atMost("  of them wrong", wrong, "items", 0),
        ]),
      ];
    } finally {
      await cluster.stop();
    }
  },
};
