import type { BaseStationId } from "@metrum/vocabulary";
import { sql, type Insertable, type Updateable } from "kysely";
import type { Db, Scope } from "#core";
import type { Carrier, CarrierColumns } from "#metering/gateways";
import type { BaseStationTable } from "./tables.ts";

/** Adds a base station. Errors: a unique violation when the company has its number. */
export async function insertBaseStation(db: Db, row: Insertable<BaseStationTable>): Promise<BaseStationId> {
  const { id } = await db.insertInto("base_station").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Changes a base station that came through `resolve`. Errors: as those of adding one. */
export async function changeBaseStation(
  db: Db,
  id: BaseStationId,
  change: Omit<Updateable<BaseStationTable>, "id" | "company_id">,
): Promise<void> {
  if (Object.keys(change).length > 0)
    await db.updateTable("base_station").set(change).where("id", "=", id).execute();
}

/** Serialises the changes of a base station that came through `resolve`. */
export async function lockBaseStation(db: Db, id: BaseStationId): Promise<void> {
  await sql`select from base_station where id = ${id} for no key update`.execute(db);
}

/** Base stations that came through the session, locked until the transaction ends; primary keys. */
export async function lockStations(db: Db, ids: readonly BaseStationId[]): Promise<Carrier<BaseStationId>[]> {
  const { rows } = await sql<Carrier<BaseStationId>>`
    select id, name, device_id, is_active as "isActive", is_archived as "isArchived",
      deleted_at is not null as "isDeleted"
    from base_station where id = any(${[...ids]}::int[]) order by id for no key update`.execute(db);
  return rows;
}

/** Changes base stations that are locked. */
export async function putStations(
  db: Db,
  ids: readonly BaseStationId[],
  columns: CarrierColumns,
): Promise<void> {
  await db
    .updateTable("base_station")
    .set(columns)
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .execute();
}

/** Those of these numbers that a base station of the company outside the trash has. Index base_station_number. */
export async function takenNumbers(
  db: Db,
  { companyId }: Scope,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ number: string }>`
    select number from unnest(${[...numbers]}::text[]) as number
    where number <> '' and exists (
      select from base_station
      where company_id = ${companyId} and lower(device_id) = lower(number) and device_id <> '' and deleted_at is null
    )`.execute(db);
  return new Set(rows.map(({ number }) => number));
}

/** Deletes a base station that came through `resolve`; devices and gateways have left it before. */
export async function deleteBaseStation(db: Db, id: BaseStationId): Promise<void> {
  await sql`delete from base_station where id = ${id}`.execute(db);
}

/** Deletes base stations that came through `resolve` and are used by nothing. */
export async function deleteBaseStations(
  db: Db,
  ids: readonly BaseStationId[],
): Promise<{ readonly id: BaseStationId; readonly name: string; readonly device_id: string }[]> {
  return db
    .deleteFrom("base_station")
    .where("id", "in", ids)
    .returning(["id", "name", "device_id"])
    .execute();
}

/** Number of base stations of a company, its trash included. Index base_station_company_id_idx. */
export async function stationsOfCompany(db: Db, { companyId }: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from base_station where company_id = ${companyId}`.execute(db);
  return rows[0]?.n ?? 0;
}
