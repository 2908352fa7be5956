import type { SheetKind, SheetOutcome, SheetState } from "@metrum/contract/metering";
import { sql } from "kysely";
import { storableJson, type Db, type Scope, type SheetRow } from "#core";
import type { Acting } from "./acting.ts";
import type { GoingImport } from "./batchStore.ts";

export type Counts = Readonly<Record<SheetOutcome, number>>;
export const noCounts: Counts = { made: 0, changed: 0, same: 0, refused: 0 };

export interface StoredImport {
  readonly id: number;
  readonly kind: SheetKind;
  readonly file_name: string;
  readonly user_name: string;
  readonly state: SheetState;
  readonly headers: readonly string[];
  readonly mapping: readonly (string | null)[];
  readonly row_count: number;
  readonly passed_row: number;
  readonly done_count: number;
  readonly counts: Counts;
  readonly created_at: number;
  readonly ran_at: number | null;
  readonly undone_at: number | null;
}

/** Fault of a row as it is stored; it is worded for the user who reads it. */
export interface StoredFault {
  readonly column: number | null;
  /** Field without a column. */
  readonly field?: string;
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
}

const rowsAtOnce = 1_000;

/** Adds an uploaded file with its rows; returns its id. */
export async function addImport(
  db: Db,
  scope: Scope,
  { kind, file_name, headers, mapping, rows, now }: NewImport,
): Promise<number> {
  const { rows: added } = await sql<{ id: number }>`
    insert into sheet_import (company_id, user_id, kind, file_name, state, headers, mapping, row_count, counts, created_at, worked_at)
    values (${scope.companyId}, ${scope.userId}, ${kind}, ${file_name}, 'uploaded', ${storableJson(headers)}::jsonb,
      ${storableJson(mapping)}::jsonb, ${rows.length}, ${storableJson(noCounts)}::jsonb, ${now}, ${now}) returning id`.execute(
    db,
  );
  const id = added[0]?.id ?? 0;
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await sql`
      insert into sheet_import_row (import_id, company_id, row, cells)
      select ${id}::int, ${scope.companyId}::int, number, cells
      from jsonb_to_recordset(${storableJson(rows.slice(at, at + rowsAtOnce))}::jsonb) as r (number int, cells jsonb)`.execute(
      db,
    );
  return id;
}

export interface NewImport extends Pick<StoredImport, "kind" | "file_name" | "headers" | "mapping"> {
  readonly rows: readonly SheetRow[];
  readonly now: number;
}

/** Deletes the oldest imports of a company beyond a number; those in progress stay. */
export async function dropSurplus(db: Db, { companyId }: Scope, kept: number): Promise<void> {
  await sql`
    delete from sheet_import where id in (
      select id from sheet_import where company_id = ${companyId} and state not in ('rehearsing', 'running')
      order by id desc offset ${kept}::int)`.execute(db);
}

/** Deletes imports of every company that are older than a time. Rows: the imports of all, ten a company. */
export async function dropExpired(system: Db, before: number): Promise<void> {
  await sql`delete from sheet_import where created_at < ${before} and state not in ('rehearsing', 'running')`.execute(
    system,
  );
}

/** Wakes the workers. */
export const sheetChannel = "sheet_going";

export interface Step {
  readonly id: number;
  readonly state: SheetState;
  /** From the first row again. */
  readonly isAnew: boolean;
  readonly acting: Acting;
  readonly now: number;
  /** A rehearsal that is followed by its run. */
  readonly runsItself?: boolean;
}

/** Begins a rehearsal or a run, which a worker goes on with. */
export async function beginStep(
  db: Db,
  { id, state, isAnew, acting, now, runsItself = false }: Step,
): Promise<void> {
  await sql`
    update sheet_import set state = ${state}, acting = ${storableJson(acting)}::jsonb, worked_at = ${now}, failures = 0, runs_itself = ${runsItself},
      passed_row = case when ${isAnew} then 0 else passed_row end,
      done_count = case when ${isAnew} then 0 else done_count end,
      ran_at = case when ${state === "running"} then ${now}::bigint else ran_at end
    where id = ${id}`.execute(db);
  await sql`select pg_notify(${sheetChannel}, '')`.execute(db);
}

/**
 * The columns of an import, and the number of each row by which things are found, written as their tables
 * compare it; former outcomes are forgotten.
 */
export async function putMapping(db: Db, { id, kind, mapping, keyColumn }: NewMapping): Promise<void> {
  await sql`
    update sheet_import set mapping = ${storableJson(mapping)}::jsonb, counts = ${storableJson(noCounts)}::jsonb
    where id = ${id}`.execute(db);
  const cell = keyColumn === -1 ? sql`null::text` : sql`cells ->> ${keyColumn}::int`;
  const bare = sql`regexp_replace(${cell}, ${kind === "devices" || kind === "objects" ? "^\\s+|\\s+$" : "\\s+"}, '', 'g')`;
  await sql`
    update sheet_import_row set key = ${kind === "gateways" ? bare : sql`nullif(lower(${bare}), '')`}, outcome = null, faults = null,
      shown = null
    where import_id = ${id}`.execute(db);
}

export interface NewMapping {
  readonly id: number;
  readonly kind: SheetKind;
  readonly mapping: readonly (string | null)[];
  readonly keyColumn: number;
}

/** Headings that are remembered at the most; beyond them only those of the last file. */
const mostHeadings = 500;

export async function rememberFields(
  db: Db,
  { companyId }: Scope,
  kind: SheetKind,
  fields: Readonly<Record<string, string | null>>,
): Promise<void> {
  await sql`
    insert into sheet_mapping as m (company_id, kind, fields) values (${companyId}, ${kind}, ${storableJson(fields)}::jsonb)
    on conflict (company_id, kind) do update set fields = case
      when (select count(*) from jsonb_object_keys(m.fields)) > ${mostHeadings} then excluded.fields
      else m.fields || excluded.fields end`.execute(db);
}

/** Deletes an import that is not in progress, with its rows. */
export async function deleteImport(db: Db, id: number): Promise<void> {
  await sql`delete from sheet_import where id = ${id} and state not in ('rehearsing', 'running')`.execute(db);
}

/** Marks an import as undone. */
export async function putUndone(db: Db, id: number, now: number): Promise<void> {
  await sql`update sheet_import set state = 'undone', undone_at = ${now} where id = ${id}`.execute(db);
}

/** Outcome of a row; `thing_id`, `before` and `after_hash` of what was really stored. */
export interface RowResult {
  readonly row: number;
  readonly outcome: SheetOutcome;
  readonly faults?: readonly StoredFault[];
  readonly shown?: readonly (string | null)[];
  readonly thing_id?: number;
  readonly before?: unknown;
  readonly after_hash?: string;
}

/** Notes outcomes. Rows: those between the first and the last of them, by primary key. */
export async function putResults(db: Db, id: number, results: readonly RowResult[]): Promise<void> {
  const rows = results.map(({ row }) => row);
  if (rows.length === 0) return;
  await sql`
    update sheet_import_row r set outcome = x.outcome, faults = x.faults, shown = x.shown, thing_id = x.thing_id,
      before = x.before, after_hash = x.after_hash
    from jsonb_to_recordset(${storableJson(results)}::jsonb)
      as x (row int, outcome text, faults jsonb, shown jsonb, thing_id int, before jsonb, after_hash text)
    where r.import_id = ${id} and r.row between ${Math.min(...rows)} and ${Math.max(...rows)} and r.row = x.row`.execute(
    db,
  );
}

export async function putProgress(
  db: Db,
  { id, state, passed_row, done_count, counts }: Omit<GoingImport, "kind" | "mapping" | "runs_itself">,
  now: number,
): Promise<void> {
  await sql`
    update sheet_import set state = ${state}, passed_row = ${passed_row}, done_count = ${done_count},
      counts = ${storableJson(counts)}::jsonb, worked_at = ${now}, failures = 0,
      ran_at = case when state = 'rehearsing' and ${state === "running"} then ${now}::bigint else ran_at end
    where id = ${id}`.execute(db);
}

/**
 * Notes a batch that failed. After several in succession, or at once if `isFinal`, the step ends: a rehearsal
 * waits for its columns again, a run for its user.
 */
export async function noteFailure(
  system: Db,
  id: number,
  { most, isFinal, now }: { readonly most: number; readonly isFinal: boolean; readonly now: number },
): Promise<void> {
  await sql`
    update sheet_import set failures = failures + 1, worked_at = ${now}, state = case
      when failures + 1 < ${most} and not ${isFinal} then state
      when state = 'rehearsing' then 'uploaded' else 'interrupted' end
    where id = ${id} and state in ('rehearsing', 'running')`.execute(system);
}
