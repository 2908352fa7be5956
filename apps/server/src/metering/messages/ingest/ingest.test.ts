import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { meterModels } from "@metrum/catalogue";
import { sources, type DeviceId } from "@metrum/vocabulary";
import { ingest } from "./ingest.ts";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";
import type { Incoming } from "../rows/types.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const none = { stored: 0, repeated: 0, replaced: 0, refused: 0, quarantined: 0, unknown: 0 };
const noon = at("2026-05-10T12:00:00Z");

const messagesOf = (deviceId: DeviceId) =>
  store.query<{ ts: number; status: number; source: number; v: number[]; fields: string[] }>(
    "select ts, status, source, v, fields from message m join field_set f on f.id = m.field_set_id where device_id = $1 order by ts",
    [deviceId],
  );
const revisionsOf = (deviceId: DeviceId) =>
  store.query<{ v: number[]; reason: string; is_refused: boolean }>(
    "select v, reason, is_refused from message_revision where device_id = $1 order by replaced_at",
    [deviceId],
  );

test("DATA-054 a reading that arrives twice is stored once", async () => {
  const deviceId = await store.addDevice();
  const reading = aReading({ deviceId, ts: noon, values: { tariff0: 10, tariff1: 10 } });

  const first = await ingest(store.services, [reading]);
  const again = await ingest(store.services, [{ ...reading, receivedAt: noon + 900 }]);
  const twice = await ingest(store.services, [reading, { ...reading, values: { tariff1: 10, tariff0: 10 } }]);

  expect([first, again, twice]).toEqual([
    { ...none, stored: 1 },
    { ...none, repeated: 1 },
    { ...none, repeated: 2 },
  ]);
  expect(await messagesOf(deviceId)).toHaveLength(1);
  expect(await revisionsOf(deviceId)).toEqual([]);
});

test("DATA-054 a different value for the same time moves the earlier one to the history", async () => {
  const deviceId = await store.addDevice();
  const reading = aReading({ deviceId, ts: noon, values: { tariff0: 10 } });
  await ingest(store.services, [reading]);

  const answer = await ingest(store.services, [
    { ...reading, values: { tariff0: 11 }, reason: "meter re-read" },
  ]);

  expect(answer).toEqual({ ...none, replaced: 1 });
  expect((await messagesOf(deviceId))[0]?.v).toEqual([11]);
  expect(await revisionsOf(deviceId)).toEqual([{ v: [10], reason: "meter re-read", is_refused: false }]);
});

test("fields that arrive later complete the row and overwrite nothing", async () => {
  const deviceId = await store.addDevice();
  await ingest(store.services, [aReading({ deviceId, ts: noon, values: { tariff0: 10 } })]);

  await ingest(store.services, [aReading({ deviceId, ts: noon, values: { in1: 5 } })]);

  expect(await messagesOf(deviceId)).toMatchObject([{ fields: ["in1", "tariff0"], v: [5, 10] }]);
  expect(await revisionsOf(deviceId)).toEqual([]);
  const days = await store.query<{ n: number; first: number[] }>(
    "select n, first from reading_day where device_id = $1",
    [deviceId],
  );
  expect(days).toEqual([{ n: 1, first: [5, 10] }]);
});

test("a status of higher precedence replaces a lower one, never the reverse", async () => {
  const deviceId = await store.addDevice();
  const reading = aReading({ deviceId, ts: noon, values: { tariff0: 10 } });
  await ingest(store.services, [{ ...reading, source: "calculated" }]);

  await ingest(store.services, [{ ...reading, values: { tariff0: 11 } }]);
  const byHand = await ingest(store.services, [
    { ...reading, source: "manual", status: "corrected", values: { tariff0: 12 } },
  ]);
  const polledAgain = await ingest(store.services, [{ ...reading, values: { tariff0: 11 } }]);
  const calculated = await ingest(store.services, [
    { ...reading, source: "calculated", values: { tariff0: 9 } },
  ]);

  expect([byHand, polledAgain, calculated]).toEqual([
    { ...none, replaced: 1 },
    { ...none, refused: 1 },
    { ...none, refused: 1 },
  ]);
  expect((await messagesOf(deviceId))[0]).toMatchObject({ v: [12], status: 6, source: 4 });
  expect(await revisionsOf(deviceId)).toMatchObject([
    { v: [10] },
    { v: [11] },
    { v: [11], is_refused: true },
  ]);
  await ingest(store.services, [{ ...reading, values: { tariff0: 11 } }]);
  expect(await revisionsOf(deviceId)).toHaveLength(3);
});

test("a reading with an implausible time is quarantined, not dropped", async () => {
  const deviceId = await store.addDevice();
  const values = { tariff0: 10 };

  const answer = await ingest(store.services, [
    aReading({ deviceId, ts: at("1999-12-31T23:00:00Z"), receivedAt: noon, values }),
    aReading({ deviceId, ts: noon + 86_401, receivedAt: noon, values }),
    aReading({ deviceId, ts: noon, values }),
  ]);

  expect(answer).toEqual({ ...none, stored: 1, quarantined: 2 });
  const kept = await store.query<{ reading: { values: object } }>(
    "select reading from reading_quarantine where device_id = $1",
    [deviceId],
  );
  expect(kept.map((row) => row.reading.values)).toEqual([values, values]);
});

test("a reading received much later than its slot is late; yesterday's archive is not", async () => {
  const deviceId = await store.addDevice({ reportPeriodSec: 3600 });
  const values = { tariff0: 10 };

  await ingest(store.services, [
    aReading({ deviceId, ts: noon, receivedAt: noon + 3 * 3600, values }),
    aReading({ deviceId, ts: noon + 1, receivedAt: noon + 3600, values }),
    aReading({ deviceId, msgType: 101, ts: noon, receivedAt: noon + 20 * 3600, values }),
    aReading({ deviceId, ts: noon + 2, receivedAt: noon + 9e6, source: "imported", values }),
  ]);

  const rows = await store.query<{ status: number }>(
    "select status from message where device_id = $1 order by msg_type, ts",
    [deviceId],
  );
  expect(rows.map((row) => row.status)).toEqual([2, 1, 1, 1]);
});

test("a counter that decreases is suspect once and excluded from the day", async () => {
  const deviceId = await store.addDevice();
  const reading = (minute: number, tariff0: number) =>
    aReading({ deviceId, ts: noon + minute * 60, values: { tariff0 } });
  await ingest(store.services, [reading(0, 100), reading(1, 101)]);

  await ingest(store.services, [reading(2, 3)]);
  await ingest(store.services, [reading(3, 4)]);
  await ingest(store.services, [reading(2, 3)]);

  expect((await messagesOf(deviceId)).map((row) => row.status)).toEqual([1, 1, 3, 1]);
  const days = await store.query<{ n: number; last: number[] }>(
    "select n, last from reading_day where device_id = $1",
    [deviceId],
  );
  expect(days).toEqual([{ n: 3, last: [4] }]);
});

describe("a pulse counter", () => {
  const model = meterModels.find(({ pulses }) => pulses);
  const weight = 0.01;
  const capacity = 2 ** 32 * weight;

  /** Statuses of consecutive readings of a pulse counter with this starting value. */
  const statusesOf = async (start: number, readings: readonly Incoming["values"][]) => {
    const deviceId = await store.addDevice({ modelId: model?.id ?? 0 });
    await store.query("update device set impulse_weight = $2, starting_value = $3 where id = $1", [
      deviceId,
      weight,
      start,
    ]);
    for (const [minute, values] of readings.entries())
      await ingest(store.services, [aReading({ deviceId, ts: noon + minute * 60, values })]);
    return (await messagesOf(deviceId)).map(({ status }) => status);
  };

  test("rolls over at 2^32 pulses times its weight without suspicion", async () => {
    const values = [capacity - 0.04, capacity - 0.02, 0, 0.03].map((in1) => ({ in1 }));
    expect(await statusesOf(0, values)).toEqual([1, 1, 1, 1]);
  });

  test("rolls over to its starting value, however large; its other inputs to zero", async () => {
    const start = 3 * capacity;

    expect(
      await statusesOf(start, [
        { in1: start + capacity - 0.04, in2: capacity - 0.05 },
        { in1: start + capacity - 0.02, in2: capacity - 0.04 },
        { in1: start + 0.03, in2: capacity - 0.03 },
        { in1: start + 0.04, in2: capacity - 0.02 },
        { in1: start + 0.05, in2: 0.01 },
      ]),
    ).toEqual([1, 1, 1, 1, 1]);
  });

  test("that decreases otherwise is suspect", async () => {
    const start = 3 * capacity;

    expect(await statusesOf(0, [{ in1: 5_000 }, { in1: 10 }])).toEqual([1, 3]);
    expect(await statusesOf(start, [{ in1: start + 5_000 }, { in1: start + 10 }])).toEqual([1, 3]);
    expect(await statusesOf(start, [{ in1: start + capacity - 0.02 }, { in1: 0.03 }])).toEqual([1, 3]);
    expect(await statusesOf(0, [{ in1: capacity - 0.02 }, { in1: capacity / 2 }])).toEqual([1, 3]);
  });
});

test("device_latest keeps the newest, whatever the order of arrival; the time of the last message is updated", async () => {
  const deviceId = await store.addDevice();
  const reading = (ts: number, tariff0: number) =>
    aReading({ deviceId, ts, values: { tariff0 }, receivedAt: noon + 60 });
  await ingest(store.services, [reading(noon, 100)]);
  await ingest(store.services, [reading(noon - 600, 90), reading(noon - 300, 95)]);

  await store.services.parts.readingStore.settle();

  const latest = await store.query<{ ts: number; v: number[] }>(
    "select ts, v from device_latest where device_id = $1",
    [deviceId],
  );
  expect(latest).toEqual([{ ts: noon, v: [100] }]);
  const [device] = await store.query<{ last_data_at: number; silent_at: number }>(
    "select last_data_at, silent_at from device_state where device_id = $1",
    [deviceId],
  );
  expect(device).toEqual({ last_data_at: noon + 60, silent_at: noon + 60 + 86_400 });
});

test("values that the meter did not store stay null, and non-finite numbers are never stored", async () => {
  const deviceId = await store.addDevice();

  await ingest(store.services, [
    aReading({
      deviceId,
      msgType: 2,
      ts: noon,
      values: { voltage1: 230, voltage2: null, voltage3: Number.NaN },
    }),
    aReading({
      deviceId,
      msgType: 2,
      ts: noon + 60,
      values: { voltage1: 232, voltage2: 231, voltage3: Infinity },
    }),
  ]);

  expect((await messagesOf(deviceId)).map((row) => row.v)).toEqual([
    [230, null, null],
    [232, 231, null],
  ]);
  const days = await store.query<{ n: number; sum: number[] }>(
    "select n, sum from reading_day where device_id = $1 order by field_set_id",
    [deviceId],
  );
  expect(days).toEqual([{ n: 2, sum: [462, 231, null] }]);
});

test("new, changed and repeated readings of several devices can share a batch", async () => {
  const a = await store.addDevice();
  const b = await store.addDevice();
  const reading = (deviceId: DeviceId, minute: number, tariff0: number) =>
    aReading({ deviceId, ts: noon + minute * 60, values: { tariff0 } });
  await ingest(store.services, [reading(a, 0, 10), reading(b, 0, 10), reading(b, 1, 11)]);

  const answer = await ingest(store.services, [
    reading(b, 1, 12),
    reading(a, 1, 11),
    reading(b, 2, 13),
    reading(a, 0, 9),
    reading(b, 0, 10),
    reading(a, 1, 11.5),
  ]);

  expect(answer).toEqual({ ...none, stored: 2, replaced: 3, repeated: 1 });
  const days = await store.query<{ n: number; first: number[]; last: number[] }>(
    "select n, first, last from reading_day where device_id = any($1) order by device_id",
    [[a, b]],
  );
  expect(days).toEqual([
    { n: 2, first: [9], last: [11.5] },
    { n: 3, first: [10], last: [13] },
  ]);
  const latest = await store.query<{ v: number[] }>(
    "select v from device_latest where device_id = any($1) order by device_id",
    [[a, b]],
  );
  expect(latest.map((row) => row.v)).toEqual([[11.5], [13]]);
});

test("an unknown device is reported and does not stop the others", async () => {
  const deviceId = await store.addDevice();
  const values = { tariff0: 10 };

  const answer = await ingest(store.services, [
    aReading({ deviceId: 999_999 as DeviceId, ts: noon, values }),
    aReading({ deviceId, ts: noon, values, extra: { text: "zero \u0000 inside" } }),
  ]);

  expect(answer).toEqual({ ...none, stored: 1, unknown: 1 });
});

test("stored readings are announced once they can be read", async () => {
  const deviceId = await store.addDevice();
  const published: unknown[] = [];
  const stop = store.services.bus.on("readingsStored", (spans) => published.push(...spans));

  await ingest(store.services, [
    aReading({ deviceId, ts: noon, values: { tariff0: 10 } }),
    aReading({ deviceId, ts: noon + 60, values: { tariff0: 11 } }),
  ]);
  await ingest(store.services, [aReading({ deviceId, ts: noon, values: { tariff0: 10 } })]);
  stop();

  expect(published).toEqual([expect.objectContaining({ deviceId, msgType: 1, from: noon, to: noon + 60 })]);
});

test("API-022 a burst is stored completely, and each part is readable before it is acknowledged", async () => {
  const deviceId = await store.addDevice();
  const parts = chunks(
    Array.from({ length: 20_000 }, (_, n) =>
      aReading({ deviceId, ts: noon + n, values: { tariff0: n, tariff1: n } }),
    ),
    100,
  );

  const acknowledged = await Promise.all(
    parts.map(async (part) => {
      const { stored } = await ingest(store.services, part);
      const rows = await store.query<{ n: number }>(
        "select count(*)::int as n from message where device_id = $1 and ts between $2 and $3",
        [deviceId, part[0]?.ts, part.at(-1)?.ts],
      );
      return [stored, rows[0]?.n];
    }),
  );

  expect(acknowledged).toEqual(parts.map((part) => [part.length, part.length]));
});

test("API-022 a burst that the database cannot accept is refused to all its senders", async () => {
  const deviceId = await store.addDevice();
  await store.query("alter table message rename to message_away");

  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) =>
      ingest(store.services, [aReading({ deviceId, ts: noon + n, values: { tariff0: n } })]),
    ),
  );
  await store.query("alter table message_away rename to message");

  expect(answers.filter((each) => each.status === "fulfilled")).toEqual([]);
  expect(await messagesOf(deviceId)).toEqual([]);
});

test("two processes that store the same readings at once store each once", async () => {
  const [one, two] = [store.services, store.peer()];
  const devices = await Promise.all([store.addDevice(), store.addDevice(), store.addDevice()]);
  const readings = devices.flatMap((deviceId) =>
    Array.from({ length: 400 }, (_, n) =>
      aReading({ deviceId, ts: noon + n * 60, values: { tariff0: n, power_active: n % 7 } }),
    ),
  );
  const shuffled = [...readings].sort((a, b) => (a.ts % 7) - (b.ts % 7) || b.deviceId - a.deviceId);

  const answers = await Promise.all([
    ...chunks(readings, 97).map((part) => ingest(one, part)),
    ...chunks(shuffled, 89).map((part) => ingest(two, part)),
  ]);

  const total = (of: (answer: (typeof answers)[number]) => number) =>
    answers.reduce((sum, each) => sum + of(each), 0);
  expect(total((each) => each.stored)).toBe(readings.length);
  expect(total((each) => each.stored + each.repeated)).toBe(2 * readings.length);
  const days = await store.query<{ n: number }>(
    "select sum(n)::int as n from reading_day where device_id = any($1) group by device_id",
    [devices],
  );
  expect(days.map((row) => row.n)).toEqual([400, 400, 400]);
});

test("TRUST-028 of two sources with different values of one time the polled one counts, in whichever order they arrive", async () => {
  const [first, second] = [await store.addDevice(), await store.addDevice()];
  const said = (deviceId: DeviceId) => [
    aReading({ deviceId, ts: noon, source: "pushed", values: { tariff0: 11 } }),
    aReading({ deviceId, ts: noon, source: "imported", values: { tariff0: 12 } }),
    aReading({ deviceId, ts: noon, source: "polled", values: { tariff0: 10 } }),
  ];
  for (const reading of said(first)) await ingest(store.services, [reading]);
  await ingest(store.services, said(second).toReversed());

  for (const deviceId of [first, second])
    expect((await messagesOf(deviceId))[0]).toMatchObject({ v: [10], source: sources.polled });
  expect((await revisionsOf(first)).map(({ v }) => v)).toEqual([[12], [11]]);
  expect((await revisionsOf(second)).map(({ v }) => v)).toEqual([[12], [11]]);
});

test("readings of one time in one batch are applied in order, like in several batches", async () => {
  const [together, apart] = [await store.addDevice(), await store.addDevice()];
  const values = [10, 11, 10, 12, 12, 10];
  const of = (deviceId: DeviceId) =>
    values.map((tariff0) => aReading({ deviceId, ts: noon, source: "pushed", values: { tariff0 } }));
  for (const deviceId of [together, apart])
    await ingest(store.services, [
      aReading({ deviceId, ts: noon, source: "pushed", values: { tariff0: 10 } }),
    ]);

  const batch = await ingest(store.services, of(together));
  const single = [];
  for (const reading of of(apart)) single.push(await ingest(store.services, [reading]));

  expect(batch).toEqual({ ...none, repeated: 2, replaced: 4 });
  expect(single.reduce((sum, { replaced }) => sum + replaced, 0)).toBe(4);
  expect((await messagesOf(together))[0]?.v).toEqual([10]);
  expect((await messagesOf(apart))[0]?.v).toEqual([10]);
  expect((await revisionsOf(together)).map(({ v }) => v)).toEqual(
    (await revisionsOf(apart)).map(({ v }) => v),
  );
});

test("two processes that replace the same rows concurrently lose no value, and days agree with the rows", async () => {
  const [one, two] = [store.services, store.peer()];
  const deviceId = await store.addDevice();
  const readings = Array.from({ length: 300 }, (_, n) =>
    aReading({ deviceId, ts: noon + n * 60, values: { power_active: n } }),
  );
  await ingest(one, readings);
  const changed = (by: number) =>
    readings.map((reading) => ({
      ...reading,
      values: { power_active: (reading.values.power_active ?? 0) + by },
    }));

  const answers = await Promise.all([
    ...chunks(changed(0.25), 101).map((part) => ingest(one, part)),
    ...chunks(changed(0.5).toReversed(), 89).map((part) => ingest(two, part)),
  ]);

  expect(answers.reduce((sum, { replaced }) => sum + replaced, 0)).toBe(2 * readings.length);
  const [row] = await store.query<{ revisions: number; sum: number; days: number }>(
    `select (select count(*)::int from message_revision where device_id = $1) as revisions,
      (select sum(v[1]) from message where device_id = $1) as sum,
      (select sum(d.sum[1]) from reading_day d where device_id = $1) as days`,
    [deviceId],
  );
  expect(row).toEqual({ revisions: 2 * readings.length, sum: row?.days, days: row?.sum });
});

function chunks<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) =>
    values.slice(at * size, (at + 1) * size),
  );
}
