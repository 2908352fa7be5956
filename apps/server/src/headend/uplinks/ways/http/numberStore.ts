import { sql } from "kysely";
import type { Db, Scope } from "#core";

/** Numbers of devices by our ids, which a query on `device` has just allowed. Rows: one an id, by primary key. */
export async function numbersOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; number: string }>`
    select id, "deviceID" as number from device where id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Those of these numbers (small letters) that belong to devices the user is tied to. Rows: those of the user. */
export async function visibleNumbers(
  db: Db,
  { companyId, userId }: Scope,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ number: string }>`
    select lower(d."deviceID") as number from device_user u join device d on d.id = u.device_id
    where u.user_id = ${userId}::int and d.company_id = ${companyId}::int and d.deleted_at is null
      and lower(d."deviceID") = any(${[...numbers]}::text[])`.execute(db);
  return new Set(rows.map(({ number }) => number));
}
