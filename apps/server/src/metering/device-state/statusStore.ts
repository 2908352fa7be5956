import type { DeviceState } from "@metrum/vocabulary";
import { sql } from "kysely";
import { storableJson, type Db } from "#core";

/** What a device has told of itself. */
export interface ToldStatus {
  readonly state: DeviceState;
  /** When each part was told, epoch seconds by key. */
  readonly told_at: Readonly<Record<string, number>>;
}

/** Adds what a device has just told; parts of which it says nothing are kept. */
export async function noteStatus(db: Db, deviceId: number, told: DeviceState, at: number): Promise<void> {
  const times = Object.fromEntries(Object.keys(told).map((key) => [key, at]));
  await sql`
    insert into device_status (device_id, state, told_at)
    select id, ${storableJson(told)}::jsonb, ${storableJson(times)}::jsonb from device where id = ${deviceId}
    on conflict (device_id) do update set
      state = device_status.state || excluded.state || case
        when excluded.state ? 'lartech_settings' then jsonb_build_object('lartech_settings',
          coalesce(device_status.state -> 'lartech_settings', '{}') || (excluded.state -> 'lartech_settings'))
        else '{}' end || case
        when excluded.state ? 'mg08' then jsonb_build_object('mg08',
          coalesce(device_status.state -> 'mg08', '{}') || (excluded.state -> 'mg08'))
        else '{}' end,
      told_at = device_status.told_at || excluded.told_at`.execute(db);
}

/** What these devices have told, by device. One row each, by primary key. */
export async function statusOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, ToldStatus>> {
  const { rows } = await sql<ToldStatus & { id: number }>`
    select device_id as id, state, told_at from device_status where device_id = any(${[...ids]}::int[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, ...status }) => [id, status]));
}

/** Settings that are forgotten; what the device does now (its relay, valve, limit, clock) is kept. */
const settings = [
  "vega_settings",
  "set_settings",
  "set_setpoint",
  "lartech_settings",
  "report_period",
  "measurement_mode",
  "complex_set",
  "setFrequency",
  "mg08",
];

/** Forgets the settings that a device has told. */
export async function clearSettings(db: Db, deviceId: number): Promise<void> {
  await sql`update device_status set state = state - ${settings}::text[], told_at = told_at - ${settings}::text[]
    where device_id = ${deviceId}`.execute(db);
}
