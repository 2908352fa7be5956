import { sql, type RawBuilder } from "kysely";
import type { Db } from "./database.ts";

/** Rows of a list, and which of them a page shows. */
export interface FoundPageOf {
  /** From and where: ``gateway where company_id = 1``. */
  readonly rows: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  /** What is sorted by, ties by the id in the same direction. */
  readonly key: RawBuilder<unknown>;
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

export interface FoundPage<Id extends number> {
  /** All rows that match. */
  readonly total: number;
  /** Those of the page, in their order. */
  readonly ids: Id[];
}

/**
 * Counts the rows of a list and sorts one page of their ids, in a single pass over them. For lists of tens of
 * thousands of rows: the pass takes all of them whatever the page.
 */
export async function foundPage<Id extends number>(
  db: Db,
  { rows: matching, id, key, sort, limit, offset }: FoundPageOf,
): Promise<FoundPage<Id>> {
  const direction = sort === "asc" ? sql`asc` : sql`desc`;
  const { rows } = await sql<FoundPage<Id>>`
    with found as materialized (select ${id} as id, ${key} as key from ${matching})
    select (select count(*)::int from found) as total, array(
      select id from found order by key ${direction}, id ${direction} limit ${limit}::int offset ${offset}::int
    ) as ids`.execute(db);
  return rows[0] ?? { total: 0, ids: [] };
}
