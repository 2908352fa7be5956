import { baseStationModels, gatewayModels, meterModels } from "@metrum/catalogue";
import { sql } from "kysely";
import type { ScopedKind, Services } from "#core";
import type { TestApi } from "./api.ts";

/** One record of every kind of id that comes from outside. */
export type Records = Readonly<Record<ScopedKind, number>>;

export interface Fixture {
  readonly api: TestApi;
  /** Of the first client company, that of the engineer. */
  readonly ours: Records;
  /** Of the second client company, which nobody of the first may ever see. */
  readonly theirs: Records;
}

/** Puts one record of each kind into both client companies. */
export async function makeFixture(api: TestApi): Promise<Fixture> {
  return {
    api,
    ours: await recordsOf(api.services, api.companies.first),
    theirs: await recordsOf(api.services, api.companies.second),
  };
}

/** Any model of the catalogue will do: tests of rights do not look into it. */
const [meter] = meterModels;
const [gateway] = gatewayModels;
const [station] = baseStationModels;

async function recordsOf({ database: { system } }: Services, company: number): Promise<Records> {
  const { rows } = await sql<Records>`
    with gateway_row as (
      insert into gateway (company_id, model_id, interface_id, name, device_id)
      values (${company}, ${gateway?.id}, 1, 'Gateway', ${`imei-${String(company)}`}) returning id
    ), station as (
      insert into base_station (company_id, model_id, name, device_id)
      values (${company}, ${station?.id}, 'Base station', ${`eui-${String(company)}`}) returning id
    ), meter as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", gateway_id)
      select ${company}, ${meter?.id}, ${meter?.title}, 4, ${meter?.deviceTypeId}, 1,
        'Meter', ${`serial-${String(company)}`}, id from gateway_row returning id
    ), group_row as (
      insert into access_group (company_id, name, access_rules) values (${company}, 'Test', '{}') returning id
    )
    select ${company}::int as company, (select min(id) from users where company_id = ${company}) as "user",
      (select id from group_row) as "accessGroup", (select id from meter) as device,
      (select id from gateway_row) as gateway, (select id from station) as "baseStation"
  `.execute(system);
  const [row] = rows;
  if (!row) throw new Error("no records");
  return row;
}
