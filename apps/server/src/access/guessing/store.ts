import { sql } from "kysely";
import type { Db } from "#core";
import type { Subject } from "./subject.ts";
import type {} from "./tables.ts";

/** Failures of the subjects by key in hexadecimal. At most three rows by the primary key. */
export async function readFailures(db: Db, subjects: readonly Subject[]): Promise<Map<string, number[]>> {
  const rows = await db
    .selectFrom("guess")
    .selectAll()
    .where(
      "subject",
      "in",
      subjects.map(({ key }) => key),
    )
    .execute();
  return new Map(rows.map(({ subject, failed_at }) => [subject.toString("hex"), failed_at]));
}

/** The same; rows are locked until the transaction ends, in the order of their keys. */
export async function lockFailures(db: Db, subjects: readonly Subject[]): Promise<Map<string, number[]>> {
  for (const { key } of subjects)
    await sql`
      insert into guess (subject, failed_at) values (${key}, '{}')
      on conflict (subject) do update set failed_at = guess.failed_at
    `.execute(db);
  return readFailures(db, subjects);
}

export async function saveFailures(db: Db, { key }: Subject, failedAt: readonly number[]): Promise<void> {
  await sql`update guess set failed_at = ${[...failedAt]}::float8[] where subject = ${key}`.execute(db);
}

/** Rows are written one by one, in the order in which they are locked. */
export async function removeFailures(db: Db, subjects: readonly Subject[]): Promise<void> {
  for (const { key } of subjects) await db.deleteFrom("guess").where("subject", "=", key).execute();
}

/** Deletes subjects whose last failure is older than this. */
export async function removeOld(db: Db, beforeMs: number): Promise<void> {
  await sql`
    delete from guess where coalesce(failed_at[array_upper(failed_at, 1)], 0) < ${beforeMs}::float8
  `.execute(db);
}
