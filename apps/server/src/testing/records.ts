import { baseStationModels, gatewayModels, meterModels } from "@metrum/catalogue";
import { sql } from "kysely";
import type { Db, ScopedKind, Services } from "#core";
import { issueLink, type LinkPurpose } from "#access/letters";
import { accountOf } from "#access/users";
import type { TestApi } from "./api.ts";
import { aClosedPeriod } from "./series/periods.ts";

/** One record of every kind of id received from outside. */
export type Records = Readonly<
  Record<
    | ScopedKind
    | "session"
    | "trashedDevice"
    | "trashedGateway"
    | "trashedBaseStation"
    | "rehearsedImport"
    | "doneImport"
    | "objectImport",
    number
  >
>;

export interface Fixture {
  readonly api: TestApi;
  /** Of the first client company, that of the engineer. */
  readonly ours: Records;
  /** Of the second client company, which users of the first may never see. */
  readonly theirs: Records;
  /** The dealer above both, a company below it without other use, and a deleted one. */
  readonly dealerCompany: number;
  readonly spareCompany: number;
  readonly deletedCompany: number;
  /** Tokens of letters, each usable once. */
  readonly tokens: { readonly activation: string; readonly find: string; readonly reset: string };
}

/** Creates one record of each kind in both client companies. */
export async function makeFixture(api: TestApi): Promise<Fixture> {
  return {
    api,
    ours: await recordsOf(api.services, api.companies.first),
    theirs: await recordsOf(api.services, api.companies.second),
    ...(await sparesOf(api)),
    tokens: await tokensOf(api.services),
  };
}

async function tokensOf({ database: { system }, clock }: Services): Promise<Fixture["tokens"]> {
  const tokenOf = async (email: string, purpose: LinkPurpose): Promise<string> => {
    const account = await accountOf(system, email);
    if (!account) throw new Error(`no account ${email}`);
    return issueLink(system, { userId: account.id, purpose, validSec: 3600, nowSec: clock.now() });
  };
  return {
    activation: await tokenOf("engineer2@metrum.example", "activation"),
    find: await tokenOf("dealer@metrum.example", "reset"),
    reset: await tokenOf("api@metrum.example", "reset"),
  };
}

async function sparesOf({ services: { database }, companies }: TestApi) {
  const { rows } = await sql<Pick<Fixture, "dealerCompany" | "spareCompany" | "deletedCompany">>`
    with dealer as (
      select id, path from company where id = (select parent_id from company where id = ${companies.first})
    ), made as (
      select n, nextval('company_id_seq')::int as id from generate_series(1, 2) n
    ), company_row as (
      insert into company (id, parent_id, path, name, active_modules, is_active, deleted_at)
      select made.id, dealer.id, dealer.path || made.id::text, 'Spare ' || n, '[]', n = 1, case n when 2 then now() end
      from made, dealer
    )
    select (select id from dealer) as "dealerCompany", (select id from made where n = 1) as "spareCompany",
      (select id from made where n = 2) as "deletedCompany"
  `.execute(database.system);
  const [row] = rows;
  if (!row) throw new Error("no spare companies");
  return row;
}

/** Any model of the catalogue: tests of rights do not depend on it. */
const [meter] = meterModels;
const [gateway] = gatewayModels;
const [station] = baseStationModels;

/** Source of a codec that decodes anything. */
export const aCodec = "function decodeUplink(input) { return { data: { in1: input.bytes[0] } }; }";

async function recordsOf({ database: { system } }: Services, company: number): Promise<Records> {
  const { rows } = await sql<Omit<Records, AccountingKind | ImportKind | "settlementPeriod">>`
    with gateway_row as (
      insert into gateway (company_id, model_id, interface_id, name, device_id)
      values (${company}, ${gateway?.id}, 1, 'Gateway', ${`imei-${String(company)}`}) returning id
    ), station as (
      insert into base_station (company_id, model_id, name, device_id)
      values (${company}, ${station?.id}, 'Base station', ${`eui-${String(company)}`}) returning id
    ), trashed_gateway as (
      insert into gateway (company_id, model_id, interface_id, name, device_id, deleted_at)
      values (${company}, ${gateway?.id}, 1, 'Former gateway', ${`former-imei-${String(company)}`}, now()) returning id
    ), trashed_station as (
      insert into base_station (company_id, model_id, name, device_id, deleted_at)
      values (${company}, ${station?.id}, 'Former base station', ${`former-eui-${String(company)}`}, now()) returning id
    ), meter as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", gateway_id)
      select ${company}, ${meter?.id}, ${meter?.title}, 4, ${meter?.deviceTypeId}, 1,
        'Meter', ${`serial-${String(company)}`}, id from gateway_row returning id
    ), trashed as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", deleted_at)
      select ${company}, ${meter?.id}, ${meter?.title}, 4, ${meter?.deviceTypeId}, 1,
        'Former meter', ${`former-${String(company)}`}, now() returning id
    ), group_row as (
      insert into access_group (company_id, name, access_rules) values (${company}, 'Test', '{}') returning id
    ), service_row as (
      insert into service (service_group_id, code, title) select min(id), 'test', '{"ru": "Т", "en": "T", "mn": "Т"}'
      from service_group on conflict (code) do update set code = excluded.code returning id
    ), company_service_row as (
      insert into company_service (company_id, service_id) select ${company}, id from service_row returning id
    ), export_row as (
      insert into company_service (company_id, service_id) select ${company}, id from service where code = 'almaty_su'
    ), codec_row as (
      insert into payload_codec (company_id, model_id, version, name, source_code, created_at)
      values (${company}, 301, 1, 'Codec', ${aCodec}, 1793491200) returning id
    ), server_row as (
      insert into network_server (company_id, kind, name, is_active, url, username)
      values (${company}, 'things', 'Server', false, 'mqtts://broker.example:8883', 'app@tenant') returning id
    ), task_row as (
      insert into device_task (company_id, title, command_type, status_id, created_at, expires_at)
      values (${company}, 'Task', 'poll', 4, 1793491200, 4102444800) returning id, created_at
    ), task_item as (
      insert into device_task_item (task_id, device_id, company_id, created_at, status_id, result)
      select t.id, meter.id, ${company}, t.created_at, 4, 1 from task_row t, meter
    ), poll_group_row as (
      insert into poll_group (company_id, name, model_id, connection_type, device_interface_id, report_period_update,
        warning_report_period, created_at)
      values (${company}, 'Group', ${meter?.id}, 'polled', 4, 3600, 10800, 1793491200) returning id
    ), view_row as (
      insert into list_view (company_id, list, name, state)
      values (${company}, 'devices', 'Silent meters', '{"q": "", "sort": null, "filters": {"state": ["silent"]}, "cols": null}')
      returning id
    ), object_row as (insert into object_node (company_id, name) values (${company}, 'Object') returning id
    ), session_row as (
      insert into session (token_hash, user_id, company_id, expires_at)
      select sha256(gen_random_uuid()::text::bytea), min(id), ${company}, now() + interval '1 day'
      from users where company_id = ${company} returning id
    )
    select ${company}::int as company, (select min(id) from users where company_id = ${company}) as "user",
      (select id from group_row) as "accessGroup", (select id from meter) as device,
      (select id from trashed_gateway) as "trashedGateway", (select id from trashed_station) as "trashedBaseStation",
      (select id from trashed) as "trashedDevice",
      (select id from gateway_row) as gateway, (select id from station) as "baseStation",
      (select id from company_service_row) as "companyService", (select id from session_row) as session,
      (select id from codec_row) as codec, (select id from server_row) as "networkServer",
      (select id from task_row) as task,
      (select id from poll_group_row) as "pollGroup",
      (select id from view_row) as "listView", (select id from object_row) as object
  `.execute(system);
  const [row] = rows;
  if (!row) throw new Error("no records");
  return {
    ...row,
    ...(await importsOf(system, company)),
    ...(await accountingRecordsOf(system, { company, device: row.device })),
    settlementPeriod: await aClosedPeriod(system, company),
  };
}

type ImportKind = "sheetImport" | "rehearsedImport" | "doneImport" | "objectImport";

/** An import of a spreadsheet in each state. */
async function importsOf(system: Db, company: number): Promise<Pick<Records, ImportKind>> {
  const { rows } = await sql<Pick<Records, ImportKind>>`
    with sheet_row as (
      insert into sheet_import (company_id, user_id, kind, file_name, state, headers, mapping, row_count, counts, created_at, worked_at)
      select ${company}, (select min(id) from users where company_id = ${company}),
        case state when 'interrupted' then 'objects' else 'devices' end, 'meters.csv', state,
        '["Number"]', '["deviceID"]', 1, '{"made": 0, "changed": 0, "same": 0, "refused": 0}', 1793491200, 1793491200
      from unnest(array['uploaded', 'rehearsed', 'done', 'interrupted']) as state
      returning id, state
    )
    select (select id from sheet_row where state = 'uploaded') as "sheetImport",
      (select id from sheet_row where state = 'rehearsed') as "rehearsedImport",
      (select id from sheet_row where state = 'done') as "doneImport",
      (select id from sheet_row where state = 'interrupted') as "objectImport"
  `.execute(system);
  const [row] = rows;
  if (!row) throw new Error("no imports");
  return row;
}

type AccountingKind =
  | "accountingPoint"
  | "exception"
  | "consumer"
  | "supplier"
  | "transformer"
  | "balanceGroup";

async function accountingRecordsOf(
  system: Db,
  { company, device }: Pick<Records, "company" | "device">,
): Promise<Pick<Records, AccountingKind>> {
  const { rows } = await sql<Pick<Records, AccountingKind>>`
    with point_row as (
      insert into accounting_point (company_id, name, resource_type_id, timezone)
      values (${company}, 'Point', 3, 'Asia/Ulaanbaatar') returning id
    ), exception_row as (
      insert into validation_exception (company_id, device_id, kind, field, msg_type, from_ts, to_ts, values_n, code, evidence,
        numbers, found_at)
      values (${company}, ${device}, 'spike', 'tariff0', 1, 1793490000, 1793490000, 1, 'spike', '{"values": 1, "times": 4}', '{}',
        1793491200) returning id
    ), consumer_row as (
      insert into consumer (company_id, name, subject_type_id, registration_number)
      values (${company}, 'Consumer', 2, '77') returning id
    ), supplier_row as (insert into supplier (company_id, name) values (${company}, 'Supplier') returning id
    ), transformer_row as (
      insert into transformer (company_id, title, kind, primary_value, secondary_value)
      values (${company}, 'Transformer', 'current', 100, 5) returning id
    ), balance_output as (
      insert into accounting_point (company_id, name, resource_type_id, timezone)
      values (${company}, 'Output', 3, 'Asia/Ulaanbaatar') returning id
    ), balance_row as (
      insert into balance_group (company_id, name, resource_type_id, allowed_imbalance, loss_rule)
      values (${company}, 'Substation', 3, 5, 'none') returning id
    ), balance_points as (
      insert into balance_group_point (group_id, company_id, point_id, role)
      select b.id, ${company}, m.id, m.role from balance_row b,
        (select id, 'in' as role from point_row union all select id, 'out' from balance_output) m
    )
    select (select id from point_row) as "accountingPoint", (select id from exception_row) as exception,
      (select id from consumer_row) as consumer, (select id from supplier_row) as supplier,
      (select id from transformer_row) as transformer, (select id from balance_row) as "balanceGroup"
  `.execute(system);
  const [row] = rows;
  if (!row) throw new Error("no records of accounting");
  return row;
}
