import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import { ingest } from "../apps/server/src/metering/messages/index.ts";
import { capacity, liesOf, Oracle, randomOf, type Lie } from "../apps/server/src/testing/lyingMeter.ts";
import {
  differences,
  expectedState,
  storedState,
  type MeterState,
} from "../apps/server/src/testing/lyingVerdict.ts";
import { addDevices, startCluster } from "./cluster.ts";
import { atMost, reported, type Bench } from "./report.ts";

const meterCount = 4_000;
/** One reading of each meter a batch: the oracle takes them in the order in which they are acknowledged. */
const readingsOfEach = 250;
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

export const bench: Bench = {
  title: "meters that lie in every field, 1,000,000 readings, against an oracle that knows the truth",
  async run() {
    const cluster = await startCluster();
    try {
      const { services } = cluster;
      const modelId = meterModels.find(({ pulses }) => pulses)?.id ?? 0;
      const ids = await addDevices(services, { count: meterCount, modelId });
      await services.database.pool.query("update device set timezone = 'UTC', impulse_weight = $1", [
        capacity / 2 ** 32,
      ]);
      const meters = ids.map((id, n) => ({
        deviceId: id as DeviceId,
        oracle: new Oracle(),
        lies: liesOf(id as DeviceId, start, randomOf(n + 1)),
      }));
      const began = performance.now();
      const tell = async (group: typeof meters): Promise<void> => {
        for (let n = 0; n < readingsOfEach; n++) {
          const batch: Lie[] = [];
          for (const { oracle, lies } of group) {
            const { value } = lies.next();
            oracle.take(value);
            batch.push(value.lie);
          }
          await ingest(services, batch);
        }
      };
      await Promise.all(
        Array.from({ length: groupCount }, (_, group) =>
          tell(meters.filter((_each, at) => at % groupCount === group)),
        ),
      );
      await services.parts.readingStore.settle();
      const rate = (meterCount * readingsOfEach) / ((performance.now() - began) / 1000);

      const found = new Map(kinds.map((kind) => [kind, { facts: 0, wrong: 0 }]));
      for (const { deviceId, oracle } of meters) {
        const [stored, expected] = [await storedState(services, deviceId), expectedState(oracle)];
        for (const kind of kinds) {
          const wrong = differences(stored[kind], expected[kind]);
          const known = found.get(kind) ?? { facts: 0, wrong: 0 };
          found.set(kind, { facts: known.facts + expected[kind].length, wrong: known.wrong + wrong.length });
          if (wrong[0] !== undefined) console.error(`  device ${String(deviceId)}, ${kind}: ${wrong[0]}`);
        }
      }
      return [
        reported("readings, oracle included", rate, "rows/s"),
        ...[...found].flatMap(([kind, { facts, wrong }]) => [
          reported(kind, facts, "facts"),
          atMost("  of them wrong", wrong, "facts", 0),
        ]),
      ];
    } finally {
      await cluster.stop();
    }
  },
};
