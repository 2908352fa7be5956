import { sql, type RawBuilder } from "kysely";
import type { Db } from "../database.ts";
import type { WholeLists } from "../wholeLists.ts";

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

/** What a page is read by: a context of a call. */
export interface FoundBy {
  readonly db: Db;
  readonly whole?: WholeLists | undefined;
}

/**
 * Counts the rows of a list and sorts one page of their ids, in a single pass over them. For lists of tens of
 * thousands of rows: the pass takes all of them whatever the page. A file makes it once.
 */
export async function foundPage<Id extends number>(
  { db, whole }: FoundBy,
  asked: FoundPageOf,
): Promise<FoundPage<Id>> {
  const { rows, id, key, sort } = asked;
  const find = async (part: Pick<FoundPageOf, "limit" | "offset">): Promise<FoundPage<Id>> => {
    const { rows: found } = await pageQuery<Id>({ ...asked, ...part }).execute(db);
    return found[0] ?? { total: 0, ids: [] };
  };
  if (!whole) return find(asked);
  const { sql: text, parameters } = sql`${rows} ${key} ${id}`.compile(db);
  return whole.page(JSON.stringify([text, parameters, sort]), asked, find);
}

function pageQuery<Id extends number>({
  rows,
  id,
  key,
  sort,
  limit,
  offset,
}: FoundPageOf): RawBuilder<FoundPage<Id>> {
  const direction = sort === "asc" ? sql`asc` : sql`desc`;
  return sql<FoundPage<Id>>`
    with found as materialized (select ${id} as id, ${key} as key from ${rows})
    select (select count(*)::int from found) as total, array(
      select id from found order by key ${direction}, id ${direction} limit ${limit}::int offset ${offset}::int
    ) as ids`;
}
