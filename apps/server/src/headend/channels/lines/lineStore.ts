import { sql } from "kysely";
import type { Database, Db } from "#core";
import type { HeldLine } from "./lineHolds.ts";

/**
 * Claims lines for this process, or raises their tokens; returns those that no other process holds. Rows:
 * those given, by primary key.
 */
export async function claimLines(
  database: Database,
  lines: readonly string[],
  { processId, token }: { readonly processId: number; readonly token: number },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ line: string }>`
    insert into line_holder as held (line, process_id, token)
    select line, ${processId}::int, ${token}::bigint from unnest(${[...lines].sort()}::text[]) as wanted (line)
    on conflict (line) do update set token = greatest(held.token, excluded.token)
      where held.process_id = excluded.process_id
    returning line`.execute(database.system);
  return new Set(rows.map(({ line }) => line));
}

/** Claims exclusive work and keeps it until it is released; false when another process has it. */
export async function claimLine(database: Database, line: string, processId: number): Promise<boolean> {
  return (await claimLines(database, [line], { processId, token: 0 })).has(line);
}

export async function releaseLine(database: Database, line: string, processId: number): Promise<void> {
  await sql`delete from line_holder where line = ${line} and process_id = ${processId}`.execute(
    database.system,
  );
}

/** Releases lines of this process that were not claimed again since. Rows: those given, by primary key. */
export async function releaseLines(
  database: Database,
  lines: readonly HeldLine[],
  processId: number,
): Promise<void> {
  await sql`
    delete from line_holder held
    using unnest(${lines.map(({ line }) => line)}::text[], ${lines.map(({ token }) => token)}::bigint[]) as given (line, token)
    where held.line = given.line and held.process_id = ${processId} and held.token <= given.token`.execute(
    database.system,
  );
}

/** Releases every line of these processes. Index line_holder_process_id_idx. */
export async function releaseLinesOf(db: Db, processIds: readonly number[]): Promise<void> {
  await sql`delete from line_holder where process_id = any(${[...processIds]}::int[])`.execute(db);
}

/** Lines held by this process according to the database. Index line_holder_process_id_idx. */
export async function linesOf(database: Database, processId: number): Promise<HeldLine[]> {
  const { rows } = await sql<HeldLine>`
    select line, token::float8 as token from line_holder where process_id = ${processId}`.execute(
    database.system,
  );
  return rows;
}

/** Channel on which a process requests the holder of a dead line to release it. */
export const takeoverChannel = "line_takeover";

export async function askForLine(database: Database, line: string): Promise<void> {
  await sql`select pg_notify(${takeoverChannel}, ${line})`.execute(database.system);
}

/** Processes that hold these lines. Rows: one per held line, by primary key. */
export async function holdersOf(db: Db, lines: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (lines.length === 0) return new Map();
  const { rows } = await sql<{ line: string; process_id: number }>`
    select line, process_id from line_holder where line = any(${[...lines]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.line, row.process_id]));
}
