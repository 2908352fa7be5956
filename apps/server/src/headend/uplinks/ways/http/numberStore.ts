import { sql } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";

/** Numbers of devices by our ids, which a query on `device` has just allowed. Rows: one an id, by primary key. */
export async function numbersOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; number: string }>`
    select id, "deviceID" as number from device where id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Those of these numbers (small letters) that belong to devices the session sees. Rows: one a number, by device_by_network_id. */
export async function visibleNumbers(
  db: Db,
  scope: Scope,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ number: string }>`
    select lower("deviceID") as number from device
    where lower("deviceID") = any(${[...numbers]}::text[]) and ${visibleDevices(scope)}`.execute(db);
  return new Set(rows.map(({ number }) => number));
}
