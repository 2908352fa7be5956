import { sql } from "kysely";
import { storableJson } from "./storable.ts";
import type { Db } from "./database.ts";

/** The value that the installation stores under a key; undefined if none. Primary key. */
export async function remembered<Value>(system: Db, key: string): Promise<Value | undefined> {
  const { rows } = await sql<{ value: Value }>`
    select value from installation where key = ${key}`.execute(system);
  return rows[0]?.value;
}

/** Stores a value of the installation under a key, replacing the previous one. */
export async function remember(system: Db, key: string, value: unknown): Promise<void> {
  await sql`
    insert into installation (key, value) values (${key}, ${storableJson(value)}::jsonb)
    on conflict (key) do update set value = excluded.value, at = now()`.execute(system);
}

/** Stores a value under a key unless there is one. */
export async function rememberOnce(system: Db, key: string, value: unknown): Promise<void> {
  await sql`
    insert into installation (key, value) values (${key}, ${storableJson(value)}::jsonb)
    on conflict (key) do nothing`.execute(system);
}

export async function forget(system: Db, key: string): Promise<void> {
  await sql`delete from installation where key = ${key}`.execute(system);
}

/** Adds ids to the set stored under a key. */
export async function rememberAlso(system: Db, key: string, ids: readonly number[]): Promise<void> {
  await sql`
    insert into installation (key, value) values (${key}, ${JSON.stringify(ids)}::jsonb)
    on conflict (key) do update set at = now(), value = (
      select jsonb_agg(distinct id) from jsonb_array_elements(installation.value || excluded.value) as known (id)
    )`.execute(system);
}

/** Removes ids from the set stored under a key. */
export async function forgetSome(system: Db, key: string, ids: readonly number[]): Promise<void> {
  await sql`
    update installation set at = now(), value = (
      select coalesce(jsonb_agg(id), '[]') from jsonb_array_elements(value) as known (id)
      where id <> all(${ids}::int[]::text[]::jsonb[])
    ) where key = ${key}`.execute(system);
}

/** Whether the table exists: it does not before 0006-installation. */
export async function canRemember(system: Db): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('installation') is not null as there`.execute(system);
  return rows[0]?.there ?? false;
}

/** Whether the database holds anything that only the key file opens. Each table is looked into for one row. */
export async function holdsSealed(system: Db): Promise<boolean> {
  const { rows } = await sql<{ sealed: boolean }>`
    select exists (select from two_factor) or exists (select from device_secret)
      or exists (select from gateway_secret) or exists (select from network_server where sealed is not null)
      or exists (select from network_session where webhook_key is not null) as sealed`.execute(system);
  return rows[0]?.sealed ?? false;
}
