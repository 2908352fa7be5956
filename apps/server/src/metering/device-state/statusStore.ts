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

/** What a device or gateway has just told of itself. */
export interface Told {
  readonly id: number;
  readonly state: DeviceState;
}

/** Adds what devices and gateways have just told; parts of which they say nothing are kept. */
export async function noteStatuses(db: Db, told: readonly Told[], at: number): Promise<void> {
  const one = new Map(told.toReversed().map((each) => [each.id, each]));
  if (one.size === 0) return;
  const first = [...one.values()];
  const times = first.map(({ state }) => Object.fromEntries(Object.keys(state).map((key) => [key, at])));
  for (const table of tables)
    await sql`
      insert into ${sql.table(table.status)} as former (${sql.ref(table.id)}, state, told_at)
      select known.id, told.state, told.told_at
      from unnest(${first.map(({ id }) => id)}::int[], ${first.map(({ state }) => storableJson(state))}::jsonb[],
        ${times.map(storableJson)}::jsonb[]) as told (id, state, told_at)
      join ${sql.table(table.of)} known on known.id = told.id
      order by known.id
      on conflict (${sql.ref(table.id)}) do update set
        state = former.state || excluded.state || ${sql.join(groups.map(mergedGroup), sql` || `)},
        told_at = former.told_at || excluded.told_at`.execute(db);
  // One statement changes a row once: what a device has told next is added by another one.
  await noteStatuses(
    db,
    told.filter((each) => one.get(each.id) !== each),
    at,
  );
}

/** The same of one device or gateway. */
export const noteStatus = (db: Db, id: number, state: DeviceState, at: number): Promise<void> =>
  noteStatuses(db, [{ id, state }], at);

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
