import { sql } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";

/**
 * Identifiers of devices by their ids, which a query on `device` authorises. Rows: one per id, by primary
 * key.
 */
export async function numbersOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; number: string }>`
    select id, "deviceID" as number from device where id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/**
 * Those of these identifiers (lower case) that belong to devices visible to the session. Rows: one per
 * identifier, by `device_numbered`.
 */
export async function visibleNumbers(
  db: Db,
  scope: Scope,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ number: string }>`
    select lower("deviceID") as number from device
    where id = any(array(select device_numbered(${scope.companyId}::int, ${[...numbers]}::text[])))
      and ${visibleDevices(scope)}`.execute(db);
  return new Set(rows.map(({ number }) => number));
}
