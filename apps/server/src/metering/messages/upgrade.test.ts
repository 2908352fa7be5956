import { fields, isFieldName, sources, statuses } from "@metrum/vocabulary";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock, dayOf } from "#core";
import { openDatabaseAt, releasedStep, type OldDatabase } from "#testing/migrations";
import { readDays } from "./days/dayStore.ts";
import { dayKeyOf, type DayKey, type DayRow } from "./days/days.ts";
import { createFieldSets } from "./rows/fieldSets.ts";
import { tsOfLatest } from "./latest/latest.ts";
import { createLatestCache } from "./latest/latestCache.ts";
import { recountDays } from "./days/recount.ts";

/** A row of `message` as the previous release wrote it: with the set of exactly its fields. */
interface OldRow {
  readonly device: number;
  readonly msgType: number;
  readonly ts: number;
  readonly status: number;
  readonly values: Readonly<Record<string, number | null>>;
}

let old: OldDatabase;
beforeAll(async () => {
  old = await openDatabaseAt(releasedStep);
});
afterAll(() => old.drop());

const month = Date.UTC(2026, 4, 1) / 1000;
const { measured, late, suspect, rejected } = statuses;

/**
 * Rows of every kind over some days: complete and partial ones, nulls, suspect and rejected ones, in two
 * types of three devices.
 */
function oldRows(): OldRow[] {
  const rows: OldRow[] = [];
  for (let n = 0; n < 300; n++) {
    const kind = (n * 7) % 11;
    const status = kind === 3 ? suspect.id : kind === 5 ? rejected.id : kind === 7 ? late.id : measured.id;
    const partial =
      kind % 3 === 0 ? { battery: 3, temperature: n % 9 } : kind % 3 === 1 ? { tariff0: n } : undefined;
    const values = partial ?? { tariff0: n, tariff1: kind === 8 ? null : n + 1, temperature: (n * 5) % 13 };
    rows.push({ device: 1 + (n % 2), msgType: 1, ts: month + n * 1500, status, values });
    rows.push({
      device: 3,
      msgType: 5,
      ts: month + n * 1800,
      status: measured.id,
      values: { power_a_plus: n },
    });
  }
  return rows;
}

const heldBy = ({ values }: OldRow) =>
  Object.keys(values)
    .filter((name) => values[name] !== null)
    .sort();

async function setId(names: readonly string[]): Promise<number> {
  const text = `insert into field_set (fields) values ($1::text[]) on conflict (fields) do update set fields = excluded.fields returning id`;
  const { rows } = await old.pool.query<{ id: number }>(text, [names]);
  return rows[0]?.id ?? 0;
}

/** Writes rows, days and latest values as the previous release did. */
async function fill(rows: readonly OldRow[]): Promise<void> {
  const { pool } = old;
  await pool.query(
    `create table message_2026_05 partition of message for values from (${String(month)}) to (${String(month + 31 * 86_400)})`,
  );
  const days = new Map<string, OldRow[]>();
  const latest = new Map<string, OldRow>();
  for (const row of rows) {
    const names = Object.keys(row.values).sort();
    const v = names.map((name) => row.values[name] ?? null);
    const stored = [row.device, row.msgType, row.ts, await setId(names), row.status, sources.polled, v];
    await pool.query(
      "insert into message (device_id, msg_type, ts, field_set_id, status, source, v, received_at_offset) values ($1, $2, $3, $4, $5, $6, $7, 1)",
      stored,
    );
    if (row.status !== rejected.id) latest.set(`${String(row.device)} ${String(row.msgType)}`, row);
    if (row.status === rejected.id || row.status === suspect.id) continue;
    const key = [row.device, row.msgType, dayOf("UTC", row.ts), heldBy(row).join()].join(" ");
    days.set(key, [...(days.get(key) ?? []), row]);
  }
  for (const row of latest.values())
    await pool.query(
      `insert into device_latest (device_id, msg_type, ts, received_at, field_set_id, status, source, v)
        select device_id, msg_type, ts, ts + 1, field_set_id, status, source, v from message
        where device_id = $1 and msg_type = $2 and ts = $3`,
      [row.device, row.msgType, row.ts],
    );
  for (const group of days.values()) await addOldDay(group);
}

async function addOldDay(group: readonly OldRow[]): Promise<void> {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return;
  const names = heldBy(first);
  const moving = names.filter((name) => isFieldName(name) && fields[name].kind !== "counter");
  const of = (row: OldRow, some = names) => some.map((name) => row.values[name] ?? 0);
  const joined = (join: (values: number[]) => number) =>
    moving.map((name) => join(group.map((row) => row.values[name] ?? 0)));
  const start = dayOf("UTC", first.ts) * 86_400;
  await old.pool.query(
    `insert into reading_day (device_id, msg_type, field_set_id, day, hours, n, first_ts, last_ts, first, last, sum, min, max)
      values ($1, $2, $3, to_timestamp($4)::date, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      first.device,
      first.msgType,
      await setId(names),
      start,
      group.reduce((bits, { ts }) => bits | (1 << Math.floor((ts - start) / 3600)), 0),
      group.length,
      first.ts,
      last.ts,
      of(first),
      of(last),
      joined((values) => values.reduce((a, b) => a + b, 0)),
      joined((values) => Math.min(...values)),
      joined((values) => Math.max(...values)),
    ],
  );
}

test("TRUST-003 a database of the previous release holds the same days and latest values as a recount of its rows", async () => {
  const rows = oldRows();
  await fill(rows);
  await old.pool.query(
    `insert into message_revision (device_id, msg_type, ts, replaced_at, field_set_id, status, source, v, reason)
      select 1, 1, ${String(month)}, t, 1, 1, 1, '{5}', 'different value' from unnest(array[1767225599999, 1778000000000, 1778000000001]) t`,
  );
  await old.pool.query(
    `insert into message_aside (device_id, received_at, msg_type, ts, reading) values (1, ${String(month)}, 1, 0, '{}')`,
  );

  await old.upgrade();

  const sets = createFieldSets(old.pool);
  const keys = keysOf(rows);
  const migrated = byKey(await readDays(old.pool, sets, keys));
  expect(migrated.size).toBeGreaterThan(10);
  expect(await recounted(sets, keys)).toEqual(migrated);
  const { rows: counts } = await old.pool.query(
    `select (select count(*)::int from message) as messages, (select count(*)::int from reading_quarantine) as quarantined,
      (select count(*)::int from reading_day) as days, (select array_agg(replaced_at::text || ' ' || revision order by 1) from message_revision) as revisions`,
  );
  expect(counts).toEqual([
    {
      messages: rows.length,
      quarantined: 1,
      days: migrated.size,
      revisions: ["1767225599999 1", "1778000000000 1", "1778000000001 1"],
    },
  ]);
  expect(await latestShown(sets)).toEqual(latestExpected(rows));
});

const byKey = (days: readonly DayRow[]) => new Map(days.map((day) => [dayKeyOf(day), plain(day)]));

/** Content of a day, independent of the number of its set. */
const plain = ({ set, ...day }: DayRow) => ({ ...day, fields: set.fields });

function keysOf(rows: readonly OldRow[]): DayKey[] {
  const keys = new Map<string, DayKey>();
  for (const { device: deviceId, msgType, ts } of rows) {
    const key = { deviceId, msgType, day: dayOf("UTC", ts) };
    keys.set(dayKeyOf(key), key);
  }
  return [...keys.values()].sort((a, b) => a.deviceId - b.deviceId || a.msgType - b.msgType || a.day - b.day);
}

/** The days recomputed from the migrated messages. */
async function recounted(sets: ReturnType<typeof createFieldSets>, keys: readonly DayKey[]) {
  const before = new Map((await readDays(old.pool, sets, keys)).map((day) => [dayKeyOf(day), day]));
  const client = await old.pool.connect();
  try {
    await client.query("begin");
    const days = keys.flatMap((key) => {
      const set = before.get(dayKeyOf(key))?.set;
      return set ? [{ ...key, of: { device: { companyId: 1, zone: "UTC" }, set } }] : [];
    });
    await recountDays(client, sets, days);
    await client.query("commit");
  } finally {
    client.release();
  }
  return byKey(await readDays(old.pool, sets, keys));
}

async function latestShown(sets: ReturnType<typeof createFieldSets>) {
  const latestCache = createLatestCache(old.pool, sets, systemClock);
  const pairs = [1, 2, 3].map((deviceId) => ({ deviceId, msgType: deviceId === 3 ? 5 : 1 }));
  await latestCache.load(pairs);
  return pairs.map(({ deviceId, msgType }) => {
    const latest = latestCache.of(deviceId, msgType);
    const shown = latest?.set.fields.flatMap((name, at) => {
      const value = latest.v[at] ?? null;
      const own = latest.by_field?.[name]?.status ?? latest.status;
      return value === null ? [] : [[name, [value, tsOfLatest(latest, name), own]] as const];
    });
    return Object.fromEntries(shown ?? []);
  });
}

function latestExpected(rows: readonly OldRow[]) {
  const latest: Record<string, [number, number, number]>[] = [{}, {}, {}];
  for (const { device, ts, status, values } of rows) {
    if (status === rejected.id) continue;
    for (const [name, value] of Object.entries(values)) {
      const of = latest[device - 1];
      if (value !== null && of) of[name] = [value, ts, status];
    }
  }
  return latest;
}
