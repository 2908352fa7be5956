import { sql, type RawBuilder } from "kysely";
import { containing, inBranches, visibleCarriers, type Db, type Scope } from "#core";

type CarrierTable = "gateway" | "base_station";

/** Filter of the lists of gateways and of base stations. */
export interface CarrierFilter {
  readonly ids?: readonly number[] | undefined;
  /** Nodes of the objects tree: what stands there or below. */
  readonly object_ids?: readonly number[] | undefined;
  readonly is_deleted?: boolean | undefined;
  readonly is_archived?: boolean | undefined;
  readonly search_string?: string | undefined;
}

/** Carriers in use, in the archive and in the trash. */
export interface CarrierCounts {
  readonly all: number;
  readonly archived: number;
  readonly deleted: number;
}

/**
 * Conditions on the rows of `gateway` or `base_station` that the session sees; found by their texts, or the id
 * that is typed.
 */
export function carrierConditions(
  scope: Scope,
  table: CarrierTable,
  { ids, object_ids, is_deleted = false, is_archived = false, search_string }: CarrierFilter,
): RawBuilder<unknown>[] {
  const of = (column: string) => sql.ref(`${table}.${column}`);
  return [
    visibleCarriers(scope, table),
    is_deleted
      ? sql`${of("deleted_at")} is not null`
      : sql`${of("deleted_at")} is null and ${is_archived ? sql`` : sql`not `}${of("is_archived")}`,
    ...(ids === undefined ? [] : [sql`${of("id")} = any(${[...ids]}::int[])`]),
    ...(object_ids === undefined
      ? []
      : [sql`${of("id")} in (${inBranches(table, sql`${[...object_ids]}::int[]`)})`]),
    ...(search_string
      ? [
          sql`(${of("search")} like ${containing(search_string.toLowerCase())} or ${of("id")} = ${typedId(search_string)}::int)`,
        ]
      : []),
  ];
}

/** Index-only scans of `gateway_listed`, `_archived` and `_trash`, or those of base stations. */
export async function carrierCounts(db: Db, scope: Scope, table: CarrierTable): Promise<CarrierCounts> {
  const count = (filter: CarrierFilter) => sql`(
    select count(*)::int from ${sql.table(table)}
    where ${sql.join(carrierConditions(scope, table, filter), sql` and `)})`;
  const { rows } = await sql<CarrierCounts>`
    select ${count({})} as "all", ${count({ is_archived: true })} as archived,
      ${count({ is_deleted: true })} as deleted`.execute(db);
  return rows[0] ?? { all: 0, archived: 0, deleted: 0 };
}

const largestInt = 2 ** 31 - 1;

/** The id that a text spells out, null if it is none. */
export function typedId(text: string): number | null {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= largestInt ? Number(text) : null;
}
