import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { storableText, type Db } from "#core";

/** The serial number that a device has named last, epoch seconds of the first and the last time in a row. */
export interface LastSerial {
  readonly serial: string;
  readonly since: number;
  readonly last_at: number;
}

/** A number that a device has named in a reply or an uplink. */
export interface NamedNumber {
  readonly deviceId: DeviceId;
  readonly serial: string;
  readonly at: number;
}

const mostCharacters = 64;
/** The same number is written anew once an hour at most: polls come every minute. */
const againSec = 3600;

/**
 * Keeps the number that each device has named last. An older message changes nothing. Rows: one a device, by
 * primary key.
 */
export async function noteSerials(db: Db, named: readonly NamedNumber[]): Promise<void> {
  const last = new Map<DeviceId, NamedNumber>();
  for (const each of named) {
    const other = last.get(each.deviceId);
    if (!other || each.at >= other.at) last.set(each.deviceId, each);
  }
  if (last.size === 0) return;
  const rows = [...last.values()].toSorted((a, b) => a.deviceId - b.deviceId);
  await sql`
    insert into device_serial as s (device_id, serial, since, last_at)
    select d.id, k.serial, k.at, k.at
    from unnest(${rows.map(({ deviceId }) => deviceId)}::int[],
      ${rows.map(({ serial }) => storableText(serial.trim().slice(0, mostCharacters)))}::text[],
      ${rows.map(({ at }) => at)}::bigint[]) as k (id, serial, at)
    join device d on d.id = k.id
    where k.serial <> ''
    order by d.id
    on conflict (device_id) do update set serial = excluded.serial, last_at = excluded.last_at,
      since = case when s.serial = excluded.serial then s.since else excluded.since end
    where excluded.last_at >= s.last_at
      and (s.serial <> excluded.serial or excluded.last_at >= s.last_at + ${againSec})`.execute(db);
}

/**
 * Whether the number of a device was last requested before an instant, or by a clock that was ahead; then it counts as
 * requested now.
 */
export async function takeSerialTurn(
  db: Db,
  { deviceId, at, before }: { readonly deviceId: DeviceId; readonly at: number; readonly before: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into device_serial as s (device_id, requested_at)
    select id, ${at}::bigint from device where id = ${deviceId}::int
    on conflict (device_id) do update set requested_at = excluded.requested_at
      where s.requested_at <= ${before}::bigint or s.requested_at > ${at}::bigint
    returning 1`.execute(db);
  return rows.length > 0;
}

/** The last numbers of devices, by id; one that has named none is absent. */
export async function lastSerials(
  db: Db,
  ids: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, LastSerial>> {
  const { rows } = await sql<LastSerial & { id: DeviceId }>`
    select device_id as id, serial, since, last_at from device_serial
    where device_id = any(${[...ids]}::int[]) and serial <> ''`.execute(db);
  return new Map(rows.map(({ id, ...serial }) => [id, serial]));
}
