import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayText } from "#core";
import { sumDays, type DayMessage } from "./days.ts";
import { ingest } from "./ingest.ts";
import { aReading, at, openTestStore, type TestStore } from "../testing/readings.ts";
import type { FieldSet, Incoming } from "./types.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const daysOf = (deviceId: number) =>
  store.query<{ day: string; n: number; hours: number; sum: number[] }>(
    "select day::text as day, n, bit_count(hours::bit(32))::int as hours, sum from reading_day where device_id = $1 order by day",
    [deviceId],
  );

const halfHours = (deviceId: Incoming["deviceId"], from: string, to: string): Incoming[] =>
  Array.from({ length: (at(to) - at(from)) / 1800 }, (_, n) =>
    aReading({ deviceId, msgType: 5, ts: at(from) + n * 1800, values: { power_a_plus: 2 } }),
  );

test("RANGE-018 the days of a clock change hold 46 and 50 half-hours and their sums are right", async () => {
  const deviceId = await store.addDevice({ zone: "Europe/Berlin" });

  await ingest(store.services, halfHours(deviceId, "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"));
  await ingest(store.services, halfHours(deviceId, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"));

  expect(await daysOf(deviceId)).toEqual([
    { day: "2026-03-29", n: 46, hours: 23, sum: [92] },
    { day: "2026-10-25", n: 50, hours: 25, sum: [100] },
  ]);
});

test("the day on which Kazakhstan changed its zone has 25 hours, in the zone of the company where the device has none", async () => {
  const deviceId = await store.addDevice({ companyZone: "Asia/Almaty" });

  await ingest(store.services, halfHours(deviceId, "2024-02-28T18:00:00Z", "2024-03-01T19:00:00Z"));

  expect(await daysOf(deviceId)).toEqual([
    { day: "2024-02-29", n: 50, hours: 25, sum: [100] },
    { day: "2024-03-01", n: 48, hours: 24, sum: [96] },
  ]);
});

/** Readings of one device with collisions of time, changing values, fields that come and go, and all orders. */
const aHistory = fc.array(
  fc.record({
    minute: fc.integer({ min: 0, max: 200 }),
    counter: fc.option(fc.integer({ min: 0, max: 50 }), { nil: null }),
    state: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
    source: fc.constantFrom("polled", "pushed", "calculated", "manual", "imported"),
    isLonely: fc.boolean(),
  }),
  { minLength: 1, maxLength: 60 },
);

test("read models equal a recount of the stored messages, whatever came in whatever order", async () => {
  const { services } = store;
  const peer = store.peer();
  await fc.assert(
    fc.asyncProperty(aHistory, async (history) => {
      const zone = "Europe/Berlin";
      const deviceId = await store.addDevice({ zone });
      // Midnight of the day on which the clocks go back lies amid these minutes.
      const readings = history.map(({ minute, counter, state, source, isLonely }) => ({
        isLonely,
        ...aReading({
          deviceId,
          ts: at("2026-10-24T21:00:00Z") + minute * 60,
          receivedAt: at("2026-10-25T12:00:00Z"),
          source,
          values: { tariff0: counter, ...(state === undefined ? {} : { temperature: state }) },
        }),
      }));
      const half = Math.ceil(readings.length / 2);
      await Promise.all([
        inParts(readings.slice(0, half), (part) => ingest(services, part)),
        inParts(readings.slice(half), (part) => ingest(peer, part)),
      ]);

      const messages = await storedMessages(deviceId, zone);
      expect(await storedDays(deviceId)).toEqual(sumDays(messages).map(plain).sort(byKey));
      const [latest] = await store.query<{ ts: number; v: number[] }>(
        "select ts, v from device_latest where device_id = $1",
        [deviceId],
      );
      const newest = messages.at(-1);
      expect(latest).toEqual({ ts: newest?.ts, v: newest?.v });
    }),
    { numRuns: 60 },
  );
});

async function inParts(
  readings: readonly (Incoming & { isLonely: boolean })[],
  write: (part: Incoming[]) => Promise<unknown>,
): Promise<void> {
  let part: Incoming[] = [];
  for (const { isLonely, ...reading } of readings) {
    part.push(reading);
    if (!isLonely) continue;
    await write(part);
    part = [];
  }
  if (part.length > 0) await write(part);
}

async function storedMessages(deviceId: number, zone: string): Promise<DayMessage[]> {
  const rows = await store.query<{ ts: number; status: number; v: (number | null)[]; fields: string[] }>(
    "select ts, status, v, fields from message m join field_set f on f.id = m.field_set_id where device_id = $1 order by ts",
    [deviceId],
  );
  const sets = await store.query<{ id: number; fields: string[] }>("select id, fields from field_set");
  return rows.map(({ ts, status, v, fields }) => {
    const held = fields.filter((_, n) => v[n] !== null);
    const set = sets.find((each) => each.fields.join() === held.join());
    return { device: { id: deviceId, zone }, msgType: 1, ts, status, v, daySet: daySet(set?.id ?? 0, held) };
  });
}

const madeSets = new Map<number, FieldSet>();
function daySet(id: number, names: readonly string[]): FieldSet {
  const known = madeSets.get(id);
  if (known) return known;
  const set: FieldSet = {
    id,
    fields: names as FieldSet["fields"],
    counters: names.flatMap((name, n) => (name === "tariff0" ? [n] : [])),
    moving: names.flatMap((name, n) => (name === "tariff0" ? [] : [n])),
  };
  madeSets.set(id, set);
  return set;
}

interface PlainDay {
  readonly day: string;
  readonly set: number;
}

const byKey = (a: PlainDay, b: PlainDay) => a.day.localeCompare(b.day) || a.set - b.set;

function plain(row: ReturnType<typeof sumDays>[number]) {
  const { deviceId: _device, msgType: _type, set, day, ...rest } = row;
  return { ...rest, day: dayText(day), set: set.id };
}

async function storedDays(deviceId: number) {
  const rows = await store.query<PlainDay>(
    `select day::text as day, field_set_id as set, hours, n, first_ts as "firstTs", last_ts as "lastTs",
      first, last, sum, min, max from reading_day where device_id = $1`,
    [deviceId],
  );
  return [...rows].sort(byKey);
}
