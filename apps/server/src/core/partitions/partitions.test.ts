import { systemClock } from "#core";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPartitions, partitionedTable, partitionsOf, type PartitionedTable } from "./index.ts";
import { makeAhead, TooManyPartitions } from "./partitions.ts";
import { dropExpired, tendAlone } from "./tend.ts";
import { at, openTestStore, type TestStore } from "#testing/readings";

let store: TestStore;
let pool: pg.Pool;
beforeAll(async () => {
  store = await openTestStore();
  pool = store.services.database.pool;
});
afterAll(() => store.close());

const clock = { ...systemClock, now: () => now, nowMs: () => now * 1000 };
let now = at("2026-11-22T12:00:00Z");

/** A separate table for each test, as a migration would create it. */
async function aTable(given: Partial<PartitionedTable> = {}): Promise<PartitionedTable> {
  const table = `trial_${Math.random().toString(36).slice(2, 10)}`;
  const made: PartitionedTable = {
    table,
    column: "ts",
    unit: "seconds",
    length: "month",
    ahead: 2,
    fineYears: 2,
    ...given,
  };
  const type = made.unit === "timestamp" ? "timestamptz" : "bigint";
  await pool.query(
    `create table ${table} (id int, ts ${type}, primary key (id, ts)) partition by range (ts)`,
  );
  return made;
}

const namesOf = async (table: PartitionedTable) =>
  (await partitionsOf(pool, table)).map(({ name }) => name.slice(table.table.length + 1));

describe("partitions by time", () => {
  test("of the previous, current and next months are created before anything is written", async () => {
    const table = await aTable();

    await makeAhead(pool, table, now);
    await makeAhead(pool, table, now);

    expect(await namesOf(table)).toEqual(["2026_10", "2026_11", "2026_12", "2027_01"]);
  });

  test.each([
    ["day", ["2026_11_21", "2026_11_22", "2026_11_23"]],
    ["week", ["w2026_11_09", "w2026_11_16", "w2026_11_23"]],
  ] as const)("a table may be cut by the %s", async (length, expected) => {
    const table = await aTable({ length, ahead: 1 });

    await makeAhead(pool, table, now);

    expect(await namesOf(table)).toEqual(expected);
  });

  test.each(["seconds", "milliseconds", "timestamp"] as const)(
    "rows at both ends of a partition are taken when its key is in %s",
    async (unit) => {
      const table = await aTable({ unit });
      const ends = [at("2026-11-01T00:00:00Z"), at("2026-12-01T00:00:00Z") - 1];
      await createPartitions(pool, clock, table).ensure(ends);

      for (const second of ends) {
        const value =
          unit === "timestamp" ? new Date(second * 1000) : unit === "seconds" ? second : second * 1000;
        await pool.query(`insert into ${table.table} values (1, $1)`, [value]);
      }

      expect(await namesOf(table)).toEqual(["2026_11"]);
      expect(await partitionsOf(pool, table)).toMatchObject([
        { from: ends[0], to: at("2026-12-01T00:00:00Z") },
      ]);
    },
  );

  test("for 26 years of late archives are one a year, some dozens of tables instead of 310", async () => {
    const table = await aTable();
    const partitions = createPartitions(pool, clock, table);
    const months = Array.from({ length: 323 }, (_, n) => Date.UTC(2000, n, 15) / 1000);

    await partitions.ensure(months);

    const names = await namesOf(table);
    expect(names).toHaveLength(24 + 35);
    expect([names[0], names[23], names[24], names.at(-1)]).toEqual(["2000", "2023", "2024_01", "2026_11"]);
    for (const ts of months) await pool.query(`insert into ${table.table} values (1, $1)`, [ts]);
  });

  test("by month that exist for a year are completed by the missing months", async () => {
    const table = await aTable();
    const may = at("2019-05-10T00:00:00Z");
    now = may;
    await createPartitions(pool, clock, table).ensure([may]);
    now = at("2026-11-22T12:00:00Z");

    await createPartitions(pool, clock, table).ensure([at("2019-07-01T00:00:00Z"), may]);

    expect(await namesOf(table)).toEqual(["2019_05", "2019_07"]);
  });

  test("are limited per batch: one spread over too many is refused as a whole, and so is an impossible time", async () => {
    const table = await aTable({ length: "day" });
    const partitions = createPartitions(pool, clock, table);
    const days = Array.from({ length: 100 }, (_, n) => now - n * 86_400);

    await expect(partitions.ensure(days)).rejects.toThrow(TooManyPartitions);
    await expect(partitions.ensure([8e12])).rejects.toThrow(RangeError);
    await expect(partitions.ensure([Number.NaN])).rejects.toThrow(RangeError);

    expect(await namesOf(table)).toEqual([]);
  });

  test("needed by ten processes concurrently are created once", async () => {
    const table = await aTable();

    await Promise.all(Array.from({ length: 10 }, () => createPartitions(pool, clock, table).ensure([now])));

    expect(await namesOf(table)).toEqual(["2026_11"]);
  });
});

describe("TRUST-022 expired partitions", () => {
  test("are dropped as whole tables, rows of other partitions stay", async () => {
    const table = await aTable();
    const times = ["2026-08-31T23:59:59Z", "2026-09-01T00:00:00Z", "2026-10-05T00:00:00Z"].map(at);
    await createPartitions(pool, clock, table).ensure(times);
    for (const ts of times) await pool.query(`insert into ${table.table} values (1, $1)`, [ts]);

    const tended = await dropExpired(store.services, table, at("2026-09-30T00:00:00Z"));

    expect(tended).toEqual({
      dropped: [`${table.table}_2026_08`],
      busy: [],
      goneTo: at("2026-09-01T00:00:00Z"),
    });
    const { rows } = await pool.query<{ ts: number }>(`select ts from ${table.table} order by ts`);
    expect(rows.map(({ ts }) => ts)).toEqual(times.slice(1));
  });

  test("with a long-running reader are left for later, and writers wait for less than a second", async () => {
    const table = await aTable();
    const times = [at("2026-01-05T00:00:00Z"), now];
    await createPartitions(pool, clock, table).ensure(times);
    const reader = await pool.connect();
    await reader.query(`begin; select from ${table.table}`);

    const dropping = dropExpired(store.services, table, now);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = performance.now();
    await pool.query(`insert into ${table.table} values (2, $1)`, [now]);
    const waited = performance.now() - began;
    const tended = await dropping;
    await reader.query("commit");
    reader.release();

    expect(tended.busy).toEqual([`${table.table}_2026_01`]);
    expect(waited).toBeLessThan(1000);
    expect(await dropExpired(store.services, table, now)).toMatchObject({
      dropped: [`${table.table}_2026_01`],
    });
  });

  test("are created again by a writer that still has them cached", async () => {
    const table = await aTable();
    const [own, peer] = [createPartitions(pool, clock, table), createPartitions(pool, clock, table)];
    const may = at("2026-05-05T00:00:00Z");
    await own.ensure([may]);
    await dropExpired(store.services, table, now);

    await expect(pool.query(`insert into ${table.table} values (1, $1)`, [may])).rejects.toMatchObject({
      code: "23514",
    });
    own.forget();
    await Promise.all([own.ensure([may]), peer.ensure([may])]);

    await pool.query(`insert into ${table.table} values (1, $1)`, [may]);
  });

  test("are never maintained by two processes at the same time", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const first = tendAlone(store.services, async () => {
      begun();
      await held;
      return "first";
    });
    await isBegun;

    const second = await tendAlone(store.services, () => Promise.resolve("second"));
    release();

    expect([await first, second]).toEqual(["first", undefined]);
  });
});

test("every declared table exists and is partitioned by the column that is declared", async () => {
  const { partitionedTables } = await import("./index.ts");
  for (const { table, column } of partitionedTables) {
    const { rows } = await pool.query<{ key: string }>("select pg_get_partkeydef(to_regclass($1)) as key", [
      table,
    ]);
    expect([table, rows[0]?.key]).toEqual([table, `RANGE (${column})`]);
    expect((await partitionsOf(pool, partitionedTable(table))).length).toBeGreaterThanOrEqual(4);
  }
});
