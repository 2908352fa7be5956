import { statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { doubtedSec } from "./load.ts";

/** Two consecutive trusted values of a field, the second smaller than the first or larger by more than a load. */
export interface DoubtedStep {
  readonly name: FieldName;
  readonly ts: number;
  readonly value: number;
  readonly status: number;
  readonly ts0: number;
  readonly value0: number;
}

/** A counter with the growth a second that is never doubted. */
export interface DoubtedCounter {
  readonly name: FieldName;
  readonly load: number;
}

const readingsType = 1;
/** How far beyond the range neighbouring readings are searched. */
const reachSec = 62 * 86_400;

/**
 * Decreases and leaps in the readings of a device, in a range and at its ends, oldest first. Rows: those of the range,
 * 17,500 for two years of hourly readings; few are returned. Index: primary key of message.
 */
export async function doubtedSteps(
  db: Db,
  wanted: {
    readonly deviceId: DeviceId;
    readonly from: number;
    readonly to: number;
    readonly counters: readonly DoubtedCounter[];
  },
): Promise<DoubtedStep[]> {
  const { deviceId, from, to, counters } = wanted;
  const names = counters.map(({ name }) => name);
  const loads = counters.map(({ load }) => load);
  const statusOf = sql`coalesce((m.by_field -> f.name ->> 'status')::int, m.status)`;
  const own = sql`device_id = ${deviceId}::int and msg_type = ${readingsType}::smallint`;
  const { rows } = await sql<DoubtedStep>`
    with trusted as (
      select m.ts, f.name, f.load, m.v[array_position(s.fields, f.name)] as value, ${statusOf} as status
      from message m join field_set s on s.id = m.field_set_id
        cross join unnest(${names}::text[], ${loads}::float8[]) as f(name, load)
      where ${own} and m.v[array_position(s.fields, f.name)] is not null
        and ${statusOf} not in (${statuses.suspect.id}, ${statuses.rejected.id})
        and ts >= coalesce((select max(ts) from message where ${own} and ts >= ${from - reachSec}::bigint and ts < ${from}::bigint), ${from}::bigint)
        and ts <= coalesce((select min(ts) from message where ${own} and ts > ${to}::bigint and ts <= ${to + reachSec}::bigint), ${to}::bigint)
    ), steps as (
      select name, load, ts, value, status, lag(ts) over each as ts0, lag(value) over each as value0
      from trusted window each as (partition by name order by ts)
    )
    select name, ts, value, status, ts0, value0 from steps
    where value < value0 or value - value0 > load * greatest(ts - ts0, ${doubtedSec}::float8)
    order by ts`.execute(db);
  return rows;
}
