import { meterModels } from "@metrum/catalogue";
import { interfaces, resourceByKey } from "@metrum/vocabulary";
import type { BenchApi } from "../api.ts";

type Pool = BenchApi["services"]["database"]["pool"];

/** Where the devices are put. */
interface Place {
  readonly services: { readonly database: { readonly pool: Pool } };
  readonly companyId: number;
}

export interface SeededList {
  readonly ids: readonly number[];
  readonly gatewayIds: readonly number[];
}

/**
 * A company of 100,000 devices behind so many gateways and one of 5,000, with their newest readings and five days of
 * hours.
 */
export async function seedList({ services, companyId }: Place, gateways = 500): Promise<SeededList> {
  const { pool } = services.database;
  const { rows } = await pool.query<{ id: number }>("select id from company where id <> $1 limit 1", [
    companyId,
  ]);
  await seedDevices(pool, companyId, { count: 100_000, gateways });
  await seedDevices(pool, rows[0]?.id ?? 0, { count: 5_000, gateways: 25 });
  await pool.query("vacuum analyze");
  const idsOf = async (text: string): Promise<number[]> =>
    (await pool.query<{ id: number }>(text, [companyId])).rows.map(({ id }) => id);
  return {
    ids: await idsOf("select id from device where company_id = $1 and deleted_at is null order by id"),
    gatewayIds: await idsOf("select id from gateway where company_id = $1 order by id"),
  };
}

/**
 * Added a year ago; 5% switched off, 5% archived, 2% in the trash; 3% that never reported, 10% silent.
 */
async function seedDevices(
  pool: Pool,
  companyId: number,
  { count, gateways }: { readonly count: number; readonly gateways: number },
): Promise<void> {
  await pool.query(
    `insert into gateway (company_id, model_id, interface_id, name, device_id)
      select $1::int, 501, 10, 'Gateway ' || n, $1::text || '-' || lpad(n::text, 12, '0') from generate_series(1, $2::int) n`,
    [companyId, gateways],
  );
  await pool.query(
    `with model as (
        select row_number() over () - 1 as at, * from unnest($3::int[], $4::text[], $5::int[], $6::int[], $7::text[], $8::int[])
          as m (id, title, device_group_id, device_type_id, resource, interface_id)
      ), modem as (select row_number() over () - 1 as at, id from gateway where company_id = $1)
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, gateway_id, name, place,
        "deviceID", is_active, is_archived, deleted_at, created_at)
      select $1, model.id, model.title, device_group_id, device_type_id, interface_id, modem.id,
        'Meter ' || resource || ' ' || (n * 7919) % 100003, 'Street ' || n % 1999 || ', house ' || n % 87,
        lpad(((n::bigint * 104729) % 99999989)::text, 8, '0'), n % 20 <> 1, n % 20 = 2, case when n % 50 = 3 then now() end,
        now() - interval '1 year'
      from generate_series(1, $2::int) n
      join model on model.at = (n * 31) % $9::int join modem on modem.at = n % $10::int`,
    [
      companyId,
      count,
      meterModels.map(({ id }) => id),
      meterModels.map(({ title }) => title),
      meterModels.map(({ resource }) => resourceByKey[resource].deviceGroupId),
      meterModels.map(({ deviceTypeId }) => deviceTypeId),
      meterModels.map(({ resource }) => resource),
      meterModels.map((model) => interfaces.find(({ name }) => name === model.interfaces[0])?.id ?? 7),
      meterModels.length,
      gateways,
    ],
  );
  const now = Math.floor(Date.now() / 1000);
  await pool.query(
    `update device_state set last_data_at = heard.at, silent_at = heard.at + 86400, next_poll_at = $2::int + 86400 + device_id % 3000
      from (select id, $2::int - id % 3000 - case when id % 10 = 7 then 86400 + id % 9000 else 0 end as at from device) heard
      where heard.id = device_id and company_id = $1 and device_id % 33 <> 5`,
    [companyId, now],
  );
  await pool.query("insert into field_set (fields) values ('{tariff0,tariff1}') on conflict do nothing");
  await pool.query(
    `insert into device_latest (device_id, msg_type, ts, received_at, field_set_id, status, source, v)
      select device_id, 1, last_data_at, last_data_at, field_set.id, 1, 1, array[device_id, device_id / 2.0]
      from device_state, field_set where company_id = $1 and last_data_at is not null and fields = '{tariff0,tariff1}'`,
    [companyId],
  );
  await pool.query(
    `insert into reading_day (device_id, msg_type, field_set_id, day, hours, n, first_ts, last_ts, first, last, sum, min, max)
      select device_id, 1, field_set.id, current_date - back, 16777215, 24, 0, 0, '{1,1}', '{2,2}', '{}', '{}', '{}'
      from device_state, field_set, generate_series(0, 4) back
      where company_id = $1 and last_data_at is not null and fields = '{tariff0,tariff1}'`,
    [companyId],
  );
}
