import { accessGroups, members } from "@metrum/contract/access";
import { mappings, pollGroups } from "@metrum/contract/headend";
import { codecs, type SheetKind, type SheetState } from "@metrum/contract/metering";
import { administration, simulation } from "@metrum/contract/platform";
import { sql } from "kysely";
import { aMapping, anEmail, aPollGroup } from "./bodies.ts";
import { aCodec, type Fixture } from "../records.ts";

const engineer = "engineer@metrum.example";
export const staff = "admin@metrum.example";

/** A code that platform staff have just requested. */
export async function entryCode({ api, ours }: Fixture): Promise<string> {
  const input = { params: { id: String(ours.company) } };
  const { data } = await api.ask(administration.enterCompany, { token: await api.token(staff), input });
  return data.entry_code;
}

/** A user of the company that other tests do not use. */
export async function aMember({ api }: Fixture): Promise<number> {
  const input = { body: { name: "Shift", email: anEmail() } };
  const { data } = await api.ask(members.create, { token: await api.token(engineer), input });
  return data.user.id;
}

/** A gateway or base station of the company that other tests do not use, in the trash or not. */
export async function aSpare(
  { api, ours }: Fixture,
  kind: "gateway" | "base_station",
  isDeleted: boolean,
): Promise<number> {
  const deletedAt = isDeleted ? sql`now()` : sql`null`;
  const { rows } =
    kind === "gateway"
      ? await sql<{ id: number }>`
          insert into gateway (company_id, model_id, interface_id, name, device_id, deleted_at)
          values (${ours.company}, 601, 10, 'Spare', gen_random_uuid()::text, ${deletedAt}) returning id`.execute(
          api.services.database.system,
        )
      : await sql<{ id: number }>`
          insert into base_station (company_id, model_id, name, device_id, deleted_at)
          values (${ours.company}, 701, 'Spare', gen_random_uuid()::text, ${deletedAt}) returning id`.execute(
          api.services.database.system,
        );
  const [row] = rows;
  if (!row) throw new Error(`no ${kind}`);
  return row.id;
}

/** A converter of the company that other tests do not use, with a line. */
export async function aConverter({ api, ours }: Pick<Fixture, "api" | "ours">): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into gateway (company_id, model_id, interface_id, name, device_id, host, port)
    values (${ours.company}, 603, 10, 'Spare', gen_random_uuid()::text, '198.51.100.7', 5000) returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}

/** A node of the objects tree that other tests do not use. */
export async function aNode({ api, ours }: Pick<Fixture, "api" | "ours">): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into object_node (company_id, name) values (${ours.company}, 'Spare') returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}

/** An accounting point of electricity of the company that other tests do not use. */
export async function aPoint({ api, ours }: Pick<Fixture, "api" | "ours">): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into accounting_point (company_id, name, resource_type_id, timezone, object_id)
    values (${ours.company}, 'Spare point', 3, 'Asia/Ulaanbaatar', ${ours.object}) returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}

/** The point of the company, measured by a device from 2026 on, whatever measured it before. */
export async function aMeasuredPoint(
  { api, ours }: Fixture,
  device: number = ours.device,
): Promise<{ point: number; device: number; tie: number }> {
  const { accountingPoint: point, company } = ours;
  const { system } = api.services.database;
  await sql`delete from point_device where point_id = ${point} or device_id = ${device}`.execute(system);
  const { rows } = await sql<{ id: number }>`
    insert into point_device (point_id, company_id, device_id, field, from_ts)
    values (${point}, ${company}, ${device}, 'tariff0', 1767225600) returning id`.execute(system);
  return { point, device, tie: rows[0]?.id ?? 0 };
}

/** A device of the company that other tests do not use, in the trash if `deleted`. */
export async function aSpareDevice({ api, ours }: Fixture, isDeleted: boolean): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into device (company_id, model_id, model_title, device_group_id, device_type_id, interface_id, name, "deviceID", deleted_at)
    values (${ours.company}, 101, 'SDM630-Modbus', 4, 3, 4, 'Spare', gen_random_uuid()::text, ${isDeleted ? sql`now()` : null})
    returning id`.execute(api.services.database.system);
  return rows[0]?.id ?? 0;
}

/** An attribute of the device that other tests do not use. */
export async function anAttribute({ api, ours }: Fixture): Promise<{ device_id: number; name: string }> {
  const named = { device_id: ours.device, name: anEmail() };
  await sql`insert into device_attribute (company_id, device_id, name, value)
    values (${ours.company}, ${named.device_id}, ${named.name}, '4')`.execute(api.services.database.system);
  return named;
}

/** The stored schedule of the device. */
export async function aSchedule({ api, ours }: Fixture): Promise<{ device_id: number; schedule_id: number }> {
  await sql`insert into device_schedule (company_id, device_id, rules)
    values (${ours.company}, ${ours.device}, '{}') on conflict do nothing`.execute(
    api.services.database.system,
  );
  return { device_id: ours.device, schedule_id: ours.device };
}

/** A codec version of the company that other tests do not use. */
export async function aVersion({ api }: Fixture): Promise<number> {
  const input = { body: { name: "Spare", model_id: 301, source_code: aCodec } };
  const { data } = await api.ask(codecs.save, { token: await api.token(engineer), input });
  return data.codec.id;
}

/** An access group of the company without users. */
export async function aGroup({ api }: Fixture): Promise<number> {
  const input = { body: { name: anEmail(), access_rules: {} } };
  const { data } = await api.ask(accessGroups.create, { token: await api.token(engineer), input });
  return data.access_group.id;
}

/** Topic of an otherwise unused mapping. */
export async function spareTopic({ api }: Fixture): Promise<string> {
  const topic = "gone/{device}";
  const input = { body: { name: "Gone", definition: { ...aMapping, topic } } };
  await api.ask(mappings.save, { token: await api.token(engineer), input });
  return topic;
}

/** A poll group of the company without devices. */
export async function sparePollGroup({ api }: Fixture): Promise<number> {
  const input = { body: aPollGroup([]) };
  const { data } = await api.ask(pollGroups.create, { token: await api.token(engineer), input });
  return data.poll_group.id;
}

/** A park of virtual devices in the company that other tests do not use. */
export async function aPark({ api, ours }: Fixture) {
  const input = { body: { company_id: ours.company, devices: 2 } };
  const { data } = await api.ask(simulation.start, { token: await api.token(staff), input });
  return data.id;
}

/** An import of a spreadsheet with one row that other tests do not use. */
export async function aSheetImport(
  { api, ours }: Fixture,
  state: SheetState,
  kind: SheetKind = "devices",
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into sheet_import (company_id, user_id, kind, file_name, state, headers, mapping, row_count, counts, created_at, worked_at)
      values (${ours.company}, ${ours.user}, ${kind}, 'meters.csv', ${state}, '["Number"]', '["deviceID"]', 1,
        '{"made": 0, "changed": 0, "same": 0, "refused": 0}', 1793491200, 1793491200) returning id
    ), row as (
      insert into sheet_import_row (import_id, company_id, row, cells) select id, ${ours.company}, 2, '["S-1"]' from made
    )
    select id from made`.execute(api.services.database.system);
  return rows[0]?.id ?? 0;
}

const parties = {
  consumer: sql`insert into consumer (company_id, name, subject_type_id, phone_number) select id, 'Spare', 1, '+97670001122'`,
  supplier: sql`insert into supplier (company_id, name) select id, 'Spare'`,
  transformer: sql`insert into transformer (company_id, title, kind, primary_value, secondary_value)
    select id, 'Spare', 'current', 100, 5`,
} as const;

/** A consumer, supplier or transformer of the company that other tests do not use. */
export async function aParty({ api, ours }: Pick<Fixture, "api" | "ours">, kind: keyof typeof parties) {
  const { rows } = await sql<{ id: number }>`
    ${parties[kind]} from company where id = ${ours.company} returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}
