import { sql, type RawBuilder } from "kysely";
import {
  containing,
  visibleParties,
  visiblePoints,
  type Db,
  type FoundBy,
  type FoundPage,
  type Scope,
  type ScopedId,
} from "#core";

/** Directories, and the column of a term that names an entry. */
const kinds = {
  consumer: { table: sql`consumer`, of: sql`t.consumer_id` },
  supplier: { table: sql`supplier`, of: sql`t.supplier_id` },
  transformer: { table: sql`transformer`, of: sql`t.transformer_id` },
} as const;

export type PartyKind = keyof typeof kinds;

export type PartyIdOf<Kind extends PartyKind> = ScopedId<Kind>;

export interface PartyPage {
  readonly text: string;
  readonly sort_field: string;
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
  /** Column and value of a filter. */
  readonly only?: { readonly column: string; readonly value: string | number } | undefined;
}

/** Texts that are sorted without regard to case. */
const texts = new Set(["name", "title", "number_of_contract", "address", "email", "number"]);

/**
 * Ids of one page, and the number of all. Rows: the entries of the company; by name they are read in the order of
 * their index `…_of_company`, no further than the page, and a search is answered by `…_search`. A file finds them once.
 */
export async function idsOfPage<Kind extends PartyKind>(
  { db, whole }: FoundBy,
  scope: Scope,
  kind: Kind,
  asked: PartyPage,
): Promise<FoundPage<PartyIdOf<Kind>>> {
  const { limit: _limit, offset: _offset, ...list } = asked;
  const find = (part: Pick<PartyPage, "limit" | "offset">) => foundIds(db, scope, kind, { ...list, ...part });
  return whole ? whole.page(JSON.stringify([kind, list]), asked, find) : find(asked);
}

async function foundIds<Kind extends PartyKind>(
  db: Db,
  scope: Scope,
  kind: Kind,
  { text, sort_field, sort, limit, offset, only }: PartyPage,
): Promise<FoundPage<PartyIdOf<Kind>>> {
  const conditions = [
    visibleParties(scope, kind),
    ...(text === "" ? [] : [sql`search like ${containing(text.toLowerCase())}`]),
    ...(only ? [sql`${sql.ref(only.column)} = ${only.value}`] : []),
  ];
  const matching = sql`${kinds[kind].table} where ${sql.join(conditions, sql` and `)}`;
  const column = sql.ref(sort_field);
  const key = texts.has(sort_field) ? sql`lower(${column})` : column;
  const direction = sort === "asc" ? sql`asc` : sql`desc`;
  const { rows } = await sql<{ id: PartyIdOf<Kind> }>`
    select id from ${matching} order by ${key} ${direction}, id ${direction}
    limit ${limit}::int offset ${offset}::int`.execute(db);
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from ${matching}`.execute(db);
  return { ids: rows.map(({ id }) => id), total: counted[0]?.n ?? 0 };
}

/** Points, of those visible, that an entry has now. Index point_term_of_consumer and its neighbours. */
export const pointsNow = (
  scope: Scope,
  kind: PartyKind,
  of: { id: RawBuilder<unknown>; now: number },
) => sql`(
  select count(distinct t.point_id)::int from point_term t join accounting_point p on p.id = t.point_id
  where ${kinds[kind].of} = ${of.id} and t.from_ts <= ${of.now}::bigint
    and (t.to_ts is null or t.to_ts > ${of.now}::bigint) and ${visiblePoints(scope)})`;

/** Points whose history names one of these entries, whoever sees them. */
export async function pointsInHistory(db: Db, kind: PartyKind, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct t.point_id)::int as n from point_term t where ${kinds[kind].of} = any(${[...ids]}::int[])`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}

/** Entries of a directory of the company. */
export async function countOf(db: Db, { companyId }: Scope, kind: PartyKind): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${kinds[kind].table} where company_id = ${companyId}::int`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Locks rows against new ties and other changes. Returns how many there still are. */
export async function lockRows(
  db: Db,
  scope: Scope,
  kind: PartyKind,
  ids: readonly number[],
): Promise<number> {
  const { rows } = await sql`
    select from ${kinds[kind].table} where id = any(${[...ids]}::int[]) and company_id = ${scope.companyId}::int
    order by id for update`.execute(db);
  return rows.length;
}

/** Column of `point_term` for the queries on intervals. */
export const termColumn = (kind: PartyKind): RawBuilder<unknown> => kinds[kind].of;
