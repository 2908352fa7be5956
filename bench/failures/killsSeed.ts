import { modelById } from "@metrum/catalogue";
import type { CompanyId } from "@metrum/vocabulary";
import { issueMqttCredentials, type MqttCredentials } from "../../apps/server/src/headend/channels/index.ts";
import type { Database } from "../../apps/server/src/core/index.ts";
import { owner } from "./killsServer.ts";
import { numberedModel } from "./killsVerdict.ts";

/** Devices with numbered readings, by transport. */
export interface Numbered {
  readonly companyId: CompanyId;
  readonly byMqtt: readonly string[];
  readonly byUdp: readonly string[];
  readonly byHttp: readonly string[];
  readonly credentials: MqttCredentials;
}

/** All in the company of the account that pushes over HTTP. */
export async function seedNumbered(
  database: Database,
  { byMqtt, bySockets }: { readonly byMqtt: number; readonly bySockets: number },
): Promise<Numbered> {
  const model = modelById(numberedModel);
  if (model?.kind !== "meter") throw new Error("the catalogue has no SI-11");
  const count = byMqtt + 2 * bySockets;
  const devEuis = Array.from({ length: count }, (_, n) =>
    (0xa1b2_0000_0000n + BigInt(n)).toString(16).padStart(16, "0"),
  );
  const { rows } = await database.pool.query<{ id: CompanyId }>(
    "select company_id as id from users where email = $1",
    [owner.email],
  );
  const companyId = rows[0]?.id;
  if (companyId === undefined) throw new Error("there is no first account");
  await database.pool.query(
    `insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      select $1, $2, $3, 1, $4, 7, eui, eui from unnest($5::text[]) eui`,
    [companyId, numberedModel, model.title, model.deviceTypeId, devEuis],
  );
  return {
    companyId,
    byMqtt: devEuis.slice(0, byMqtt),
    byUdp: devEuis.slice(byMqtt, byMqtt + bySockets),
    byHttp: devEuis.slice(byMqtt + bySockets),
    credentials: await issueMqttCredentials(database, companyId),
  };
}
