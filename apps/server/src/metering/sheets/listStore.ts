import type { SheetKind, SheetOutcome } from "@metrum/contract/metering";
import { sql, type RawBuilder } from "kysely";
import { containing, storableJson, type Db, type Scope, type SheetCell } from "#core";
import type { StepsOfRow } from "./composed.ts";
import type { StoredFault, StoredImport } from "./store.ts";

/** A user tied to devices sees only own imports: files name devices of others. */
const seen = (scope: Scope): RawBuilder<unknown> =>
  scope.onlyTiedDevices
    ? sql`i.company_id = ${scope.companyId}::int and i.user_id = ${scope.userId}::int`
    : sql`i.company_id = ${scope.companyId}::int`;

const columns = sql`i.id, i.kind, i.file_name, coalesce((select name from users where id = i.user_id), '') as user_name,
  i.state, i.headers, i.mapping, i.row_count, i.passed_row, i.done_count, i.counts, i.created_at, i.ran_at, i.undone_at`;

/** Imports that the session sees, newest first. Index sheet_import_listed. */
export async function importsOf(db: Db, scope: Scope): Promise<StoredImport[]> {
  const { rows } = await sql<StoredImport>`
    select ${columns} from sheet_import i where ${seen(scope)} order by i.id desc limit 100`.execute(db);
  return rows;
}

/** An import that came through `resolve`; locked for a change of its state. Primary key. */
export async function importOf(
  db: Db,
  scope: Scope,
  id: number,
  { isLocked = false }: { readonly isLocked?: boolean } = {},
): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`
    select ${columns} from sheet_import i where i.id = ${id} and ${seen(scope)} ${isLocked ? sql`for update of i` : sql``}`.execute(
    db,
  );
  return rows[0];
}

/** What the rows of an import have made and changed, in their order. Rows: those of the file. */
export async function stepsOf(db: Db, id: number): Promise<StepsOfRow[]> {
  const { rows } = await sql<StepsOfRow>`
    select row, coalesce(cells ->> 0, '') as name, before as steps from sheet_import_row
    where import_id = ${id} and outcome in ('made', 'changed') and before is not null order by row`.execute(
    db,
  );
  return rows;
}

/** Fields of former columns of a company, by their headings. */
export async function rememberedFields(
  db: Db,
  { companyId }: Scope,
  kind: SheetKind,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await sql<{ fields: Readonly<Record<string, string | null>> }>`
    select fields from sheet_mapping where company_id = ${companyId} and kind = ${kind}`.execute(db);
  return new Map(Object.entries(rows[0]?.fields ?? {}));
}

export interface RowFilter {
  readonly search_string?: string | undefined;
  readonly outcome?: SheetOutcome | undefined;
  readonly code?: string | undefined;
  readonly column?: number | null | undefined;
}

export interface StoredRow {
  readonly row: number;
  readonly outcome: SheetOutcome | null;
  readonly cells: readonly SheetCell[];
  readonly faults: readonly StoredFault[] | null;
  readonly shown: readonly (string | null)[] | null;
}

function matching(id: number, { search_string = "", outcome, code, column }: RowFilter): RawBuilder<unknown> {
  const fault = {
    ...(code === undefined ? {} : { code }),
    ...(column === undefined ? {} : { column }),
  };
  return sql`import_id = ${id} ${outcome === undefined ? sql`` : sql`and outcome = ${outcome}`}
    ${Object.keys(fault).length === 0 ? sql`` : sql`and faults @> ${storableJson([fault])}::jsonb`}
    ${search_string === "" ? sql`` : sql`and cells::text ilike ${containing(search_string)}`}`;
}

/** Rows of an import that came through `resolve`. Primary key, or index sheet_import_row_outcome. */
export async function rowPage(
  db: Db,
  id: number,
  { filter, limit, offset }: { readonly filter: RowFilter; readonly limit: number; readonly offset: number },
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select row, outcome, cells, faults, shown from sheet_import_row where ${matching(id, filter)}
    order by row limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function countRows(db: Db, id: number, filter: RowFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from sheet_import_row where ${matching(id, filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Reasons of refusals, most frequent first; parameters that differ are left out. */
export async function reasonsOf(db: Db, id: number): Promise<(StoredFault & { readonly count: number })[]> {
  const { rows } = await sql<StoredFault & { readonly count: number }>`
    select (fault ->> 'column')::int as "column", fault ->> 'field' as field, fault ->> 'code' as code,
      case when min(fault ->> 'params') = max(fault ->> 'params') then min(fault ->> 'params')::jsonb else '{}' end as params,
      count(*)::int as count
    from sheet_import_row, jsonb_array_elements(faults) as fault
    where import_id = ${id} and outcome = 'refused'
    group by 1, 2, 3 order by count(*) desc, 1, 2, 3 limit 100`.execute(db);
  return rows;
}
