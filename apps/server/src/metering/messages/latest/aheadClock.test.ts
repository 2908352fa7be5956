import type { DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anotherProcess } from "#testing/anotherProcess";
import { movableClock } from "#testing/clock";
import { aReading, openTestStore, type TestStore } from "#testing/readings";
import { ingest } from "../ingest/ingest.ts";
import type { Incoming } from "../rows/types.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const clock = movableClock();

const latestOf = async (deviceId: DeviceId) =>
  (
    await store.query<{ ts: number; v: number[]; by_field: object | null }>(
      "select ts::float8 as ts, v, by_field from device_latest where device_id = $1 order by msg_type",
      [deviceId],
    )
  )[0];

/** Ingested by a process that starts now, with empty caches. */
async function take(reading: Incoming): Promise<void> {
  const services = anotherProcess(store.services, { clock });
  await ingest(services, [reading]);
  await services.parts.readingStore.settle();
}

const polled = (deviceId: DeviceId, values: Record<string, number>) => {
  const ts = clock.now();
  return aReading({ deviceId, ts, receivedAt: ts, values });
};

test.each<readonly [string, Record<string, number>, number[]]>([
  ["of the same fields", { tariff0: 12, tariff1: 7 }, [12, 7]],
  ["of some of them", { tariff0: 12 }, [12, 5]],
])(
  "POLL-020 a reading of a clock that was ahead is not the latest: the next one %s takes its place",
  async (_, values, v) => {
    const deviceId = await store.addDevice();
    const before = clock.now();
    await take(polled(deviceId, { tariff0: 10, tariff1: 5 }));
    clock.ahead += 7_200;
    await take(polled(deviceId, { tariff0: 11, tariff1: 6 }));
    expect(await latestOf(deviceId)).toMatchObject({ v: [11, 6] });
    clock.ahead -= 7_195;

    await take(polled(deviceId, values));

    const latest = await latestOf(deviceId);
    expect(latest?.v).toEqual(v);
    expect(latest?.ts).toBeLessThan(before + 600);
    const [state] = await store.query<{ at: number }>(
      "select last_data_at::float8 as at from device_state where device_id = $1",
      [deviceId],
    );
    expect(state?.at).toBeLessThan(before + 600);
  },
);
