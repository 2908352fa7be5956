import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** A device that a task is about to change. */
export interface ChangedDevice {
  readonly id: DeviceId;
  readonly name: string;
  readonly deviceID: string;
  readonly isDeleted: boolean;
  readonly isArchived: boolean;
  readonly modelId: number;
  readonly period: number;
  /** A poll group sets its period. */
  readonly isGrouped: boolean;
}

/** Whether a poll group sets the period of a device. */
export async function isInPollGroup(db: Db, id: DeviceId): Promise<boolean> {
  const { rows } = await sql`select from poll_group_device where device_id = ${id}`.execute(db);
  return rows.length > 0;
}

/** Devices of a company by id, locked until the transaction ends; primary keys. */
export async function devicesToChange(
  db: Db,
  companyId: CompanyId,
  ids: readonly DeviceId[],
): Promise<ChangedDevice[]> {
  const { rows } = await sql<ChangedDevice>`
    select id, name, "deviceID", deleted_at is not null as "isDeleted", is_archived as "isArchived", model_id as "modelId",
      report_period_update as period, exists (select from poll_group_device m where m.device_id = device.id) as "isGrouped"
    from device where company_id = ${companyId} and id = any(${[...ids]}::int[]) and removed_at is null
    order by id for no key update`.execute(db);
  return rows;
}
