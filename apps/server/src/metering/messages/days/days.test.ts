import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fields, isFieldName, statuses } from "@metrum/vocabulary";
import { dayOf, dayText, startOfDay } from "#core";
import { readDays } from "./dayStore.ts";
import { compareDays, type DayKey, type DayMessage } from "./days.ts";
import { createFieldSets, makeSet } from "../rows/fieldSets.ts";
import { ingest } from "../ingest/ingest.ts";
import { aReading, at, openTestStore, type TestStore } from "#testing/readings";
import type { FieldSet, Incoming } from "../rows/types.ts";

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

test("RANGE-018 the days of a clock change have 46 and 50 half-hours and correct sums", async () => {
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

test("a replaced row causes a recount of its own day, other days of its batch are updated incrementally", async () => {
  const deviceId = await store.addDevice({ zone: "UTC" });
  const start = at("2026-06-01T00:00:00Z");
  const onDay = (day: number, tariff0: number, second = 0) =>
    aReading({ deviceId, ts: start + day * 86_400 + second, values: { tariff0 } });
  await ingest(
    store.services,
    Array.from({ length: 10 }, (_, day) => onDay(day, day)),
  );
  // A recount restores the true values, an addition continues from these.
  await store.query("update reading_day set n = 900 where device_id = $1", [deviceId]);

  await ingest(store.services, [
    onDay(3, 3.5),
    ...Array.from({ length: 10 }, (_, day) => onDay(day, day + 0.6, 600)),
  ]);

  const counted = (await daysOf(deviceId)).map(({ n }) => n);
  expect(counted).toEqual(Array.from({ length: 10 }, (_, day) => (day === 3 ? 2 : 901)));
});

/**
 * Readings of one device with collisions of time, changing values, fields that come and go, and all orders.
 */
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

test("read models equal a recount of the stored messages, whatever arrives in whatever order", async () => {
  const { services } = store;
  const peer = store.peer();
  await fc.assert(
    fc.asyncProperty(aHistory, async (history) => {
      const zone = "Europe/Berlin";
      const deviceId = await store.addDevice({ zone });
      // Midnight of the day on which the clocks go back is within these minutes.
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
      expect(await storedDays(deviceId)).toEqual(expectedDays(messages));
      const [latest] = await store.query<StoredLatest>(
        "select ts, fields, v, by_field from device_latest l join field_set f on f.id = l.field_set_id where device_id = $1",
        [deviceId],
      );
      expect(latest && byName(latest)).toEqual(expectedLatest(messages));
    }),
    { numRuns: 25 },
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

interface Stored {
  readonly ts: number;
  readonly status: number;
  readonly fields: FieldSet["fields"];
  readonly v: (number | null)[];
  readonly by_field: DayMessage["by_field"];
}

/** The stored messages in the order of one set. */
async function storedMessages(deviceId: number, zone: string): Promise<DayMessage[]> {
  const rows = await store.query<Stored>(
    "select ts, status, v, fields, by_field from message m join field_set f on f.id = m.field_set_id where device_id = $1 order by ts",
    [deviceId],
  );
  const set = makeSet(0, [...new Set(rows.flatMap(({ fields }) => fields))].sort());
  return rows.map(({ ts, status, v, fields, by_field }) => ({
    device: { id: deviceId, zone },
    msgType: 1,
    ts,
    status,
    by_field,
    set,
    v: set.fields.map((name) => v[fields.indexOf(name)] ?? null),
  }));
}

interface PlainDay {
  readonly day: string;
  readonly n: number;
  readonly fields: Readonly<Record<string, object>>;
}

/** The rows by field names: their content does not depend on how many fields the device has by now. */
async function storedDays(deviceId: number): Promise<PlainDay[]> {
  const { pool } = store.services.database;
  const keys = await store.query<DayKey>(
    `select device_id as "deviceId", msg_type as "msgType", day - '1970-01-01'::date as day
      from reading_day where device_id = $1`,
    [deviceId],
  );
  const rows = await readDays(pool, createFieldSets(pool), keys);
  return rows
    .sort(compareDays)
    .map(({ day, hours, n, firstTs, lastTs, set, counts, first, last, sum, min, max }) => {
      const shown = set.fields.flatMap((name, at) => {
        if (first[at] === null) return [];
        const place = set.moving.indexOf(at);
        const own = {
          first: first[at],
          last: last[at],
          n: counts ? counts.n[at] : n,
          firstTs: counts ? counts.firstTs[at] : firstTs,
          lastTs: counts ? counts.lastTs[at] : lastTs,
          ...(place < 0 ? {} : { sum: sum[place], min: min[place], max: max[place] }),
        };
        return [[name, own] as const];
      });
      return { day: dayText(day), n, hours, firstTs, lastTs, fields: Object.fromEntries(shown) };
    });
}

/** The same, counted value by value. */
function expectedDays(messages: readonly DayMessage[]): PlainDay[] {
  const days = new Map<string, Trusted[]>();
  for (const message of messages) {
    const values = trusted(message);
    if (values.size === 0) continue;
    const day = dayText(dayOf(message.device.zone, message.ts));
    days.set(day, [...(days.get(day) ?? []), { ts: message.ts, zone: message.device.zone, values }]);
  }
  return [...days].map(([day, rows]) => ({
    day,
    hours: rows.reduce((bits, { ts, zone }) => bits | (1 << hourOfDay(zone, ts)), 0),
    n: rows.length,
    firstTs: Math.min(...rows.map(({ ts }) => ts)),
    lastTs: Math.max(...rows.map(({ ts }) => ts)),
    fields: Object.fromEntries(
      [...new Set(rows.flatMap(({ values }) => [...values.keys()]))].map((name) => [
        name,
        counted(name, rows),
      ]),
    ),
  }));
}

interface Trusted {
  readonly ts: number;
  readonly zone: string;
  readonly values: ReadonlyMap<string, number>;
}

const hourOfDay = (zone: string, ts: number): number =>
  Math.floor((ts - startOfDay(zone, dayOf(zone, ts))) / 3600);

function counted(name: string, rows: readonly Trusted[]): object {
  const own = rows.flatMap(({ ts, values }) => {
    const value = values.get(name);
    return value === undefined ? [] : [{ ts, value }];
  });
  const values = own.map(({ value }) => value);
  const [first, last] = [own[0], own.at(-1)];
  const isCounter = isFieldName(name) && fields[name].kind === "counter";
  const counts = {
    first: first?.value,
    last: last?.value,
    n: own.length,
    firstTs: first?.ts,
    lastTs: last?.ts,
  };
  if (isCounter) return counts;
  const sum = values.reduce((total, value) => total + value, 0);
  return { ...counts, sum, min: Math.min(...values), max: Math.max(...values) };
}

function trusted({ status, by_field, set, v }: DayMessage): Map<string, number> {
  const values = new Map<string, number>();
  set.fields.forEach((name, at) => {
    const value = v[at] ?? null;
    const own = by_field?.[name]?.status ?? status;
    if (value !== null && own !== statuses.suspect.id && own !== statuses.rejected.id)
      values.set(name, value);
  });
  return values;
}

interface StoredLatest {
  readonly ts: number;
  readonly fields: string[];
  readonly v: (number | null)[];
  readonly by_field: Record<string, { ts: number }> | null;
}

const byName = ({ ts, fields, v, by_field }: StoredLatest) =>
  Object.fromEntries(
    fields.flatMap((name, at) => (v[at] === null ? [] : [[name, [by_field?.[name]?.ts ?? ts, v[at]]]])),
  );

function expectedLatest(messages: readonly DayMessage[]) {
  const latest: Record<string, [number, number | null]> = {};
  for (const { ts, set, v } of messages)
    set.fields.forEach((name, at) => {
      const value = v[at] ?? null;
      if (value !== null) latest[name] = [ts, value];
    });
  return latest;
}
