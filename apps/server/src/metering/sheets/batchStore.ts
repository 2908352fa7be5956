import type { SheetKind, SheetOutcome, SheetState } from "@metrum/contract/metering";
import { sql } from "kysely";
import type { Db, SheetCell } from "#core";
import type { Acting } from "./acting.ts";
import type { Counts } from "./store.ts";

/** An import in progress, with the session of the user who began its step. */
export interface GoingImport {
  readonly id: number;
  readonly kind: SheetKind;
  readonly state: SheetState;
  readonly mapping: readonly (string | null)[];
  readonly passed_row: number;
  readonly done_count: number;
  readonly counts: Counts;
  /** It is stored as soon as it is rehearsed. */
  readonly runs_itself: boolean;
}

/** The session of the import in progress that has waited longest; those that others work on are skipped. */
export async function nextGoing(
  system: Db,
): Promise<{ readonly id: number; readonly acting: Acting; readonly worked_at: number } | undefined> {
  const { rows } = await sql<{ id: number; acting: Acting; worked_at: number }>`
    select id, acting, worked_at from sheet_import where state in ('rehearsing', 'running')
    order by worked_at, id limit 1 for update skip locked`.execute(system);
  return rows[0];
}

/** Locks an import in progress until the transaction ends; undefined when another worker has it, or it ended. */
export async function lockGoing(db: Db, id: number): Promise<GoingImport | undefined> {
  const { rows } = await sql<GoingImport>`
    select id, kind, state, mapping, passed_row, done_count, counts, runs_itself from sheet_import
    where id = ${id} and state in ('rehearsing', 'running') for update skip locked`.execute(db);
  return rows[0];
}

export interface WaitingRow {
  readonly row: number;
  readonly cells: readonly SheetCell[];
  readonly key: string | null;
  readonly outcome: SheetOutcome | null;
  /** An earlier row with the same number. */
  readonly twin: number | null;
}

/** The next rows of the file. Primary key, and index sheet_import_row_key for each. */
export async function nextRows(
  db: Db,
  { id, passed_row }: GoingImport,
  limit: number,
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select r.row, r.cells, r.key, r.outcome, (
      select min(o.row) from sheet_import_row o where o.import_id = r.import_id and o.key = r.key and o.row < r.row
    ) as twin
    from sheet_import_row r where r.import_id = ${id} and r.row > ${passed_row} order by r.row limit ${limit}`.execute(
    db,
  );
  return rows;
}
