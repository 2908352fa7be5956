import type { ScheduleRules, TariffSchedule } from "@metrum/contract/core";
import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { storableJson, type Db } from "#core";

export interface StoredSchedule {
  readonly rules: ScheduleRules;
  readonly saved_at: Date;
}

/** Whether a device that came through `resolve` is in the archive or in the trash; locks it. */
export async function isPutAway(db: Db, id: DeviceId): Promise<boolean> {
  const row = await db
    .selectFrom("device")
    .select(["is_archived", "deleted_at"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined && (row.is_archived || row.deleted_at !== null);
}

/** Of a device that came through `resolve`; primary key. */
export async function scheduleOf(db: Db, id: DeviceId): Promise<StoredSchedule | undefined> {
  return db
    .selectFrom("device_schedule")
    .select(["rules", "saved_at"])
    .where("device_id", "=", id)
    .executeTakeFirst();
}

/** Tariff schedules stored for devices that came through `resolve` or a query with the scope; primary key. */
export async function storedTariffs(
  db: Db,
  ids: readonly DeviceId[],
): Promise<ReadonlyMap<number, TariffSchedule>> {
  const { rows } = await sql<{ device_id: number; tariff: TariffSchedule }>`
    select device_id, rules -> 'tariff' as tariff from device_schedule
    where device_id = any(${[...ids]}::int[]) and rules ? 'tariff'`.execute(db);
  return new Map(rows.map(({ device_id, tariff }) => [device_id, tariff]));
}

export async function put(
  db: Db,
  { company_id, device_id, rules }: { company_id: CompanyId; device_id: DeviceId; rules: ScheduleRules },
): Promise<void> {
  const values = { rules: storableJson(rules), saved_at: sql<Date>`now()` };
  await db
    .insertInto("device_schedule")
    .values({ company_id, device_id, ...values })
    .onConflict((conflict) => conflict.column("device_id").doUpdateSet(values))
    .execute();
}

export async function remove(db: Db, id: DeviceId): Promise<void> {
  await db.deleteFrom("device_schedule").where("device_id", "=", id).execute();
}
