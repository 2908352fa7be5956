import type { DeviceState } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { storableJson, type Db } from "#core";

/** What a device has told of itself. */
export interface ToldStatus {
  readonly state: DeviceState;
  /** When each part was told, epoch seconds by key. */
  readonly told_at: Readonly<Record<string, number>>;
}

const tables = [
  { of: "device", status: "device_status", id: "device_id" },
  { of: "gateway", status: "gateway_status", id: "gateway_id" },
] as const;

/** Groups of which a device tells one part at a time. */
const groups = ["lartech_settings", "mg08", "gateway_settings"] as const;
const mergedGroup = (group: (typeof groups)[number]): RawBuilder<unknown> => sql`case
  when excluded.state ? ${group} then jsonb_build_object(${group}::text,
    coalesce(former.state -> ${group}, '{}') || (excluded.state -> ${group}))
  else '{}' end`;

/** Adds what a device or gateway has just told; parts of which it says nothing are kept. */
export async function noteStatus(db: Db, id: number, told: DeviceState, at: number): Promise<void> {
  const times = Object.fromEntries(Object.keys(told).map((key) => [key, at]));
  for (const table of tables)
    await sql`
      insert into ${sql.table(table.status)} as former (${sql.ref(table.id)}, state, told_at)
      select id, ${storableJson(told)}::jsonb, ${storableJson(times)}::jsonb from ${sql.table(table.of)} where id = ${id}
      on conflict (${sql.ref(table.id)}) do update set
        state = former.state || excluded.state || ${sql.join(groups.map(mergedGroup), sql` || `)},
        told_at = former.told_at || excluded.told_at`.execute(db);
}

/** What these devices and gateways have told, by id. One row each, by primary key. */
export async function statusOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, ToldStatus>> {
  const { rows } = await sql<ToldStatus & { id: number }>`
    select device_id as id, state, told_at from device_status where device_id = any(${[...ids]}::int[])
    union all
    select gateway_id, state, told_at from gateway_status where gateway_id = any(${[...ids]}::int[])`.execute(
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
