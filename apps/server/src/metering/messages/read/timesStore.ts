import { messageTypeIds, sources, statuses, type DeviceId } from "@metrum/vocabulary";
import { int2Array, int4Array, int8Array, parseValues } from "../rows/index.ts";
import { ask, type Reader } from "./ask.ts";
import type { Period } from "./periodStore.ts";

/** The time of a row. */
export interface TypeTime {
  readonly msg_type: number;
  readonly ts: number;
}

/**
 * Times of the rows of a device in a period, both ends inclusive, by time; or of them those alone that the device has
 * sent or a person has entered. Rows: 48 a day for half-hours. Index: primary key of message, the partitions of the
 * period.
 */
export async function timesOf(
  reader: Reader,
  of: { readonly deviceId: number; readonly types: readonly number[] } & Pick<Period, "from" | "to">,
  which: "all" | "given" = "all",
): Promise<TypeTime[]> {
  const rows = await ask<TypeTime>(reader, {
    name: `messages-times-${which}`,
    text: `select msg_type, ts from message
      where device_id = $1::int4 and msg_type = any($2::int2[]) and ts >= $3::int8 and ts <= $4::int8
        ${which === "given" ? `and source <> ${String(sources.calculated)}` : ""}`,
    values: [of.deviceId, int2Array(of.types), of.from, of.to],
  });
  return rows.sort((a, b) => a.ts - b.ts);
}

/** The first or last row of a type of a device in a period: `k` and `t` name both, $3 and $4 the period. */
const end = (order: "asc" | "desc"): string => `(
  select ts from message where device_id = k.device_id and msg_type = t.msg_type and ts >= $3::int8 and ts <= $4::int8
  order by ts ${order} limit 1)`;
const devicesAndTypes = "unnest($1::int4[]) as k(device_id) cross join unnest($2::int2[]) as t(msg_type)";

const valuesOf = ({ deviceIds, types = messageTypeIds, from, to }: Period): unknown[] => [
  int4Array(deviceIds),
  int2Array(types),
  from,
  to,
];

/**
 * Time of the first row of devices in a period; undefined: there is none. Rows: one a device and type, by the primary
 * key of message, forwards over the partitions of the period.
 */
export async function firstTime(reader: Reader, period: Period): Promise<number | undefined> {
  const [row] = await ask<{ readonly ts: number | null }>(reader, {
    name: "messages-first",
    text: `select min(m.ts) as ts from ${devicesAndTypes} cross join lateral ${end("asc")} m`,
    values: valuesOf(period),
  });
  return row?.ts ?? undefined;
}

/** Times of the first and the last row of devices in a period. Rows: two a device and type, by the primary key of message. */
export async function firstAndLastTime(
  reader: Reader,
  period: Period,
): Promise<{ readonly from: number; readonly to: number } | undefined> {
  const [row] = await ask<{ readonly from: number | null; readonly to: number | null }>(reader, {
    name: "messages-first-last",
    text: `select min(f.ts) as from, max(l.ts) as to from ${devicesAndTypes}
      cross join lateral ${end("asc")} f cross join lateral ${end("desc")} l`,
    values: valuesOf(period),
  });
  if (!row || row.from === null || row.to === null) return undefined;
  return { from: row.from, to: row.to };
}

const untrusted = `(${String(statuses.suspect.id)}, ${String(statuses.rejected.id)})`;

/** Times of the rows of a device and type with a trusted value, ascending. */
export interface TrustedTimes {
  readonly device_id: DeviceId;
  readonly msg_type: number;
  readonly times: readonly number[];
}

/**
 * Times of rows with at least one trusted value, the end exclusive; types without any are absent. Rows: 48 a day and
 * device for half-hours; they arrive as one row a device and type. Index: primary key of message, the partitions of the
 * period.
 */
export async function trustedTimes(
  reader: Reader,
  wanted: readonly { readonly deviceId: DeviceId; readonly msgType: number }[],
  { from, to }: Pick<Period, "from" | "to">,
): Promise<TrustedTimes[]> {
  if (wanted.length === 0) return [];
  const rows = await ask<{ device_id: DeviceId; msg_type: number; times: string }>(reader, {
    name: "messages-times-trusted",
    text: `select m.device_id, m.msg_type, array_agg(m.ts order by m.ts)::text as times
      from unnest($1::int4[], $2::int2[]) as k(device_id, msg_type)
      join message m on m.device_id = k.device_id and m.msg_type = k.msg_type
      left join field_set s on s.id = m.field_set_id and m.by_field is not null
      where m.ts >= $3::int8 and m.ts < $4::int8 and case
        when m.by_field is null then m.status not in ${untrusted} and array_remove(m.v, null) <> '{}'
        else exists (
          select from unnest(s.fields, m.v) as f(name, value) where f.value is not null
            and coalesce((m.by_field -> f.name ->> 'status')::int, m.status) not in ${untrusted}) end
      group by m.device_id, m.msg_type`,
    values: [
      int4Array(wanted.map(({ deviceId }) => deviceId)),
      int2Array(wanted.map(({ msgType }) => msgType)),
      from,
      to,
    ],
  });
  return rows.map((row) => ({ ...row, times: parseValues(row.times).flatMap((ts) => ts ?? []) }));
}

/** A span of a device and type. Epoch seconds, the end exclusive. */
export interface TypeSpan {
  readonly deviceId: DeviceId;
  readonly msgType: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Times of the rows with values in spans; in a span without a trusted row their values failed a check. Rows: those found.
 * Index: primary key of message. The ids must come from a query on `device` in the same transaction.
 */
export async function valuedTimes(
  reader: Reader,
  spans: readonly TypeSpan[],
): Promise<{ device_id: DeviceId; msg_type: number; ts: number }[]> {
  if (spans.length === 0) return [];
  return ask(reader, {
    name: "messages-times-valued",
    text: `select m.device_id, m.msg_type, m.ts
      from unnest($1::int4[], $2::int2[], $3::int8[], $4::int8[]) as k(device_id, msg_type, since, until)
      join message m on m.device_id = k.device_id and m.msg_type = k.msg_type
        and m.ts >= k.since and m.ts < k.until and array_remove(m.v, null) <> '{}'`,
    values: [
      int4Array(spans.map(({ deviceId }) => deviceId)),
      int2Array(spans.map(({ msgType }) => msgType)),
      int8Array(spans.map(({ from }) => from)),
      int8Array(spans.map(({ to }) => to)),
    ],
  });
}
