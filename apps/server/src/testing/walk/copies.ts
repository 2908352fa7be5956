import { sql, type RawBuilder } from "kysely";
import type { Db } from "#core";

/** Copies by the id of what they are copied from. */
export type Copied = ReadonlyMap<number, number>;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Columns that an insert may give, by table; keys that the database gives itself are left out. */
async function columnsOf(db: Db): Promise<Map<string, Column[]>> {
  const { rows } = await sql<Column>`
    select table_name as table, column_name as name, data_type as type
    from information_schema.columns join pg_class on relname = table_name
    where table_schema = current_schema() and relnamespace = current_schema()::regnamespace and not relispartition
      and relkind in ('r', 'p') and is_generated = 'NEVER' and is_identity = 'NO'
      and coalesce(column_default, '') !~ '^(nextval|gen_random_uuid)'`.execute(db);
  const columns = new Map<string, Column[]>();
  for (const row of rows) columns.set(row.table, [...(columns.get(row.table) ?? []), row]);
  return columns;
}

const list = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql`, `);

/** Copies rows of a table by id, each with other values in some columns. */
async function copyRoots(
  db: Db,
  {
    table,
    ids,
    values,
  }: { table: string; ids: readonly number[]; values: Record<string, RawBuilder<unknown>> },
): Promise<Copied> {
  const columns = (await columnsOf(db)).get(table) ?? [];
  const copies = new Map<number, number>();
  for (const id of ids) {
    const { rows } = await sql<{ id: number }>`
      insert into ${sql.table(table)} (${list(columns.map(({ name }) => sql.ref(name)))})
      select ${list(columns.map(({ name }) => values[name] ?? sql.ref(name)))} from ${sql.table(table)}
      where id = ${id} returning id`.execute(db);
    copies.set(id, rows[0]?.id ?? 0);
  }
  return copies;
}

/**
 * Tables of roots, which are copied by id, those whose rows say what a user sees, and the members of groups: a tied
 * user sees a group while everything in it is visible to them.
 */
const apart: readonly string[] = [
  ...["device", "accounting_point", "device_user", "object_user"],
  ...["poll_group_device", "balance_group_point"],
];

/**
 * Copies every row of every table that names one of these things, for its copy; whatever else the row names, it names
 * in common: the gateway, the task, the consumer. A row that exists already is left.
 */
async function copyRowsOf(db: Db, copies: Readonly<Record<string, Copied>>): Promise<void> {
  for (const [table, columns] of await columnsOf(db)) {
    const keys = columns.filter(({ name, type }) => copies[name] !== undefined && type === "integer");
    const named = keys.filter(({ name }) => name === "device_id" || name === "point_id");
    if (named.length === 0 || apart.includes(table)) continue;
    const valueOf = ({ name }: Column) => {
      const copied = keys.some((key) => key.name === name) ? copies[name] : undefined;
      if (!copied) return sql.ref(name);
      const byId = JSON.stringify(Object.fromEntries(copied));
      return sql`coalesce((${byId}::jsonb ->> ${sql.ref(name)}::text)::int, ${sql.ref(name)})`;
    };
    const isNamed = named.map(
      ({ name }) => sql`${sql.ref(name)} = any(${[...(copies[name]?.keys() ?? [])]}::int[])`,
    );
    await sql`
      insert into ${sql.table(table)} (${list(columns.map(({ name }) => sql.ref(name)))})
      select ${list(columns.map(valueOf))} from ${sql.table(table)} where ${sql.join(isNamed, sql` or `)}
      on conflict do nothing`.execute(db);
  }
}

/** What is to be copied, and the node at which the copies stand. */
export interface ToCopy {
  readonly devices: readonly number[];
  readonly points: readonly number[];
  /** Nodes of the branch, with the one that stands for each of them outside of it. */
  readonly objects: Copied;
}

/**
 * Copies devices and accounting points with all that is stored of them, as those of another branch: they share
 * gateways, base stations, tasks and parties with what they are copied from.
 */
export async function copyForOthers(
  db: Db,
  { devices, points, objects }: ToCopy,
): Promise<{ readonly devices: Copied; readonly points: Copied }> {
  const named = sql`name || ' of others'`;
  const copies = {
    devices: await copyRoots(db, {
      table: "device",
      ids: devices,
      values: { name: named, deviceID: sql`gen_random_uuid()::text` },
    }),
    points: await copyRoots(db, {
      table: "accounting_point",
      ids: points,
      values: { name: named, object_id: sql`${objects.values().next().value ?? null}::int` },
    }),
  };
  await copyRowsOf(db, { device_id: copies.devices, point_id: copies.points, object_id: objects });
  return copies;
}
