import { sources, statuses } from "@metrum/vocabulary";
import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "#core";
import { counterTypes, int4Array, int8Array } from "../rows/index.ts";
import type { Point } from "./counter.ts";
import { loadSec, sampleSec, samplesOf } from "./load.ts";
import type { LoadAsked, ReadLoads } from "./loads.ts";

interface SampleRow extends Point {
  readonly n: number;
}

/** Spans before an instant as pairs: how long before it each begins and ends; the last one holds the instant. */
const spans = sampleSec.map((sec, n) => `(${String(sec)}, ${String(sampleSec[n + 1] ?? -1)})`).join(", ");
const untrusted = `${String(statuses.suspect.id)}, ${String(statuses.rejected.id)}`;

/** The first or last value in a span; what the platform has calculated follows from other values and is left out. */
const valueIn = (span: string, order: "asc" | "desc"): string => `
  select m.ts, m.v[array_position(s.fields, k.name)] as value
  from message m join field_set s on s.id = m.field_set_id
  where m.device_id = k.device_id and m.msg_type = t.msg_type and ${span}
    and m.v[array_position(s.fields, k.name)] is not null
    and coalesce((m.by_field -> k.name ->> 'status')::int, m.status) not in (${untrusted})
    and coalesce((m.by_field -> k.name ->> 'source')::int, m.source) <> ${String(sources.calculated)}
  order by m.ts ${order} limit 1`;

const samplesOfAsked = `
  cross join unnest(array[${counterTypes.join(", ")}]::int2[]) as t(msg_type)
  cross join lateral (
    (select m.* from (values ${spans}) as p(since, until) cross join lateral (${valueIn(
      "m.ts >= k.until - p.since and m.ts < k.until - p.until",
      "asc",
    )}) m)
    union all
    (${valueIn(`m.ts <= k.until and m.ts >= k.until - ${String(loadSec)}`, "desc")})
  ) m
  order by k.n, m.ts, t.msg_type`;

/**
 * The values that usual loads follow from. Rows: 52 a counter at most, each a search in its own span of the primary
 * key of message, so that the cost does not grow with how often a meter is read.
 */
export const readLoads =
  (client: pg.ClientBase | pg.Pool): ReadLoads =>
  async (asked) => {
    const { rows } = await client.query<SampleRow>({
      name: "messages-loads",
      text: `select k.n::int as n, m.ts, m.value
        from unnest($1::int4[], $2::text[], $3::int8[]) with ordinality as k(device_id, name, until, n)
        ${samplesOfAsked}`,
      values: [
        int4Array(asked.map(({ deviceId }) => deviceId)),
        asked.map(({ field }) => field),
        int8Array(asked.map(({ until }) => until)),
      ],
    });
    return byAsked(asked, rows);
  };

/** The same for a call. The ids come from rows that the session may see. */
export const loadsFor =
  (db: Db): ReadLoads =>
  async (asked) => {
    const { rows } = await sql<SampleRow>`
      select k.n::int as n, m.ts, m.value
      from unnest(${asked.map(({ deviceId }) => deviceId)}::int4[], ${asked.map(({ field }) => field)}::text[],
        ${asked.map(({ until }) => until)}::int8[]) with ordinality as k(device_id, name, until, n)
      ${sql.raw(samplesOfAsked)}`.execute(db);
    return byAsked(asked, rows);
  };

function byAsked(asked: readonly LoadAsked[], rows: readonly SampleRow[]): Point[][] {
  const found = asked.map((): Point[] => []);
  for (const { n, ts, value } of rows) found[n - 1]?.push({ ts, value });
  return found.map((points, at) => samplesOf(points, asked[at]?.until ?? 0));
}
