import { baseStationModels, gatewayModels, meterModels } from "@metrum/catalogue";
import type { CompanyId, UserId } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { startSession } from "#access/auth";
import type { Db } from "#core";
import type { TestApi } from "../api.ts";
import type { Records } from "../records.ts";

/** A company with its administrator, as used by the walking tests. */
export interface World {
  readonly name: string;
  readonly company: number;
  readonly parent: number | null;
  readonly path: string;
  readonly admin: number;
}

/**
 * Every relation that one company can have to another: child, sibling, parent, grandparent, demonstration, API-only,
 * another dealer and the child of that dealer. Each has an administrator who is no demonstration user.
 */
export async function makeWorlds({ services, companies }: TestApi): Promise<Record<string, World>> {
  const { system } = services.database;
  const { rows } = await sql<{ name: string; id: number }>`
    with dealer as (select id, parent_id from company where id = (select parent_id from company where id = ${companies.first})),
    made as (
      insert into company (id, parent_id, path, name, is_dealer, active_modules)
      select n.id, n.parent, n.path::ltree, n.name, n.name = 'other dealer',
        (select active_modules from company where id = ${companies.first})
      from (values (900001, (select parent_id from dealer), (select parent_id from dealer) || '.900001', 'other dealer'),
        (900002, 900001, (select parent_id from dealer) || '.900001.900002', 'child of another dealer'),
        (900003, ${companies.first}, (select path::text from company where id = ${companies.first}) || '.900003', 'child')
      ) as n (id, parent, path, name)
      returning id, name
    )
    select name, id from made
    union all select 'own', ${companies.first}
    union all select 'sibling', ${companies.second}
    union all select 'parent', id from dealer
    union all select 'provider', parent_id from dealer
    union all select 'demonstration', id from company where is_demo
    union all select 'API only', id from company where options ->> 'only_api' = 'true'`.execute(system);
  const worlds: Record<string, World> = {};
  for (const { name, id } of rows) worlds[name] = await worldOf(system, name, id);
  return worlds;
}

async function worldOf(system: Db, name: string, company: number): Promise<World> {
  const { rows } = await sql<{ admin: number; parent: number | null; path: string }>`
    with made as (
      insert into users (company_id, email, name, password_hash, is_admin, language)
      values (${company}, ${`owner-${String(company)}@victim.example`}, 'Owner', 'none', true, 'en') returning id
    )
    select made.id as admin, parent_id as parent, path::text as path from made, company where company.id = ${company}
  `.execute(system);
  const [row] = rows;
  if (!row) throw new Error(`no company ${name}`);
  return { name, company, ...row };
}

/** Text contained only in records of victims: an answer with it has leaked. */
export const mark = "Victim";

let made = 0;
const [meter] = meterModels;
/** A converter: it has its own line. */
const gateway = gatewayModels.find(
  ({ connection, interfaces }) => connection === "tcp_client" && interfaces.includes("RS_485"),
);
const [station] = baseStationModels;

/** An import of a spreadsheet in this state. */
function anImport(state: string, kind = "devices") {
  return ({ company, admin }: World, n: string): RawBuilder<{ id: number }> => sql`
    with made as (
      insert into sheet_import (company_id, user_id, kind, file_name, state, headers, mapping, row_count, counts, created_at, worked_at)
      values (${company}, ${admin}, ${kind}, ${`${mark} ${n}`}, ${state}, '["Number"]', '["deviceID"]', 1,
        '{"made": 0, "changed": 0, "same": 0, "refused": 0}', 1793491200, 1793491200) returning id
    ), row as (
      insert into sheet_import_row (import_id, company_id, row, cells) select id, ${company}, 2, jsonb_build_array(${mark}::text) from made
    )
    select id from made`;
}

/** Creators of a fresh record of each kind. */
const makers: Readonly<Record<keyof Records, (world: World, n: string) => RawBuilder<{ id: number }>>> = {
  company: ({ company, path }, n) => sql`
    with made as (select nextval('company_id_seq')::int as id)
    insert into company (id, parent_id, path, name, is_dealer, active_modules)
    select id, ${company}, (${path}::text || '.' || id)::ltree, ${`${mark} ${n}`}, true, '[]' from made returning id`,
  user: ({ company }, n) => sql`
    with made as (
      insert into users (company_id, email, name, password_hash, invited_at, language)
      values (${company}, ${`${mark}-${n}@victim.example`}, ${`${mark} ${n}`}, 'none', now(), 'en') returning id
    )
    insert into two_factor (user_id, secret, enabled_at) select id, 'sealed', now() from made returning user_id as id`,
  accessGroup: ({ company }, n) => sql`
    insert into access_group (company_id, name, access_rules) values (${company}, ${`${mark} ${n}`},
      '{"create": [], "read": [4], "update": [], "delete": [], "access_all": []}') returning id`,
  device: ({ company }, n) => sql`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
    values (${company}, ${meter?.id}, ${meter?.title}, 4, ${meter?.deviceTypeId}, 1, ${`${mark} ${n}`}, ${`${mark}-${n}`}) returning id`,
  trashedDevice: ({ company }, n) => sql`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", deleted_at)
    values (${company}, ${meter?.id}, ${meter?.title}, 4, ${meter?.deviceTypeId}, 1, ${`${mark} ${n}`}, ${`${mark}-${n}`}, now())
    returning id`,
  gateway: ({ company }, n) => sql`
    insert into gateway (company_id, model_id, interface_id, name, device_id, host, port)
    values (${company}, ${gateway?.id}, 1, ${`${mark} ${n}`}, ${`${mark}-${n}`}, '198.51.100.9', 5000) returning id`,
  trashedGateway: ({ company }, n) => sql`
    insert into gateway (company_id, model_id, interface_id, name, device_id, deleted_at)
    values (${company}, ${gateway?.id}, 1, ${`${mark} ${n}`}, ${`${mark}-${n}`}, now()) returning id`,
  trashedBaseStation: ({ company }, n) => sql`
    insert into base_station (company_id, model_id, name, device_id, deleted_at)
    values (${company}, ${station?.id}, ${`${mark} ${n}`}, ${`${mark}-${n}`}, now()) returning id`,
  baseStation: ({ company }, n) => sql`
    insert into base_station (company_id, model_id, name, device_id)
    values (${company}, ${station?.id}, ${`${mark} ${n}`}, ${`${mark}-${n}`}) returning id`,
  companyService: ({ company }, n) => sql`
    with made as (
      insert into service (service_group_id, code, title)
      select min(id), ${`victim_${n}`}, '{"ru": "Victim", "en": "Victim", "mn": "Victim"}' from service_group returning id
    )
    insert into company_service (company_id, service_id) select ${company}, id from made returning id`,
  codec: ({ company }, n) => sql`
    insert into payload_codec (company_id, model_id, version, name, source_code, created_at)
    select ${company}, 301, coalesce(max(version), 0) + 1, ${`${mark} ${n}`}, ${`// ${mark}`}, 1793491200
    from payload_codec where company_id = ${company} returning id`,
  networkServer: ({ company }, n) => sql`
    insert into network_server (company_id, kind, name, is_active, url, username)
    values (${company}, 'things', ${`${mark} ${n}`}, false, 'mqtts://broker.example:8883', ${mark}) returning id`,
  task: ({ company }, n) => sql`
    with made as (
      insert into device_task (company_id, title, command_type, status_id, created_at, expires_at)
      values (${company}, ${`${mark} ${n}`}, 'poll', 4, 1793491200, 4102444800) returning id, created_at
    ), asked as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      values (${company}, ${meter?.id}, ${meter?.title}, 4, ${meter?.deviceTypeId}, 1, ${`${mark} ${n}`}, ${`${mark}-${n}`}) returning id
    ), item as (
      insert into device_task_item (task_id, device_id, company_id, created_at, status_id, result)
      select made.id, asked.id, ${company}, created_at, 4, 1 from made, asked
    )
    select id from made`,
  pollGroup: ({ company }, n) => sql`
    insert into poll_group (company_id, name, model_id, connection_type, device_interface_id, report_period_update,
      warning_report_period, created_at)
    values (${company}, ${`${mark} ${n}`}, ${meter?.id}, 'polled', 4, 3600, 10800, 1793491200) returning id`,
  listView: ({ company }, n) => sql`
    insert into list_view (company_id, list, name, state)
    values (${company}, 'devices', ${`${mark} ${n}`}, ${`{"q": "${mark}", "sort": null, "filters": {}, "cols": null}`}::jsonb)
    returning id`,
  sheetImport: anImport("uploaded"),
  rehearsedImport: anImport("rehearsed"),
  doneImport: anImport("done"),
  objectImport: anImport("done", "objects"),
  object: ({ company }, n) => sql`
    insert into object_node (company_id, name) values (${company}, ${`${mark} ${n}`}) returning id`,
  accountingPoint: ({ company }, n) => sql`
    insert into accounting_point (company_id, name, resource_type_id, street, timezone)
    values (${company}, ${`${mark} ${n}`}, 3, ${mark}, 'Asia/Ulaanbaatar') returning id`,
  settlementPeriod: ({ company, admin }) => sql`
    with made as (
      insert into settlement_period (company_id, from_day, to_day, state, version, closed_at, closed_by)
      select ${company}, day, day, 'closed', 1, 1793491200, ${admin}
      from (select '2020-01-01'::date + count(*)::int as day from settlement_period where company_id = ${company}) d
      returning id
    ), version as (
      insert into period_version (period_id, company_id, version, kind, reason, made_at, user_id, points, lacking, estimated, digest)
      select id, ${company}, 1, 'close', ${mark}, 1793491200, ${admin}, 1, 0, 0, repeat('0', 64) from made
    ), total as (
      insert into period_total (period_id, version, company_id, point_id, field, name, resource_type_id, timezone, amount,
        estimated, length_sec, covered_sec, flags)
      select id, 1, ${company}, 1, 'main', ${mark}, 3, 'UTC', 73519.25, 0, 86400, 86400, 0 from made
    )
    select id from made`,
  consumer: ({ company }, n) => sql`
    insert into consumer (company_id, name, subject_type_id, address)
    values (${company}, ${`${mark} ${n}`}, 2, ${mark}) returning id`,
  supplier: ({ company }, n) => sql`
    insert into supplier (company_id, name) values (${company}, ${`${mark} ${n}`}) returning id`,
  transformer: ({ company }, n) => sql`
    insert into transformer (company_id, title, kind, primary_value, secondary_value)
    values (${company}, ${`${mark} ${n}`}, 'current', 100, 5) returning id`,
  balanceGroup: ({ company }, n) => sql`
    with made as (
      insert into balance_group (company_id, name, resource_type_id, allowed_imbalance, loss_rule, comment)
      values (${company}, ${`${mark} ${n}`}, 3, 5, 'none', ${mark}) returning id
    ), point as (
      insert into accounting_point (company_id, name, resource_type_id, timezone)
      values (${company}, ${`${mark} in ${n}`}, 3, 'Asia/Ulaanbaatar') returning id
    ), feeder as (
      insert into accounting_point (company_id, name, resource_type_id, timezone)
      values (${company}, ${`${mark} out ${n}`}, 3, 'Asia/Ulaanbaatar') returning id
    ), member as (
      insert into balance_group_point (group_id, company_id, point_id, role)
      select made.id, ${company}, m.id, m.role from made,
        (select id, 'in' as role from point union all select id, 'out' from feeder) m
    )
    select id from made`,
  exception: ({ company }, n) => sql`
    with doubted as (
      insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID")
      values (${company}, ${meter?.id}, ${meter?.title}, 4, ${meter?.deviceTypeId}, 1, ${`${mark} ${n}`}, ${`${mark}-${n}`}) returning id
    )
    insert into validation_exception (company_id, device_id, kind, field, msg_type, from_ts, to_ts, values_n, code, evidence, numbers, found_at)
    select ${company}, id, 'spike', 'tariff0', 1, 1793491200, 1793491200, 1, 'spike', '{"values": 1, "times": 4}', '{}', 1793491200
    from doubted returning id`,
  session: ({ company, admin }) => sql`
    insert into session (token_hash, user_id, company_id, expires_at, agent)
    values (sha256(gen_random_uuid()::text::bytea), ${admin}, ${company}, now() + interval '1 day', ${mark}) returning id`,
};

/** A fresh record of a kind in this company, with a marker in every readable field. */
export async function makeVictim({ services }: TestApi, world: World, kind: keyof Records): Promise<number> {
  const { rows } = await makers[kind](world, String(++made)).execute(services.database.system);
  const [row] = rows;
  if (!row) throw new Error(`no ${kind} for ${world.name}`);
  return row.id;
}

/** A record of each of these kinds, in the company of the world; the request for them reads no others. */
export async function makeVictims(
  api: TestApi,
  world: World,
  kinds: Iterable<keyof Records>,
): Promise<Records> {
  const records = new Map<keyof Records, number>([["company", world.company]]);
  for (const kind of kinds) if (!records.has(kind)) records.set(kind, await makeVictim(api, world, kind));
  return Object.fromEntries(records) as Records;
}

export async function tokenOf({ services }: TestApi, { company, admin }: World): Promise<string> {
  return startSession(services.database.system, {
    userId: admin as UserId,
    companyId: company as CompanyId,
    at: new Date(services.clock.nowMs()),
    address: "127.0.0.1",
    agent: "walk",
  });
}
