import { fieldNames, sources, statuses, type DeviceId } from "@metrum/vocabulary";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setQuota } from "../rows/fieldSets.ts";
import { ingest } from "./ingest.ts";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";
import type { Values } from "../rows/types.ts";
import { anotherProcess } from "#testing/anotherProcess";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const noon = at("2026-05-10T12:00:00Z");
const { measured, suspect, manual } = statuses;

interface StoredRow {
  readonly ts: number;
  readonly status: number;
  readonly source: number;
  readonly received_at: number;
  readonly values: Record<string, number>;
  readonly by_field: Record<
    string,
    { status: number; source: number; received_at: number; ts?: number }
  > | null;
}

const named = `(select jsonb_object_agg(f.name, m.v[f.at]) filter (where m.v[f.at] is not null)
  from unnest(s.fields) with ordinality f(name, at)) as values`;
const messagesOf = (deviceId: DeviceId) =>
  store.query<StoredRow>(
    `select ts, status, source, ts + received_at_offset as received_at, by_field, ${named}
      from message m join field_set s on s.id = m.field_set_id where device_id = $1 order by ts`,
    [deviceId],
  );
const latestOf = async (deviceId: DeviceId) =>
  (
    await store.query<StoredRow>(
      `select ts, status, source, received_at, by_field, ${named}
        from device_latest m join field_set s on s.id = m.field_set_id where device_id = $1`,
      [deviceId],
    )
  )[0];
const revisionsOf = (deviceId: DeviceId) =>
  store.query<{ values: Record<string, number>; revision: number; is_refused: boolean; replaced_at: number }>(
    `select ${named}, revision, is_refused, replaced_at from message_revision m join field_set s on s.id = m.field_set_id
      where device_id = $1 order by replaced_at, revision`,
    [deviceId],
  );

describe("the latest values", () => {
  test("TRUST-003 a battery message does not hide a counter, and each value keeps its own time", async () => {
    const deviceId = await store.addDevice();
    const say = (minute: number, values: Values) =>
      ingest(store.services, [aReading({ deviceId, ts: noon + minute * 60, values })]);

    await say(0, { tariff0: 100, tariff1: 60 });
    await say(1, { battery: 3.6 });

    expect(await latestOf(deviceId)).toMatchObject({
      ts: noon + 60,
      values: { tariff0: 100, tariff1: 60, battery: 3.6 },
      by_field: { tariff0: { ts: noon, status: measured.id, received_at: noon + 1 } },
    });
  });

  test("TRUST-003 a counter that decreases after a message without it is suspect", async () => {
    const deviceId = await store.addDevice();
    const say = (minute: number, values: Values) =>
      ingest(store.services, [aReading({ deviceId, ts: noon + minute * 60, values })]);
    await say(0, { tariff0: 100 });
    await say(1, { battery: 3.6 });

    await say(2, { tariff0: 5 });

    expect((await messagesOf(deviceId)).map(({ status }) => status)).toEqual([
      measured.id,
      measured.id,
      suspect.id,
    ]);
    expect(await latestOf(deviceId)).toMatchObject({ status: suspect.id, values: { tariff0: 5 } });
  });

  test("TRUST-003 holds within one batch, and in another process with neither cached", async () => {
    const [one, two] = [await store.addDevice(), await store.addDevice()];
    const messages = (deviceId: DeviceId) => [
      aReading({ deviceId, ts: noon, values: { tariff0: 100 } }),
      aReading({ deviceId, ts: noon + 60, values: { battery: 3.6 } }),
      aReading({ deviceId, ts: noon + 120, values: { tariff0: 5 } }),
    ];

    await ingest(store.services, messages(one));
    for (const message of messages(two)) await ingest(store.peer(), [message]);

    for (const deviceId of [one, two])
      expect((await messagesOf(deviceId)).map(({ status }) => status)).toEqual([1, 1, suspect.id]);
  });

  test("a late message adds the fields that no newer one has", async () => {
    const deviceId = await store.addDevice();
    await ingest(store.services, [aReading({ deviceId, ts: noon, values: { battery: 3.6, tariff0: 7 } })]);

    await ingest(store.services, [aReading({ deviceId, ts: noon - 60, values: { tariff0: 6, in1: 5 } })]);

    expect(await latestOf(deviceId)).toMatchObject({
      ts: noon,
      values: { battery: 3.6, tariff0: 7, in1: 5 },
      by_field: { in1: { ts: noon - 60 } },
    });
  });

  test("a rejected value never becomes the latest", async () => {
    const deviceId = await store.addDevice();
    await ingest(store.services, [aReading({ deviceId, ts: noon, values: { tariff0: 100 } })]);

    await ingest(store.services, [
      aReading({ deviceId, ts: noon + 60, values: { tariff0: 900 }, status: "rejected" }),
      aReading({ deviceId, ts: noon + 120, values: { tariff0: 101 } }),
    ]);

    expect((await messagesOf(deviceId)).map(({ status }) => status)).toEqual([1, 4, 1]);
    expect(await latestOf(deviceId)).toMatchObject({ ts: noon + 120, values: { tariff0: 101 } });
  });
});

describe("status, source and receipt", () => {
  test("TRUST-004 only the counter that decreased is suspect, the others of its row count", async () => {
    const deviceId = await store.addDevice();
    await ingest(store.services, [aReading({ deviceId, ts: noon, values: { tariff0: 100, tariff1: 50 } })]);

    await ingest(store.services, [
      aReading({ deviceId, ts: noon + 60, values: { tariff0: 5, tariff1: 51 } }),
    ]);

    expect((await messagesOf(deviceId))[1]).toMatchObject({
      status: suspect.id,
      by_field: { tariff1: { status: measured.id, source: sources.polled, received_at: noon + 61 } },
    });
    const days = await store.query(
      "select n, last, value_n, value_last_ts::float8[] from reading_day where device_id = $1",
      [deviceId],
    );
    expect(days).toEqual([{ n: 2, last: [100, 51], value_n: [1, 2], value_last_ts: [noon, noon + 60] }]);
  });

  test("TRUST-004 a row completed later keeps the status, source and receipt of each value", async () => {
    const deviceId = await store.addDevice();
    await ingest(store.services, [
      aReading({ deviceId, ts: noon, values: { tariff0: 100 } }),
      aReading({ deviceId, ts: noon + 60, values: { tariff0: 5 } }),
    ]);

    await ingest(store.services, [
      aReading({ deviceId, ts: noon + 60, receivedAt: noon + 300, source: "pushed", values: { in1: 3 } }),
    ]);

    expect((await messagesOf(deviceId))[1]).toMatchObject({
      status: suspect.id,
      source: sources.polled,
      received_at: noon + 61,
      values: { tariff0: 5, in1: 3 },
      by_field: { in1: { status: measured.id, source: sources.pushed, received_at: noon + 300 } },
    });
    expect(await latestOf(deviceId)).toMatchObject({
      status: suspect.id,
      by_field: { in1: { ts: noon + 60, status: measured.id, received_at: noon + 300 } },
    });
  });

  test("TRUST-004 a manual value is stored beside measured ones, which stay measured", async () => {
    const deviceId = await store.addDevice();
    await ingest(store.services, [aReading({ deviceId, ts: noon, values: { tariff0: 100 } })]);

    await ingest(store.services, [
      aReading({ deviceId, ts: noon, receivedAt: noon + 900, source: "manual", values: { tariff1: 55 } }),
    ]);

    expect((await messagesOf(deviceId))[0]).toMatchObject({
      status: measured.id,
      source: sources.polled,
      values: { tariff0: 100, tariff1: 55 },
      by_field: {
        tariff1: { status: manual.id, source: sources.manual, received_at: noon + 900 },
      },
    });
  });

  test("TRUST-004 another low value in a retry does not clear the suspicion", async () => {
    const deviceId = await store.addDevice();
    const say = (minute: number, tariff0: number) =>
      ingest(store.services, [aReading({ deviceId, ts: noon + minute * 60, values: { tariff0 } })]);
    await say(0, 100);
    await say(1, 5);

    await say(1, 6);
    await say(1, 6);

    expect((await messagesOf(deviceId))[1]).toMatchObject({ status: suspect.id, values: { tariff0: 6 } });
    await say(1, 101);
    expect((await messagesOf(deviceId))[1]).toMatchObject({ status: measured.id, values: { tariff0: 101 } });
    const days = await store.query("select n, last from reading_day where device_id = $1", [deviceId]);
    expect(days).toEqual([{ n: 2, last: [101] }]);
  });

  test("TRUST-004 a lower value that replaces a trusted one is compared with the value before it", async () => {
    const deviceId = await store.addDevice();
    const say = (minute: number, tariff0: number) =>
      ingest(store.services, [aReading({ deviceId, ts: noon + minute * 60, values: { tariff0 } })]);
    await say(0, 100);
    await say(1, 102);

    const answer = await say(1, 5);
    await say(1, 101);

    expect(answer).toMatchObject({ refused: 1 });
    expect((await messagesOf(deviceId))[1]).toMatchObject({ status: measured.id, values: { tariff0: 101 } });
    expect(await revisionsOf(deviceId)).toMatchObject([
      { values: { tariff0: 5 }, is_refused: true },
      { values: { tariff0: 102 }, is_refused: false },
    ]);
  });
});

describe("history", () => {
  test("TRUST-006 two replacements in one millisecond are both kept, each with its number", async () => {
    const deviceId = await store.addDevice();
    const clock = { ...store.services.clock, nowMs: () => 1_790_000_000_123, now: () => 1_790_000_000 };
    const services = anotherProcess(store.peer(), { clock });
    const say = (tariff0: number) => aReading({ deviceId, ts: noon, values: { tariff0 } });
    await ingest(services, [say(10)]);

    await ingest(services, [say(11)]);
    await ingest(services, [say(12), say(13)]);

    expect(await revisionsOf(deviceId)).toMatchObject([
      { values: { tariff0: 10 }, revision: 1, replaced_at: 1_790_000_000_123 },
      { values: { tariff0: 11 }, revision: 2, replaced_at: 1_790_000_000_123 },
      { values: { tariff0: 12 }, revision: 3, replaced_at: 1_790_000_000_123 },
    ]);
  });

  test("TRUST-005 decoding again replaces measured values but neither manual nor corrected ones", async () => {
    const deviceId = await store.addDevice();
    const say = (given: Parameters<typeof aReading>[0]) => ingest(store.services, [aReading(given)]);
    await say({ deviceId, ts: noon, source: "pushed", values: { in2: 1, in3: 1 } });
    await say({ deviceId, ts: noon, source: "manual", values: { in1: 2 } });
    await say({ deviceId, ts: noon, source: "imported", status: "corrected", values: { in2: 3 } });
    const decoded = {
      deviceId,
      ts: noon,
      source: "pushed",
      status: "corrected",
      isDecodedAgain: true,
      extra: { decoded_again: true },
    } as const;

    await say({ ...decoded, values: { in1: 8, in2: 8, in3: 8, in4: 8 } });
    await say({ ...decoded, values: { in1: 9, in2: 9, in3: 9, in4: 8 } });

    expect((await messagesOf(deviceId))[0]).toMatchObject({
      values: { in1: 2, in2: 3, in3: 9, in4: 8 },
      by_field: { in1: { status: manual.id, source: sources.manual } },
    });
    expect((await latestOf(deviceId))?.values).toEqual({ in1: 2, in2: 3, in3: 9, in4: 8 });
  });
});

describe("field sets", () => {
  const random = (seed: number) => () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;

  test("TRUST-001 33 pushes of a thousand random combinations leave those of others storable", async () => {
    const [attacker, other] = [await store.addDevice(), await store.addDevice()];
    const next = random(7);
    const before = await setCount();

    for (let push = 0; push < 33; push++)
      await ingest(
        store.services,
        Array.from({ length: 1_000 }, (_, n) =>
          aReading({
            deviceId: attacker,
            ts: noon + push * 1_000 + n,
            values: Object.fromEntries(fieldNames.filter(() => next() < 0.5).map((name) => [name, n])),
          }),
        ),
      );
    const answer = await ingest(store.services, [
      aReading({ deviceId: other, ts: noon, values: { in1: 1, cos0: 1, temperature: 20 } }),
    ]);

    expect(answer.stored).toBe(1);
    expect((await setCount()) - before).toBeLessThan(40);
    expect((await messagesOf(other))[0]?.values).toEqual({ in1: 1, cos0: 1, temperature: 20 });
  });

  test("beyond its quota a company's readings are stored under the set of all fields", async () => {
    const deviceId = await store.addDevice();
    await store.query(
      `insert into field_set (fields, made_by)
        select array['quota', n::text], d.company_id from device d, generate_series(1, $2::int) n where d.id = $1`,
      [deviceId, setQuota],
    );

    const answer = await ingest(store.services, [
      aReading({ deviceId, ts: noon, values: { in1: 1, cos0: 0.5, V_in: 3 } }),
      aReading({ deviceId, ts: noon + 60, values: { in1: 2, M_in: 3 } }),
    ]);

    expect(answer.stored).toBe(2);
    expect((await messagesOf(deviceId)).map(({ values }) => values)).toEqual([
      { in1: 1, cos0: 0.5, V_in: 3 },
      { in1: 2, M_in: 3 },
    ]);
    const [set] = await store.query<{ n: number }>(
      `select cardinality(fields) as n from message m join field_set s on s.id = m.field_set_id where device_id = $1 limit 1`,
      [deviceId],
    );
    expect(set?.n).toBe(fieldNames.length);
  });

  const setCount = async () =>
    (await store.query<{ n: number }>("select count(*)::int as n from field_set"))[0]?.n ?? 0;
});
