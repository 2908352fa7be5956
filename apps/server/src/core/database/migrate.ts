import type pg from "pg";
import { makeAhead, partitionedTables } from "../partitions/index.ts";
import { migrations } from "./migrations/index.ts";
import { requireRights } from "./rights.ts";

/** One step of the schema, forward only. Names sort in order: `0012-poll-groups`. */
export interface Migration {
  readonly name: string;
  readonly up: string;
}

/** Lock key shared by all processes, so that only one of them migrates at a time. */
const migrationLock = 7_301_001;

const migrationTable =
  "create table if not exists migration (name text primary key, applied_at timestamptz not null default now())";

/**
 * Brings the schema up to date, each step in its own transaction; safe when several processes start at once.
 * Afterwards tables partitioned by time have partitions for the present and the next months. Needs two
 * connections of the pool.
 * Returns the names of the steps that were applied. Errors: Error with the statements that grant a missing right;
 * PostgreSQL's own, with the name of the step.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query(`select pg_advisory_lock(${String(migrationLock)})`);
    await requireRights(client);
    await client.query(migrationTable);
    const { rows } = await client.query<{ name: string }>("select name from migration");
    const done = new Set(rows.map((row) => row.name));
    const pending = migrations.filter((each) => !done.has(each.name));
    for (const each of pending) await apply(client, each);
    for (const table of partitionedTables) await makeAhead(pool, table, Math.floor(Date.now() / 1000));
    return pending.map((each) => each.name);
  } finally {
    await client.query(`select pg_advisory_unlock(${String(migrationLock)})`).catch(() => undefined);
    client.release();
  }
}

/**
 * Creates the schema of exactly these steps in the transaction of the caller, on a schema without tables of
 * the platform, while no other process migrates. Errors: Error that names the steps unknown to this version;
 * PostgreSQL's own.
 */
export async function migrateTo(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  const wanted = new Set(names);
  const steps = migrations.filter((each) => wanted.delete(each.name));
  if (wanted.size > 0)
    throw new Error(`It is of a newer version: this one does not know ${[...wanted].join(", ")}.`);
  await client.query(`select pg_advisory_xact_lock(${String(migrationLock)})`);
  await client.query(migrationTable);
  for (const each of steps) {
    await client.query(each.up);
    await client.query("insert into migration (name) values ($1)", [each.name]);
  }
}

/** Names of the steps that this database lacks. */
export async function pendingMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows: tables } = await pool.query<{ there: boolean }>(
    "select to_regclass('migration') is not null as there",
  );
  // A query that names a missing table fails before any condition is evaluated.
  const { rows } = tables[0]?.there
    ? await pool.query<{ name: string }>("select name from migration")
    : { rows: [] };
  const done = new Set(rows.map((row) => row.name));
  return migrations.map((each) => each.name).filter((name) => !done.has(name));
}

async function apply(client: pg.PoolClient, step: Migration): Promise<void> {
  try {
    await client.query("begin");
    await client.query(step.up);
    await client.query("insert into migration (name) values ($1)", [step.name]);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback");
    throw new Error(`migration ${step.name} failed`, { cause });
  }
}
