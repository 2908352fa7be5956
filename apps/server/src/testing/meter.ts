import { meterModels } from "@metrum/catalogue";
import type { DeviceId } from "@metrum/vocabulary";
import type { TestApi } from "./api.ts";

/** An electricity meter of the engineer's company, in Berlin, with this transformer ratio. */
export async function addMeter(api: TestApi, ratio = 1, groupId = 4): Promise<DeviceId> {
  const { rows } = await api.services.database.pool.query<{ id: DeviceId }>(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", timezone, transformation_ratio)
      select company_id, $2, 'Model', $3, 3, 4, 'Meter', '1', 'Europe/Berlin', $1 from users where email = 'engineer@metrum.example' returning id`,
    [ratio, meterModels.find((model) => model.resource === "electricity")?.id, groupId],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error("no device was created");
  return id;
}
