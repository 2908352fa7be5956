import { canRemember, remember, remembered, type Db } from "#core";

const key = "backup.last";

/** The newest backup completed on this installation. */
export interface LastBackup {
  /** Epoch seconds of its end. */
  readonly at: number;
  /** Where it was written; it may have been moved since. */
  readonly file: string;
  readonly bytes: number;
  readonly durationMs: number;
}

/** Null if there is none, or if the database predates the record. Unscoped. */
export async function lastBackup(system: Db): Promise<LastBackup | null> {
  if (!(await canRemember(system))) return null;
  return (await remembered<LastBackup>(system, key)) ?? null;
}

export async function noteBackup(system: Db, done: LastBackup): Promise<void> {
  if (await canRemember(system)) await remember(system, key, done);
}
