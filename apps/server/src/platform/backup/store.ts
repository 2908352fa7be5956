import pg from "pg";
import type { SequenceEntry, TableEntry } from "./manifest.ts";

/** A table as described by the schema, without its rows. */
export type TableShape = Pick<TableEntry, "name" | "columns" | "partition">;

const name = (text: string): string => pg.escapeIdentifier(text);
const list = (columns: readonly string[]): string => columns.map(name).join(", ");

export const copyOutText = ({ name: table, columns }: TableShape): string =>
  `copy ${name(table)} (${list(columns)}) to stdout (format binary)`;
export const copyInText = ({ name: table, columns }: TableShape): string =>
  `copy ${name(table)} (${list(columns)}) from stdin (format binary)`;

/** Settings that make the text of rows, and so their checksum, independent of the server. */
export const readingSettings = `
  set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`;

/** Begins the transaction of a backup: a consistent snapshot, whose name is returned. */
export async function beginReading(
  client: pg.ClientBase,
): Promise<{ readonly snapshot: string; readonly at: number; readonly postgres: number }> {
  await client.query("begin isolation level repeatable read read only");
  await client.query(readingSettings);
  const { rows } = await client.query<{ snapshot: string; at: number; postgres: number }>(
    `select pg_export_snapshot() as snapshot, floor(extract(epoch from now()))::int8 as at,
      current_setting('server_version_num')::int as postgres`,
  );
  return rows[0] ?? { snapshot: "", at: 0, postgres: 0 };
}

/** Names of the migrations of this database; empty if it is not a database of the platform. */
export async function migrationsOf(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    "select to_regclass('migration') is not null as there",
  );
  if (!tables[0]?.there) return [];
  const { rows } = await client.query<{ name: string }>("select name from migration order by name");
  return rows.map((row) => row.name);
}

/**
 * Every table of the schema that survives a crash, partitions one by one. Extension tables, unlogged tables
 * and the job queue (its own schema) are transient.
 */
export async function tablesOf(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<{
    name: string;
    columns: string[];
    of: string | null;
    bounds: string | null;
  }>(`
    select relname as name, parent.inhparent::regclass::text as of, pg_get_expr(relpartbound, c.oid) as bounds,
      array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
    from pg_class c left join pg_inherits parent on parent.inhrelid = c.oid and relispartition
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relpersistence = 'p'
      and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype = 'e')
    order by relname`);
  return rows.map(({ of, bounds, ...table }) => ({
    ...table,
    // Rows of the default partition go into a table created by a migration.
    partition: of === null || bounds === "DEFAULT" ? null : { of, ...rangeOf(table.name, bounds ?? "") },
  }));
}

/** Numbers, or instants in UTC by the settings of the backup. */
function rangeOf(table: string, bounds: string): { from: number | string; to: number | string } {
  const found = /^FOR VALUES FROM \('?([-+:. \d]+)'?\) TO \('?([-+:. \d]+)'?\)$/.exec(bounds);
  if (!found) throw new Error(`the backup does not support partitions such as ${table}: ${bounds}`);
  const bound = (text = ""): number | string => (/^-?\d+$/.test(text) ? Number(text) : text);
  return { from: bound(found[1]), to: bound(found[2]) };
}

/** Rows and checksum of a table as seen by this transaction. Reads the whole table. */
export async function sumOf(
  client: pg.ClientBase,
  { name: table, columns }: TableShape,
): Promise<{ rows: number; checksum: string }> {
  const { rows } = await client.query<{ rows: string; checksum: string }>(`
    select count(*)::text as rows,
      coalesce(sum(('x' || left(md5(row(${list(columns)})::text), 16))::bit(64)::bigint), 0)::text as checksum
    from ${name(table)}`);
  return { rows: Number(rows[0]?.rows), checksum: rows[0]?.checksum ?? "" };
}

/** Values of the sequences. They change outside of transactions, so read them after the rows. */
export async function sequencesOf(client: pg.ClientBase): Promise<SequenceEntry[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S'
      and relpersistence = 'p' order by relname`);
  const entries: SequenceEntry[] = [];
  for (const { name: sequence } of rows) {
    const { rows: states } = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${name(sequence)}`,
    );
    entries.push({ name: sequence, last: states[0]?.last ?? "1", isCalled: states[0]?.isCalled ?? false });
  }
  return entries;
}

export async function setSequences(client: pg.ClientBase, entries: readonly SequenceEntry[]): Promise<void> {
  for (const { name: sequence, last, isCalled } of entries)
    await client.query("select setval($1::regclass, $2::bigint, $3)", [name(sequence), last, isCalled]);
}

/** Sessions and API tokens, links in letters, codes of staff, sign-ins at a provider of identities. */
const openAccess = ["session", "letter_link", "entry_code", "oidc_journey"] as const;

/** Ends everything by which somebody is, or gets, signed in. An older schema may lack some of the tables. */
export async function endOpenAccess(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    "select relname as table from pg_class where relnamespace = current_schema()::regnamespace and relname = any($1)",
    [openAccess],
  );
  for (const { table } of rows) await client.query(`delete from ${name(table)}`);
}

/** Contents that a restore would destroy or conflict with. */
export interface Occupants {
  /** Tables of the schema not created by a migration, if none was ever run. */
  readonly foreignTables: number;
  readonly companies: number;
  readonly otherConnections: number;
}

export async function occupantsOf(client: pg.ClientBase): Promise<Occupants> {
  const isOurs = (await migrationsOf(client)).length > 0;
  const { rows: others } = await client.query<{ n: number }>(`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usename is not null`);
  const tables = isOurs ? [] : await tablesOf(client);
  const { rows: companies } = isOurs
    ? await client.query<{ n: number }>("select count(*)::int as n from company")
    : { rows: [] };
  return {
    foreignTables: tables.length,
    companies: companies[0]?.n ?? 0,
    otherConnections: others[0]?.n ?? 0,
  };
}

/** Resets a schema to the state before any migration and job. */
export async function dropEverything(client: pg.ClientBase): Promise<void> {
  await client.query(`
    do $$
    declare each text;
    begin
      for each in select format('drop table if exists %s cascade', c.oid::regclass) from pg_class c
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
          and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype = 'e')
      loop execute each; end loop;
      for each in select format('drop sequence %s cascade', c.oid::regclass) from pg_class c
        where relnamespace = current_schema()::regnamespace and relkind = 'S'
          and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype = 'e')
      loop execute each; end loop;
      for each in select format('drop routine %s cascade', p.oid::regprocedure) from pg_proc p
        where pronamespace = current_schema()::regnamespace
          and not exists (select from pg_depend where objid = p.oid and classid = 'pg_proc'::regclass and deptype = 'e')
      loop execute each; end loop;
    end $$;
    drop schema if exists graphile_worker cascade`);
}

/**
 * A schema without rows, foreign keys, triggers and policies, ready for COPY; `putBack` restores and checks
 * them.
 */
export async function layBare(client: pg.ClientBase): Promise<{ putBack: () => Promise<void> }> {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`);
  const { rows: tables } = await client.query<{ table: string; isForced: boolean }>(`
    select c.oid::regclass::text as table, relforcerowsecurity as "isForced" from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype = 'e')`);
  for (const each of references) await client.query(`alter table ${each.table} drop constraint ${each.name}`);
  for (const { table } of tables)
    await client.query(
      `alter table ${table} disable trigger user; alter table ${table} no force row level security`,
    );
  await client.query(`truncate ${tables.map(({ table }) => table).join(", ")}`);
  return {
    async putBack() {
      for (const { table, isForced } of tables) {
        await client.query(`alter table ${table} enable trigger user`);
        if (isForced) await client.query(`alter table ${table} force row level security`);
      }
      for (const each of references)
        await client.query(`alter table ${each.table} add constraint ${each.name} ${each.definition}`);
    },
  };
}

/** A detached partition without keys: it is filled first and attached then, which sorts each key once. */
export async function makePartition(
  client: pg.ClientBase,
  { name: table, partition }: TableShape,
): Promise<void> {
  if (partition)
    await client.query(
      `create table ${name(table)} (like ${name(partition.of)} including defaults including constraints)`,
    );
}

export async function attachPartition(
  client: pg.ClientBase,
  { name: table, partition }: TableShape,
): Promise<void> {
  if (!partition) return;
  const bound = (at: number | string): string => pg.escapeLiteral(String(at));
  const range = `from (${bound(partition.from)}) to (${bound(partition.to)})`;
  await client.query(`alter table ${name(partition.of)} attach partition ${name(table)} for values ${range}`);
}
