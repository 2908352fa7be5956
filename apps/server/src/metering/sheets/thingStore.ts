import type { ThingKind } from "@metrum/contract/metering";
import { sql, type RawBuilder } from "kysely";
import { storableJson, visibleCarriers, visibleDevices, type Db, type Scope } from "#core";

/** A thing as its row in the database, without what changes by itself. */
export interface Image {
  readonly id: number;
  readonly image: Readonly<Record<string, unknown>>;
  readonly hash: string;
  /** Number of its gateway, and name of its base station. */
  readonly gateway: string | null;
  readonly station: string | null;
}

interface Table {
  readonly name: string;
  readonly key: RawBuilder<unknown>;
  /** Condition on the key, where the policy of the company keeps its index from being used. */
  readonly isNumbered?: (scope: Scope, keys: readonly string[]) => RawBuilder<unknown>;
  readonly isSeen: (scope: Scope) => RawBuilder<unknown>;
  /** Columns that a device or its contact changes, and those that follow from others. */
  readonly volatile: readonly string[];
  /** Columns younger than imports that can be undone, the oldest first. */
  readonly added: readonly string[];
  /** Condition on a thing `t`: they have their defaults. */
  readonly addedAreDefault: RawBuilder<unknown>;
  readonly labels: RawBuilder<unknown>;
  /** Condition on a thing `t`: something hangs on it that its own row does not show. */
  readonly isUsed: RawBuilder<unknown>;
}

const stationOf = sql`(select s.name from base_station s where s.id = t.base_station_id) as station`;
const ofThing = (table: string): RawBuilder<unknown> =>
  sql`exists (select from ${sql.table(table)} u where u.device_id = t.id)`;

const noneAdded = { added: [], addedAreDefault: sql`true` } as const;
const gatewayAdded = {
  added: ["is_archived", "control_port", "poll_pause", "dlms_wrapper"],
  addedAreDefault: sql`not t.is_archived and t.control_port is null and t.poll_pause = 0 and not t.dlms_wrapper`,
} as const;
const stationAdded = {
  added: ["is_archived", "poll_pause"],
  addedAreDefault: sql`not t.is_archived and t.poll_pause = 0`,
} as const;

const tables: Readonly<Record<ThingKind, Table>> = {
  devices: {
    name: "device",
    key: sql`lower(device."deviceID")`,
    isNumbered: ({ companyId }, keys) =>
      sql`device.id = any(array(select device_numbered(${companyId}::int, ${[...keys]}::text[])))`,
    isSeen: (scope) => visibleDevices(scope),
    volatile: ["search"],
    ...noneAdded,
    labels: sql`(select g.device_id from gateway g where g.id = t.gateway_id) as gateway, ${stationOf}`,
    isUsed: sql.join(
      [
        "device_latest",
        "device_user",
        "device_attribute",
        "device_schedule",
        "object_item",
        "poll_group_device",
        "device_task_item",
      ].map(ofThing),
      sql` or `,
    ),
  },
  gateways: {
    name: "gateway",
    key: sql`gateway.device_id`,
    isSeen: (scope) => sql`${visibleCarriers(scope, "gateway")} and deleted_at is null`,
    volatile: ["last_session_at", "search"],
    ...gatewayAdded,
    labels: sql`null as gateway, ${stationOf}`,
    isUsed: sql`exists (select from device u where u.gateway_id = t.id)
      or exists (select from object_item u where u.gateway_id = t.id)`,
  },
  base_stations: {
    name: "base_station",
    key: sql`lower(base_station.device_id)`,
    isSeen: (scope) => sql`${visibleCarriers(scope, "base_station")} and deleted_at is null`,
    volatile: ["search"],
    ...stationAdded,
    labels: sql`null as gateway, null as station`,
    isUsed: sql`exists (select from device u where u.base_station_id = t.id)
      or exists (select from gateway u where u.base_station_id = t.id)
      or exists (select from object_item u where u.base_station_id = t.id)`,
  },
};

/** Things that the session sees, by their number; locked. Index: that of the numbers of the kind. */
export async function thingsNumbered(
  db: Db,
  scope: Scope,
  kind: ThingKind,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { name, key, isSeen, isNumbered } = tables[kind];
  const isMeant = isNumbered ? isNumbered(scope, keys) : sql`${key} = any(${[...keys]}::text[])`;
  const { rows } = await sql<{ id: number; key: string }>`
    select id, ${key} as key from ${sql.table(name)}
    where company_id = ${scope.companyId}::int and ${isMeant} and ${isSeen(scope)}
    order by id for no key update`.execute(db);
  return new Map(rows.map(({ id, key }) => [key, id]));
}

/** Things that came through the session, by primary key. */
export async function imagesOf(
  db: Db,
  kind: ThingKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Image>> {
  if (ids.length === 0) return new Map();
  const { name, volatile, labels } = tables[kind];
  const { rows } = await sql<Image>`
    select t.id, to_jsonb(t) - ${[...volatile]}::text[] as image, md5((to_jsonb(t) - ${[...volatile]}::text[])::text) as hash, ${labels}
    from ${sql.table(name)} t where t.id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Base stations of the company with these numbers or names, in lower case; null if several have it. */
export async function stationsNamed(
  db: Db,
  scope: Scope,
  names: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const found = new Map<string, number | null>();
  if (names.length === 0) return found;
  const { rows } = await sql<{ id: number; name: string; device_id: string }>`
    select id, lower(name) as name, lower(device_id) as device_id from base_station
    where company_id = ${scope.companyId}::int and deleted_at is null and ${visibleCarriers(scope, "base_station")}
      and (lower(name) = any(${[...names]}::text[]) or lower(device_id) = any(${[...names]}::text[]))
    limit 5000`.execute(db);
  for (const { id, name } of rows) found.set(name, found.has(name) ? null : id);
  for (const { id, device_id } of rows) if (device_id !== "") found.set(device_id, id);
  return found;
}

/**
 * Numbers of gateways that the session sees, by their number or name in lower case; null if several have the name and
 * none the number.
 */
export async function gatewaysNamed(
  db: Db,
  scope: Scope,
  names: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  if (names.length === 0) return found;
  const { rows } = await sql<{ name: string; device_id: string }>`
    select lower(name) as name, device_id from gateway
    where company_id = ${scope.companyId}::int and deleted_at is null and ${visibleCarriers(scope, "gateway")}
      and (lower(name) = any(${[...names]}::text[]) or lower(device_id) = any(${[...names]}::text[]))
    limit 5000`.execute(db);
  for (const { name, device_id } of rows) found.set(name, found.has(name) ? null : device_id);
  for (const { device_id } of rows) found.set(device_id.toLowerCase(), device_id);
  return found;
}

/** What an import has stored: the things that it made or changed. */
export async function storedThings(db: Db, importId: number, outcome: "made" | "changed"): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select thing_id as id from sheet_import_row
    where import_id = ${importId} and outcome = ${outcome} and thing_id is not null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks things until the transaction ends. */
export async function lockThings(db: Db, kind: ThingKind, ids: readonly number[]): Promise<void> {
  const { name } = tables[kind];
  await sql`select from ${sql.table(name)} where id = any(${[...ids]}::int[]) order by id for update`.execute(
    db,
  );
}

/** Rows of the file whose things are no more as the import left them, and how many there are. */
export async function changedSince(
  db: Db,
  kind: ThingKind,
  importId: number,
  limit: number,
): Promise<{ readonly row: number; readonly name: string; readonly count: number }[]> {
  const { name, volatile, added, addedAreDefault, isUsed } = tables[kind];
  // The hash of an import is of the columns that there were then.
  const former = sql.join([
    sql`''`,
    ...added.map((_, at) => sql`md5((to_jsonb(t) - ${[...volatile, ...added.slice(at)]}::text[])::text)`),
  ]);
  const { rows } = await sql<{ row: number; name: string; count: number }>`
    select r.row, coalesce(t.name, '') as name, count(*) over ()::int as count
    from sheet_import_row r left join ${sql.table(name)} t on t.id = r.thing_id
    where r.import_id = ${importId} and r.thing_id is not null and r.outcome in ('made', 'changed') and (
      t.id is null or md5((to_jsonb(t) - ${[...volatile]}::text[])::text) <> r.after_hash
        and not (${addedAreDefault} and r.after_hash in (${former}))
      or (r.outcome = 'made' and (${isUsed})))
    order by r.row limit ${limit}`.execute(db);
  return rows;
}

/** Puts back every former column of the things that an import has changed. */
export async function putBack(db: Db, kind: ThingKind, importId: number): Promise<void> {
  const { name, volatile } = tables[kind];
  const sets = await formerColumns(db, { table: name, without: volatile, image: sql`r.before` });
  await sql`
    update ${sql.table(name)} t set ${sets}
    from sheet_import_row r cross join lateral jsonb_populate_record(null::${sql.table(name)}, r.before) b
    where r.import_id = ${importId} and r.outcome = 'changed' and t.id = r.thing_id`.execute(db);
}

/** Assignments of a table `t` from a record `b`, of the columns that its image knows: there may be more since. */
async function formerColumns(
  db: Db,
  { table, without, image }: { table: string; without: readonly string[]; image: RawBuilder<unknown> },
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ column: string }>`
    select attname as "column" from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> all(array['id', 'company_id'] || ${[...without]}::text[])
    order by attnum`.execute(db);
  return sql.join(
    rows.map(
      ({ column }) =>
        sql`${sql.ref(column)} = case when ${image} ? ${column}::text then b.${sql.ref(column)} else t.${sql.ref(column)} end`,
    ),
  );
}

/** Rows of a table as they were, with their ids. */
export interface Former {
  readonly table: string;
  readonly images: readonly Readonly<Record<string, unknown>>[];
}

/** Puts back the columns of rows that were changed. */
export async function putBackRows(db: Db, scope: Scope, { table, images }: Former): Promise<void> {
  if (images.length === 0) return;
  const sets = await formerColumns(db, { table, without: [], image: sql`r.image` });
  await sql`
    update ${sql.table(table)} t set ${sets}
    from jsonb_array_elements(${storableJson(images)}::jsonb) as r (image)
      cross join lateral jsonb_populate_record(null::${sql.table(table)}, r.image) b
    where t.id = b.id and t.company_id = ${scope.companyId}::int`.execute(db);
}

/** Puts back rows that were deleted; columns that are younger get their defaults, if they have some. */
export async function insertRowsAgain(db: Db, { table, images }: Former): Promise<void> {
  if (images.length === 0) return;
  const names = Object.keys(images[0] ?? {});
  const columns = sql.join(names.map((name) => sql.ref(name)));
  await sql`
    insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${storableJson(images)}::jsonb)`.execute(
    db,
  );
}

/** Deletes rows that were made. */
export async function deleteRows(
  db: Db,
  scope: Scope,
  { table, ids }: { readonly table: string; readonly ids: readonly number[] },
): Promise<void> {
  if (ids.length > 0)
    await sql`delete from ${sql.table(table)} where id = any(${[...ids]}::int[]) and company_id = ${scope.companyId}::int`.execute(
      db,
    );
}

/** Rows of a file whose devices, made by it, were used since: readings, ties and the like hang on them. */
export async function usedDevices(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const used = sql.join(
    [
      "device_latest",
      "device_user",
      "device_attribute",
      "device_schedule",
      "poll_group_device",
      "device_task_item",
    ].map(ofThing),
    sql` or `,
  );
  const { rows } = await sql<{ id: number }>`
    select t.id from device t where t.id = any(${[...ids]}::int[]) and (${used})`.execute(db);
  return rows.map(({ id }) => id);
}
