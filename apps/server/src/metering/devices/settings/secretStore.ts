import type { SecretKind } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";

/** Keys are sealed as hexadecimal text. */
export type SecretName = SecretKind;

/** For a device that came through `resolve`, or unscoped; primary key. */
export async function putSealed(
  db: Db,
  { deviceId, name, sealed }: { deviceId: number; name: SecretName; sealed: Uint8Array },
): Promise<void> {
  await sql`
    insert into device_secret (device_id, name, sealed) values (${deviceId}, ${name}, ${sealed})
    on conflict (device_id, name) do update set sealed = excluded.sealed`.execute(db);
}

/** For a device that came through `resolve`; primary key. */
export async function removeSealed(db: Db, deviceId: number, name: SecretName): Promise<void> {
  await sql`delete from device_secret where device_id = ${deviceId} and name = ${name}`.execute(db);
}

/** Names of the secrets of a device, for forms that show that a secret is set; primary key. */
export async function sealedNames(db: Db, deviceId: number): Promise<SecretName[]> {
  const { rows } = await sql<{ name: SecretName }>`
    select name from device_secret where device_id = ${deviceId} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** The same for several devices, by id. */
export async function sealedNamesOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SecretName[]>> {
  const { rows } = await sql<{ device_id: number; names: SecretName[] }>`
    select device_id, array_agg(name order by name) as names from device_secret
    where device_id = any(${[...ids]}::int[]) group by device_id`.execute(db);
  return new Map(rows.map(({ device_id, names }) => [device_id, names]));
}

/** More than a 32-bit counter can hold. */
const endOfCounters = 2 ** 32;

/**
 * Reserves `count` numbers of one sequence, the first at least `atLeast`; undefined when that many are not
 * left. One statement: two concurrent callers get different numbers, as the second waits for the row lock of
 * the first. Primary key.
 */
export async function takeNumbers(
  db: Db,
  of: { deviceId: number; counter: string; atLeast: number; count: number },
): Promise<number | undefined> {
  const { deviceId, counter, atLeast, count } = of;
  if (atLeast + count > endOfCounters) return undefined;
  const { rows } = await sql<{ first: number }>`
    insert into device_counter as c (device_id, counter, next) values (${deviceId}, ${counter}, ${atLeast + count})
    on conflict (device_id, counter) do update set next = greatest(c.next, ${atLeast}::bigint) + ${count}::int
      where greatest(c.next, ${atLeast}::bigint) + ${count}::int <= ${endOfCounters}::bigint
    returning (next - ${count}::int)::float8 as first`.execute(db);
  return rows[0]?.first;
}
