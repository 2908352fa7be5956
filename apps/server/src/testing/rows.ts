import { sql } from "kysely";
import type { TestApi } from "./api.ts";
import type { Fixture, Records } from "./records.ts";

/** A transparent port that was closed. */
export async function closedPort(api: TestApi, { company, device, user }: Records): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into transparent_port (company_id, device_id, user_id, session_id, address, line, process_id, state, asked_at, ends_at)
    values (${company}, ${device}, ${user}, 0, '127.0.0.1', 'modem:1', 1, 'closed', 0, 0) returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}

/** A letter that was given up. */
export async function letter({ api, ours }: Fixture): Promise<number> {
  const link = JSON.stringify({ link: "https://metrum.example/#/x" });
  const { rows } = await sql<{ id: number }>`
    insert into letter (company_id, recipient, language, kind, params, state, error)
    values (${ours.company}, 'e@metrum.example', 'en', 'reset', ${link}::jsonb, 'parked', '550 no') returning id
  `.execute(api.services.database.system);
  return rows[0]?.id ?? 0;
}

/** A network server of the company that other tests do not use. */
export async function spareServer(api: TestApi, { company }: Records): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into network_server (company_id, kind, name, is_active, url, username)
    values (${company}, 'actility', 'Gone', false, '', 'as') returning id`.execute(
    api.services.database.system,
  );
  return rows[0]?.id ?? 0;
}

/** A node below the object of these records, on the map, and their point at that object. */
export async function childObject({ api, ours }: Fixture): Promise<void> {
  const { system } = api.services.database;
  const address = JSON.stringify({ unrestricted_value: "Darkhan", coordinates: [49.4669, 105.9621] });
  await sql`insert into object_node (company_id, parent_id, name, address)
    values (${ours.company}, ${ours.object}, 'Child', ${address}::jsonb)`.execute(system);
  await sql`update accounting_point set object_id = ${ours.object} where id = ${ours.accountingPoint}`.execute(
    system,
  );
}
