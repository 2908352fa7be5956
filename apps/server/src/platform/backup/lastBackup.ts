import { sql } from "kysely";
import type { Db } from "#core";

const key = "backup.last";

/** The newest backup that was finished on this installation. */
export interface LastBackup {
  /** Epoch seconds of its end. */
  readonly at: number;
  /** Where it was written; it may have been moved since. */
  readonly file: string;
  readonly bytes: number;
  readonly durationMs: number;
}

/** Null where there is none, and where the database is older than the note. Asks with the rights of the system. */
export async function lastBackup(system: Db): Promise<LastBackup | null> {
  if (!(await takesNotes(system))) return null;
  const { rows } = await sql<{
    value: LastBackup;
  }>`select value from installation where key = ${key}`.execute(system);
  return rows[0]?.value ?? null;
}

export async function noteBackup(system: Db, done: LastBackup): Promise<void> {
  if (!(await takesNotes(system))) return;
  const value = JSON.stringify(done);
  await sql`insert into installation (key, value) values (${key}, ${value}::jsonb)
    on conflict (key) do update set value = excluded.value, at = now()`.execute(system);
}

/** Databases of before 0006-installation have no place for it. */
async function takesNotes(system: Db): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('installation') is not null as there`.execute(system);
  return rows[0]?.there ?? false;
}
