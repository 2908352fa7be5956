import type { AccountingPointId, ConsumerId, DeviceId, ObjectId, SupplierId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type { Db, Scope } from "#core";

/** Tables that a row of the file may change, with columns that follow from others or from what stands there. */
const volatile = {
  object_node: [
    "sort",
    "childs_count",
    "nodes_below",
    "devices",
    "gateways",
    "base_stations",
    "devices_below",
    "gateways_below",
    "base_stations_below",
    "points",
    "points_below",
    "map_x",
    "map_y",
    "search",
  ],
  object_item: ["is_counted"],
  device: ["search"],
  consumer: ["search"],
  supplier: ["search"],
  accounting_point: ["search"],
  point_term: [],
  point_device: [],
  point_event: [],
} as const;
export type PictureTable = keyof typeof volatile;
export const pictureTables = Object.keys(volatile) as PictureTable[];

/** A row of a table without its volatile columns. */
export interface Picture {
  readonly t: PictureTable;
  readonly i: number;
  readonly image: Readonly<Record<string, unknown>>;
  readonly h: string;
}

/** The things that a row of the file concerns. */
export interface Concerned {
  readonly nodes: readonly ObjectId[];
  readonly devices: readonly DeviceId[];
  readonly points: readonly AccountingPointId[];
  readonly consumers: readonly ConsumerId[];
  readonly suppliers: readonly SupplierId[];
}

function pictured(table: PictureTable, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${table} as t, id as i, to_jsonb(r) - ${[...volatile[table]]}::text[] as image
    from ${sql.table(table)} r where ${condition}`;
}

const among = (column: string, ids: readonly number[]) => sql`${sql.ref(column)} = any(${[...ids]}::int[])`;

/** Rows of these things and of what belongs to them. Indexes of their ids, object_item_device, point_*_of_point. */
export async function picturesOf(
  db: Db,
  { nodes, devices, points, consumers, suppliers }: Concerned,
): Promise<Picture[]> {
  const parts = [
    pictured("object_node", among("id", nodes)),
    ...(devices.length > 0
      ? [pictured("device", among("id", devices)), pictured("object_item", among("device_id", devices))]
      : []),
    ...(consumers.length > 0 ? [pictured("consumer", among("id", consumers))] : []),
    ...(suppliers.length > 0 ? [pictured("supplier", among("id", suppliers))] : []),
    ...(points.length > 0
      ? [
          pictured("accounting_point", among("id", points)),
          pictured("point_term", among("point_id", points)),
          pictured("point_device", among("point_id", points)),
          pictured("point_event", among("point_id", points)),
        ]
      : []),
  ];
  const { rows } = await sql<Picture>`
    select t, i, image, md5(image::text) as h from (${sql.join(parts, sql` union all `)}) r`.execute(db);
  return rows;
}

/** Hashes of rows of one table as they are now. Primary key. */
export async function hashesOf(
  db: Db,
  scope: Scope,
  table: PictureTable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ i: number; h: string }>`
    select i, md5(image::text) as h from (${pictured(table, sql`${among("id", ids)} and company_id = ${scope.companyId}::int`)}) r`.execute(
    db,
  );
  return new Map(rows.map(({ i, h }) => [i, h]));
}

/** Rows of one table as they are now, without their volatile columns. Primary key. */
export async function imagesOf(
  db: Db,
  scope: Scope,
  table: PictureTable,
  ids: readonly number[],
): Promise<Picture["image"][]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Pick<Picture, "image">>`
    select image from (${pictured(table, sql`${among("id", ids)} and company_id = ${scope.companyId}::int`)}) r`.execute(
    db,
  );
  return rows.map(({ image }) => image);
}

/** Made things on which something hangs that the import has not touched. */
export async function usedSince(
  db: Db,
  made: Readonly<Record<PictureTable, readonly number[]>>,
  touched: Readonly<Record<PictureTable, readonly number[]>>,
): Promise<{ readonly t: PictureTable; readonly i: number }[]> {
  const ids = (table: PictureTable) => sql`${[...made[table]]}::int[]`;
  const own = (table: PictureTable) => sql`${[...touched[table]]}::int[]`;
  const { rows } = await sql<{ t: PictureTable; i: number }>`
    select 'object_node' as t, parent_id as i from object_node
      where parent_id = any(${ids("object_node")}) and id <> all(${own("object_node")})
    union select 'object_node', object_id from object_item
      where object_id = any(${ids("object_node")}) and id <> all(${own("object_item")})
    union select 'object_node', object_id from accounting_point
      where object_id = any(${ids("object_node")}) and id <> all(${own("accounting_point")})
    union select 'object_node', object_id from object_attribute where object_id = any(${ids("object_node")})
    union select 'object_node', object_id from object_user where object_id = any(${ids("object_node")})
    union select 'accounting_point', point_id from point_term
      where point_id = any(${ids("accounting_point")}) and id <> all(${own("point_term")})
    union select 'accounting_point', point_id from point_device
      where point_id = any(${ids("accounting_point")}) and id <> all(${own("point_device")})
    union select 'accounting_point', point_id from point_event
      where point_id = any(${ids("accounting_point")}) and id <> all(${own("point_event")})
    union select 'accounting_point', point_id from point_amount where point_id = any(${ids("accounting_point")})
    union select 'consumer', consumer_id from point_term
      where consumer_id = any(${ids("consumer")}) and id <> all(${own("point_term")})
    union select 'supplier', supplier_id from point_term
      where supplier_id = any(${ids("supplier")}) and id <> all(${own("point_term")})
    union select 'device', device_id from point_device
      where device_id = any(${ids("device")}) and id <> all(${own("point_device")})`.execute(db);
  return rows;
}

/** A place where a point may be, and its name in lower case. */
interface PointPlace {
  readonly object: ObjectId | undefined;
  readonly key: string;
}

/** Points of these names at nodes, in the order asked for; of several the first. Index accounting_point_of_object. */
export async function pointsNamed(
  db: Db,
  scope: Scope,
  places: readonly PointPlace[],
): Promise<(AccountingPointId | undefined)[]> {
  const wanted = places.filter(({ object, key }) => object !== undefined && key !== "");
  if (wanted.length === 0) return places.map(() => undefined);
  const { rows } = await sql<{ id: AccountingPointId; object: ObjectId; key: string }>`
    select id, object_id as object, lower(name) as key from accounting_point
    where object_id = any(${[...new Set(wanted.map(({ object }) => object))]}::int[])
      and company_id = ${scope.companyId}::int and lower(name) = any(${[...new Set(wanted.map(({ key }) => key))]}::text[])
    order by id desc`.execute(db);
  const keyOf = ({ object, key }: PointPlace) => `${String(object)} ${key}`;
  const found = new Map(rows.map((row) => [keyOf(row), row.id]));
  return places.map((place) => found.get(keyOf(place)));
}

/**
 * Consumers or suppliers with these tax numbers, and those of these names, in lower case: two at most of each, by
 * "inn …" and "name …". Index consumer_of_company, supplier_of_company.
 */
export async function partiesNamed<Id extends number>(
  db: Db,
  scope: Scope,
  {
    table,
    names,
    numbers,
  }: {
    readonly table: "consumer" | "supplier";
    readonly names: readonly string[];
    readonly numbers: readonly string[];
  },
): Promise<ReadonlyMap<string, readonly Id[]>> {
  const { rows } = await sql<{ id: Id; key: string }>`
    select id, key from (
      select id, key, row_number() over (partition by key order by id) as nth from (
        select id, 'name ' || lower(name) as key from ${sql.table(table)}
          where company_id = ${scope.companyId}::int and lower(name) = any(${[...names]}::text[])
        union all select id, 'inn ' || inn from ${sql.table(table)}
          where company_id = ${scope.companyId}::int and inn = any(${[...numbers]}::text[])
      ) found
    ) numbered where nth <= 2 order by id`.execute(db);
  const found = new Map<string, Id[]>();
  for (const { id, key } of rows) found.set(key, [...(found.get(key) ?? []), id]);
  return found;
}
