import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { sealedNames } from "./secretStore.ts";

/** A device with its settings; of its secrets only their names. */
export interface NumberedDevice {
  readonly id: DeviceId;
  readonly company_id: CompanyId;
  readonly model_id: number;
  readonly name: string;
  readonly impulse_weight: number;
  readonly starting_value: number;
  readonly transformation_ratio: number;
  readonly report_period_update: number;
  readonly secrets: readonly string[];
}

/**
 * Devices with this number in any company, or in one, locked until the transaction ends; unscoped. Rows: one
 * per company, index device_by_network_id.
 */
export async function devicesNumbered(db: Db, number: string, companyId?: number): Promise<NumberedDevice[]> {
  const { rows } = await sql<Omit<NumberedDevice, "secrets">>`
    select id, company_id, model_id, name, impulse_weight, starting_value, transformation_ratio, report_period_update
    from device where lower("deviceID") = ${number.toLowerCase()} and deleted_at is null
      and company_id = coalesce(${companyId ?? null}::int, company_id)
    order by id for update`.execute(db);
  const found: NumberedDevice[] = [];
  for (const row of rows) found.push({ ...row, secrets: await sealedNames(db, row.id) });
  return found;
}
