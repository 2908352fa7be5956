import { sources, statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import { counterTypes, int4Array, int8Array, textArray } from "../rows/index.ts";
import { ask, type Reader } from "./ask.ts";

/** A value of a counter and its time, epoch seconds. */
interface CounterValue {
  readonly ts: number;
  readonly value: number;
}

/** A counter of a device up to an instant. */
export interface CounterAt {
  readonly deviceId: number;
  readonly field: FieldName;
  readonly until: number;
}

/** A part of the time before an instant, in seconds before it: from `since`, included, to `until`, excluded. */
export interface Before {
  readonly since: number;
  readonly until: number;
}

const untrusted = `(${String(statuses.suspect.id)}, ${String(statuses.rejected.id)})`;

/** The first or last value in a span; what the platform has calculated follows from other values and is left out. */
const valueIn = (span: string, order: "asc" | "desc"): string => `
  select m.ts, m.v[array_position(s.fields, k.name)] as value
  from message m join field_set s on s.id = m.field_set_id
  where m.device_id = k.device_id and m.msg_type = t.msg_type and ${span}
    and m.v[array_position(s.fields, k.name)] is not null
    and coalesce((m.by_field -> k.name ->> 'status')::int, m.status) not in ${untrusted}
    and coalesce((m.by_field -> k.name ->> 'source')::int, m.source) <> ${String(sources.calculated)}
  order by m.ts ${order} limit 1`;

/**
 * Trusted values of counters of many devices: the first of each of these spans before the instant, and the last one up
 * to it, in readings and archives; a list by time for each counter. Rows: a counter 4 times the spans and 4 at most, each
 * a search in its own span of the primary key of message, so that the cost does not grow with how often a meter is read.
 */
export async function counterSamples(
  reader: Reader,
  asked: readonly CounterAt[],
  spans: readonly Before[],
): Promise<CounterValue[][]> {
  const longest = Math.max(...spans.map(({ since }) => since));
  const parts = spans.map(({ since, until }) => `(${String(since)}, ${String(until)})`).join(", ");
  const first = valueIn("m.ts >= k.until - p.since and m.ts < k.until - p.until", "asc");
  const last = valueIn(`m.ts <= k.until and m.ts >= k.until - ${String(longest)}`, "desc");
  const rows = await ask<CounterValue & { readonly n: number }>(reader, {
    name: "messages-counter-samples",
    text: `select k.n::int as n, m.ts, m.value
      from unnest($1::int4[], $2::text[], $3::int8[]) with ordinality as k(device_id, name, until, n)
      cross join unnest(array[${counterTypes.join(", ")}]::int2[]) as t(msg_type)
      cross join lateral (
        (select m.* from (values ${parts}) as p(since, until) cross join lateral (${first}) m)
        union all (${last})
      ) m
      order by k.n, m.ts, t.msg_type`,
    values: [
      int4Array(asked.map(({ deviceId }) => deviceId)),
      textArray(asked.map(({ field }) => field)),
      int8Array(asked.map(({ until }) => until)),
    ],
  });
  const found = asked.map((): CounterValue[] => []);
  for (const { n, ts, value } of rows) found[n - 1]?.push({ ts, value });
  return found;
}

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

/** Counters of a device, and the range of their readings. */
export interface WantedSteps {
  readonly deviceId: DeviceId;
  readonly from: number;
  readonly to: number;
  readonly counters: readonly DoubtedCounter[];
}

/**
 * Decreases and leaps of counters in the readings of a device, in a range and at its ends, oldest first; two readings are
 * `leastSec` apart at least for a leap. Rows: those of the range, 17,500 for two years of hourly readings; few are
 * returned. Index: primary key of message.
 */
export async function stepsOfCounters(
  db: Db,
  { deviceId, from, to, counters, leastSec }: WantedSteps & { readonly leastSec: number },
): Promise<DoubtedStep[]> {
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
    where value < value0 or value - value0 > load * greatest(ts - ts0, ${leastSec}::float8)
    order by ts`.execute(db);
  return rows;
}
