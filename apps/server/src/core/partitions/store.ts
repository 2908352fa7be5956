import type pg from "pg";
import { sqlStateOf, sqlStates } from "../database/sqlState.ts";
import { boundOf, partitionName, type Range } from "./ranges.ts";
import type { PartitionedTable } from "./tables.ts";

export interface Partition extends Range {
  readonly name: string;
  /** Rows as the statistics of the database know them; -1 before it has looked. */
  readonly rows: number;
  readonly bytes: number;
}

/** Any number that nothing else locks on: one process at a time makes or drops partitions. */
const partitionLock = 7_301_002;

/** What the bounds of a partition say, as epoch seconds: `FOR VALUES FROM ('1793491200') TO (...)`, or with instants. */
const bounds = `regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''?([^'')]+)''?\\) TO \\(''?([^'')]+)''?\\)')`;

/** The partitions that a table has, oldest first. Those that hold less or more than a range of times are left out. */
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

/** Milliseconds for which statements on a table may have to wait while one of its partitions comes or goes. */
const longestWaitMs = 800;

/**
 * Until the end of the transaction nobody else makes or drops partitions; whoever does is waited for. After it no lock is waited for
 * longer than others may have to wait behind it: the statement fails then with `isBusy`.
 */
export async function lockPartitions(client: pg.ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${String(partitionLock)})`);
  await client.query(`set local lock_timeout = ${String(longestWaitMs)}`);
}

/** A table was in use for so long that others would have had to wait. */
export const isBusy = (error: unknown): boolean => sqlStateOf(error) === sqlStates.lockNotAvailable;

/**
 * Made apart and then attached, which lets readers and writers of the other partitions go on. Where there is a rest, rows of the
 * range that are in it move over, and nobody may read it for that moment.
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

/** The oldest time in the rest of a table, epoch seconds; undefined when it is empty, as it should be. */
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
 * Takes a partition away with its rows. False when the table was in use for so long that others would have had to wait: the next
 * run tries again. The lock on the table is held for the change of the catalogue only; the files go after it.
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
