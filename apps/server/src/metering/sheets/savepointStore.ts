import { sql } from "kysely";
import type { Db } from "#core";

type Name = "batch" | "row" | "attempt";

/** Marks a place in a transaction to which it can return. */
export async function openSavepoint(db: Db, name: Name): Promise<void> {
  await sql`savepoint ${sql.ref(name)}`.execute(db);
}

export async function keepSavepoint(db: Db, name: Name): Promise<void> {
  await sql`release savepoint ${sql.ref(name)}`.execute(db);
}

/** Takes back everything since the savepoint, locks included. */
export async function undoSavepoint(db: Db, name: Name): Promise<void> {
  await sql`rollback to savepoint ${sql.ref(name)}`.execute(db);
  await sql`release savepoint ${sql.ref(name)}`.execute(db);
}
