import type pg from "pg";
import { sqlStateOf, sqlStates } from "../database/sqlState.ts";
import { boundOf, partitionName, type Range } from "./ranges.ts";
import type { PartitionedTable } from "./tables.ts";

export interface Partition extends Range {
  readonly name: string;
  /** Estimated rows by the statistics of the database; -1 before the first ANALYZE. */
  readonly rows: number;
  readonly bytes: number;
}

/** Lock key used for nothing else: one process at a time creates or drops partitions. */
const partitionLock = 7_301_002;

/**
 * Parses partition bounds into epoch seconds: `FOR VALUES FROM ('1793491200') TO (...)`, or with timestamps.
 */
const bounds = `regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''?([^'')]+)''?\\) TO \\(''?([^'')]+)''?\\)')`;

/** The partitions of a table, oldest first. Those that are not a plain range of times are left out. */
export async function partitionsOf(
  client: pg.ClientBase | pg.Pool,
  { table, unit }: PartitionedTable,
): Promise<Partition[]> {
  const { rows } = await client.query<{
    name: string;
    rows: number;
    bytes: number;
    from: string;
    to: string;
  }>(
    `select c.relname as name, c.reltuples::float8 as rows, pg_total_relation_size(c.oid)::float8 as bytes,
        (${bounds})[1] as from, (${bounds})[2] as to
      from pg_class c join pg_inherits i on i.inhrelid = c.oid
      where i.inhparent = to_regclass($1) and c.relispartition and (${bounds}) is not null`,
    [table],
  );
  const second = (text: string): number =>
    unit === "timestamp"
      ? Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")) / 1000
      : Number(text) / (unit === "milliseconds" ? 1000 : 1);
  return rows
    .map(({ from, to, ...rest }) => ({ ...rest, from: second(from), to: second(to) }))
    .sort((a, b) => a.from - b.from);
}

/**
 * Milliseconds for which statements on a table may be blocked while one of its partitions is added or
 * removed.
 */
const longestWaitMs = 800;

/**
 * Takes the lock for creating and dropping partitions until the end of the transaction. After that, waits for
 * other locks are limited to the time others may be blocked: a statement that exceeds it fails with `isBusy`.
 */
export async function lockPartitions(client: pg.ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${String(partitionLock)})`);
  await client.query(`set local lock_timeout = ${String(longestWaitMs)}`);
}

/** The table was in use for longer than others may be blocked. */
export const isBusy = (error: unknown): boolean => sqlStateOf(error) === sqlStates.lockNotAvailable;

/**
 * Created separately and then attached, so that readers and writers of the other partitions continue. If
 * there is a default partition, its rows of the range are moved, during which it cannot be read.
 */
export async function makePartition(
  client: pg.ClientBase,
  table: PartitionedTable,
  range: Range,
): Promise<void> {
  const name = partitionName(table, range);
  const values = `from (${boundOf(table, range.from)}) to (${boundOf(table, range.to)})`;
  const rest = `${table.table}_rest`;
  const moved = table.hasRest
    ? `with moved as (delete from ${rest} where ${table.column} >= ${boundOf(table, range.from)}
        and ${table.column} < ${boundOf(table, range.to)} returning *) insert into ${name} select * from moved;`
    : "";
  await client.query(`create table ${name} (like ${table.table} including defaults including constraints); ${moved}
    alter table ${table.table} attach partition ${name} for values ${values}`);
}

/**
 * The oldest time in the default partition of a table, epoch seconds; undefined when it is empty, as it
 * should be.
 */
export async function oldestOfRest(
  client: pg.ClientBase | pg.Pool,
  { table, column, unit }: PartitionedTable,
): Promise<number | undefined> {
  const second =
    unit === "timestamp"
      ? `extract(epoch from ${column})`
      : `${column}::float8 / ${unit === "milliseconds" ? "1000" : "1"}`;
  const { rows } = await client.query<{ oldest: number | null }>(
    `select min(${second})::float8 as oldest from ${table}_rest`,
  );
  return rows[0]?.oldest ?? undefined;
}

/**
 * Drops a partition with its rows. False when the table was in use for longer than others may be blocked: the
 * next run tries again. The lock on the table is held for the change of the catalogue only; files are deleted
 * after it.
 */
export async function dropPartition(client: pg.ClientBase, name: string): Promise<boolean> {
  try {
    await client.query("begin");
    await lockPartitions(client);
    await client.query(`drop table if exists ${name}`);
    await client.query("commit");
    return true;
  } catch (error) {
    await client.query("rollback");
    if (isBusy(error)) return false;
    throw error;
  }
}
