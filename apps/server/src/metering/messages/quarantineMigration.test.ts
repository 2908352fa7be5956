import { afterAll, beforeAll, expect, test } from "vitest";
import { partitionedTable } from "#core";
import quarantine from "../../core/database/migrations/0032-quarantine.ts";
import { makeAhead } from "../../core/partitions/partitions.ts";
import { at, openTestStore, type TestStore } from "#testing/readings";

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

test("TRUST-008 readings quarantined before the migration are in quarantine afterwards, each with its reason", async () => {
  const received = at("2026-11-05T12:00:00Z");
  await store.query("drop table reading_quarantine");
  await store.query("drop table quarantine_count");
  await store.query(`create table message_aside (device_id int not null, received_at bigint not null, msg_type smallint not null,
    ts bigint not null, reading jsonb not null, primary key (device_id, received_at, msg_type, ts))`);
  const rows = [
    [received, received + 90_000, { source: "pushed", values: { tariff0: 1 } }],
    [received - 90 * 86_400, 915_148_800, { source: "polled", values: { tariff0: 2 }, meterAt: 5 }],
    [received, 0, { source: "imported", values: { tariff0: 3 } }],
  ] as const;
  for (const [receivedAt, ts, rest] of rows)
    await store.query("insert into message_aside values (7, $1, 1, $2, $3)", [
      receivedAt,
      ts,
      { ts: ts === 0 ? null : ts, ...rest },
    ]);

  await store.query(quarantine.up);
  await makeAhead(store.services.database.pool, partitionedTable("reading_quarantine"), received);

  expect(
    await store.query(
      "select received_at, ts, n, reason, source, state, reading from reading_quarantine order by (reading -> 'values' ->> 'tariff0')",
    ),
  ).toEqual([
    {
      received_at: received,
      ts: received + 90_000,
      n: 0,
      reason: 1,
      source: 2,
      state: 0,
      reading: { values: { tariff0: 1 } },
    },
    {
      ...{ received_at: received - 90 * 86_400, ts: 915_148_800, n: 0, reason: 3, source: 1, state: 0 },
      reading: { values: { tariff0: 2 }, meterAt: 5 },
    },
    {
      received_at: received,
      ts: 0,
      n: 0,
      reason: 4,
      source: 3,
      state: 0,
      reading: { values: { tariff0: 3 } },
    },
  ]);
  expect(await store.query("select device_id, waiting from quarantine_count")).toEqual([
    { device_id: 7, waiting: 3 },
  ]);
});
