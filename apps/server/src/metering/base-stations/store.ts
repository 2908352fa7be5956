import type { BaseStationId } from "@metrum/vocabulary";
import type { Insertable } from "kysely";
import type { Db } from "#core";
import type { BaseStationTable } from "./tables.ts";

export async function insertBaseStation(db: Db, row: Insertable<BaseStationTable>): Promise<BaseStationId> {
  const { id } = await db.insertInto("base_station").values(row).returning("id").executeTakeFirstOrThrow();
  return id;
}
