import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { visibleDevices, type Db, type DeviceScope } from "#core";

/** A device that a file may name by its id or by its number in lower case. */
export interface ImportDevice {
  readonly id: DeviceId;
  readonly modelId: number;
  readonly number: string;
  readonly zone: string;
}

/**
 * The visible devices with one of these ids or numbers. Rows: one per name, by primary key or
 * device_by_network_id.
 */
export async function devicesNamed(
  system: Db,
  scope: DeviceScope,
  { ids, numbers }: { readonly ids: readonly number[]; readonly numbers: readonly string[] },
): Promise<ImportDevice[]> {
  const { rows } = await sql<ImportDevice>`
    select id, model_id as "modelId", lower("deviceID") as number,
      coalesce(device.timezone, (select c.timezone from company c where c.id = device.company_id)) as zone
    from device
    where ${visibleDevices(scope)}
      and (id = any(${ids}::int[]) or lower("deviceID") = any(${numbers}::text[]))`.execute(system);
  return rows;
}
