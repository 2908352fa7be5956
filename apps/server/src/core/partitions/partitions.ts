import type pg from "pg";
import type { Clock } from "../time/clock.ts";
import { inTransaction } from "../database/transaction.ts";
import { fineRange, yearRange, type Range } from "./ranges.ts";
import { isBusy, lockPartitions, makePartition, oldestOfRest, partitionsOf } from "./store.ts";
import type { PartitionedTable } from "./tables.ts";

/** Partitions of a table, created when a time outside all of them is first written. */
export interface Partitions {
  /**
   * Resolves when all of these times (epoch seconds) can be written. Rejects with TooManyPartitions when they
   * span more partitions than one batch may create, with RangeError for times that no table can hold.
   */
  ensure(times: Iterable<number>): Promise<void>;
  /** Reloads the list of partitions: one was dropped while a batch was in progress. */
  forget(): void;
}

/** Limit of new partitions per batch of rows. Years of late archives need fewer: old years have one each. */
export const mostOfBatch = 64;
/**
 * Limit of partitions per table; planning slows down with each. 26 years and 40 years of months stay below
 * it.
 */
export const mostOfTable = 600;

export class TooManyPartitions extends Error {
  constructor(table: string, n: number) {
    super(`${String(n)} partitions of ${table} would have to be made, which is too many`);
  }
}

export function createPartitions(pool: pg.Pool, clock: Clock, table: PartitionedTable): Partitions {
  let known: readonly Range[] = [];
  return {
    async ensure(times) {
      const missing = uncovered(known, times);
      if (missing.length > 0) known = await cover(pool, table, missing, clock.now());
    },
    forget() {
      known = [];
    },
  };
}

/** Rounds per run in which the default partition is emptied, one partition each. */
const mostOfRest = 12;

/**
 * Creates the partitions the job prepares: the present one, the previous one and those ahead; rows left in
 * the default partition move into their own. A table in use for too long is left for the next run, an hour
 * later and months ahead of need.
 */
export async function makeAhead(pool: pg.Pool, table: PartitionedTable, now: number): Promise<void> {
  const times = [fineRange(table.length, now).from - 1, now];
  for (let n = 0; n < table.ahead; n++) times.push(fineRange(table.length, times.at(-1) ?? now).to);
  try {
    await cover(pool, table, times, now);
    for (let n = 0; table.hasRest && n < mostOfRest; n++) {
      const oldest = await oldestOfRest(pool, table);
      if (oldest === undefined) return;
      await cover(pool, table, [oldest], now);
    }
  } catch (error) {
    if (!isBusy(error) && !(error instanceof RangeError)) throw error;
  }
}

const holds = ({ from, to }: Range, at: number): boolean => at >= from && at < to;

function uncovered(known: readonly Range[], times: Iterable<number>): number[] {
  const missing: number[] = [];
  let last: Range | undefined;
  for (const at of times) {
    if (last && holds(last, at)) continue;
    last = known.find((range) => holds(range, at));
    if (!last) missing.push(at);
  }
  return missing;
}

/** Creates missing partitions in one transaction, which others wait for; returns all partitions. */
async function cover(
  pool: pg.Pool,
  table: PartitionedTable,
  times: readonly number[],
  now: number,
): Promise<readonly Range[]> {
  const there = await partitionsOf(pool, table);
  if (uncovered(there, times).length === 0) return there;
  return inTransaction(pool, async (client) => {
    await client.query("begin");
    await lockPartitions(client);
    return makeMissing(client, table, times, now);
  });
}

async function makeMissing(
  client: pg.ClientBase,
  table: PartitionedTable,
  times: readonly number[],
  now: number,
): Promise<readonly Range[]> {
  const there: readonly Range[] = await partitionsOf(client, table);
  const planned: Range[] = [];
  for (const at of uncovered(there, times))
    if (!planned.some((range) => holds(range, at))) planned.push(rangeFor(table, { there, at, now }));
  if (planned.length > mostOfBatch || there.length + planned.length > mostOfTable)
    throw new TooManyPartitions(table.table, planned.length);
  for (const range of planned) await makePartition(client, table, range);
  return [...there, ...planned];
}

/** An old year without partitions gets a single one. */
function rangeFor(
  table: PartitionedTable,
  { there, at, now }: { there: readonly Range[]; at: number; now: number },
): Range {
  const year = yearRange(table, at, now);
  if (year && !there.some(({ from, to }) => from < year.to && to > year.from)) return year;
  return fineRange(table.length, at);
}
