import { afterAll, beforeAll, expect, test } from "vitest";
import fc from "fast-check";
import type { DeviceId } from "@metrum/vocabulary";
import { startOfDay } from "#core";
import { aReading, openTestStore, type TestStore } from "#testing/readings";
import { ingest } from "./ingest.ts";
import type { Incoming } from "../rows/types.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const zone = "Europe/Berlin";
const [hour, quarter] = [3600, 900];
/** The day before one of 23 hours. */
const start = startOfDay(zone, Date.parse("2026-03-28T00:00:00Z") / 86_400_000);

/** A quarter of an hour of a meter that counts up: what it sends of it, and how. */
interface Sent {
  readonly grown: number;
  readonly has: "both" | "first" | "second" | "nothing";
  readonly isRepeated: boolean;
  readonly isProfile: boolean;
}
const someSent = fc.array(
  fc.record({
    grown: fc.integer({ min: 0, max: 40 }),
    has: fc.constantFrom("both", "both", "first", "second", "nothing"),
    isRepeated: fc.boolean(),
    isProfile: fc.boolean(),
  } satisfies { [Key in keyof Sent]: fc.Arbitrary<Sent[Key]> }),
  { minLength: 40, maxLength: 70 },
);

function readingsOf(deviceId: DeviceId, sent: readonly Sent[]): Incoming[] {
  let level = 1000;
  return sent.flatMap(({ grown, has, isRepeated, isProfile }, n) => {
    level += grown / 8;
    const ts = start + n * 4 * quarter;
    const receivedAt = start + 90 * hour;
    const values = {
      ...(has === "both" || has === "first" ? { tariff0: level } : {}),
      ...(has === "both" || has === "second" ? { tariff1: level / 2 } : {}),
    };
    const own = has === "nothing" ? [] : [aReading({ deviceId, ts, receivedAt, values })];
    const profile = isProfile
      ? [aReading({ deviceId, ts, receivedAt, msgType: 5, values: { power_a_plus: grown } })]
      : [];
    // Each value by itself, as a meter sends them that is asked for one at a time.
    const split = Object.entries(values).map(([name, value]) =>
      aReading({ deviceId, ts, receivedAt, values: { [name]: value } }),
    );
    return [...(isProfile ? split : own), ...(isRepeated ? own : []), ...profile];
  });
}

/** All that is stored of the readings of a device, field by field: sets of fields depend on what came first. */
async function storedOf(deviceId: DeviceId): Promise<unknown> {
  const messages = await store.query(
    `select m.msg_type, m.ts, f.name, f.value,
        coalesce((by_field->f.name->>'status')::int, m.status) as status,
        coalesce((by_field->f.name->>'source')::int, m.source) as source
      from message m join field_set s on s.id = m.field_set_id,
        unnest(s.fields, m.v) as f(name, value)
      where device_id = $1 and f.value is not null order by 1, 2, 3`,
    [deviceId],
  );
  const days = await store.query(
    `select d.msg_type, d.day::text as day, d.hours, d.n, f.name, f.first, f.last
      from reading_day d join field_set s on s.id = d.field_set_id,
        unnest(s.fields, d.first, d.last) as f(name, first, last)
      where device_id = $1 and f.first is not null order by 1, 2, 5`,
    [deviceId],
  );
  const latest = await store.query(
    `select l.msg_type, f.name, f.value, coalesce((by_field->f.name->>'ts')::bigint, l.ts) as ts
      from device_latest l join field_set s on s.id = l.field_set_id, unnest(s.fields, l.v) as f(name, value)
      where device_id = $1 and f.value is not null order by 1, 2`,
    [deviceId],
  );
  const revisions = await store.query("select v from message_revision where device_id = $1", [deviceId]);
  return { messages, days, latest, revisions };
}

test("TRUST-023 DATA-054 order, batches and repeats of readings change nothing that is stored", async () => {
  await fc.assert(
    fc.asyncProperty(someSent, fc.infiniteStream(fc.nat()), async (sent, numbers) => {
      const next = (): number => numbers.next().value as number;
      const [one, other] = [await store.addDevice({ zone }), await store.addDevice({ zone })];
      await ingest(store.services, readingsOf(one, sent));
      const shuffled = readingsOf(other, sent)
        .map((reading) => ({ reading, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ reading }) => reading);
      for (let at = 0; at < shuffled.length;) {
        const size = 1 + (next() % 25);
        await ingest(store.services, shuffled.slice(at, at + size));
        at += size;
      }
      const whole = await storedOf(one);

      expect(await storedOf(other)).toEqual(whole);
      await ingest(store.services, shuffled);
      expect(await storedOf(other)).toEqual(whole);
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

test("TRUST-006 TRUST-023 a correction and its undo leave the numbers of before", async () => {
  const deviceId = await store.addDevice({ zone });
  const readings = Array.from({ length: 60 }, (_, n) =>
    aReading({
      ...{ deviceId, ts: start + n * hour, receivedAt: start + 90 * hour },
      values: { tariff0: 100 + n },
    }),
  );
  await ingest(store.services, readings);
  const numbersOf = async () =>
    store.query(
      `select day::text as day, hours, n, first, last, first_ts, last_ts from reading_day
        where device_id = $1 order by 1`,
      [deviceId],
    );
  const before = await numbersOf();
  const corrected = (n: number, tariff0: number): Incoming =>
    aReading({
      ...{ deviceId, ts: start + n * hour, receivedAt: start + 91 * hour, source: "manual" as const },
      ...{ status: "corrected" as const, values: { tariff0 } },
    });

  for (const n of [0, 23, 24, 46, 59]) {
    await ingest(store.services, [corrected(n, 100.5 + n)]);
    if (n !== 24) expect(await numbersOf()).not.toEqual(before);
    await ingest(store.services, [corrected(n, 100 + n)]);
    expect(await numbersOf()).toEqual(before);
  }
  const revisions = await store.query<{ n: number }>(
    "select count(*)::int as n from message_revision where device_id = $1",
    [deviceId],
  );
  expect(revisions[0]?.n).toBe(10);
});
