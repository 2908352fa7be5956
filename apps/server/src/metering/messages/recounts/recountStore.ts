import { quarantineStates } from "@metrum/contract/metering";
import { sources, type DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { dayText, type Day } from "#core";
import { estimateMark, int4Array, type ByField } from "../rows/index.ts";
import { mostAttempts, type DueKind } from "../due/index.ts";
import type { TimeSpan } from "./difference.ts";

type Client = pg.ClientBase | pg.Pool;

/** Devices whose numbers are recounted: all but those that are being removed. */
const which = (isVirtual: boolean): string =>
  `d.removed_at is null and ($1::int4 is null or d.company_id = $1)${
    isVirtual ? " and exists (select from virtual_source s where s.virtual_id = d.id)" : ""
  }`;

/** Rows: all devices, once a run. */
export async function countDevices(client: Client, companyId?: number, isVirtual = false): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from device d where ${which(isVirtual)}`,
    [companyId ?? null],
  );
  return rows[0]?.n ?? 0;
}

/** Some hundred devices by the primary key. */
export async function devicesAfter(
  client: Client,
  of: { readonly after: number; readonly companyId?: number | undefined; readonly isVirtual?: boolean },
): Promise<DeviceId[]> {
  const { rows } = await client.query<{ id: DeviceId }>(
    `select d.id from device d where ${which(of.isVirtual ?? false)} and d.id > $2::int4 order by d.id limit 200`,
    [of.companyId ?? null, of.after],
  );
  return rows.map(({ id }) => id);
}

/** Times of the first and the last message of devices, and their first and last stored day. Rows: keys of them all. */
export async function extentOf(
  client: Client,
  ids: readonly number[],
): Promise<{ from: number | null; to: number | null; first: Day | null; last: Day | null }> {
  const { rows } = await client.query<{
    from: number | null;
    to: number | null;
    first: Day | null;
    last: Day | null;
  }>({
    name: "recounts-extent",
    text: `select m.*, d.* from
      (select min(ts) as from, max(ts) as to from message where device_id = any($1::int4[])) m,
      (select min(day) - '1970-01-01'::date as first, max(day) - '1970-01-01'::date as last
        from reading_day where device_id = any($1::int4[])) d`,
    values: [int4Array(ids)],
  });
  return rows[0] ?? { from: null, to: null, first: null, last: null };
}

/** A message with what a recount needs of it. */
export interface PartRow {
  readonly msg_type: number;
  readonly ts: number;
  readonly status: number;
  readonly source: number;
  readonly field_set_id: number;
  readonly v: string;
  readonly by_field: ByField | null;
  /** Calculated, but of no reading: the estimate of a missing value. */
  readonly is_estimate: boolean;
}

/** All messages of a device in a part, both ends inclusive, by type and time. Index: primary key of message. */
export async function partRows(
  client: Client,
  { id, from, to }: { readonly id: number; readonly from: number; readonly to: number },
): Promise<PartRow[]> {
  const { rows } = await client.query<PartRow>({
    name: "recounts-messages",
    text: `select msg_type, ts, status, source, field_set_id, v::text as v, by_field,
        coalesce(extra ? '${estimateMark}', false) as is_estimate
      from message where device_id = $1::int4 and ts >= $2::int8 and ts <= $3::int8 order by msg_type, ts`,
    values: [id, from, to],
  });
  return rows;
}

/** A row of `reading_day`. */
export interface StoredDay {
  readonly msg_type: number;
  readonly day: Day;
  readonly field_set_id: number;
  readonly hours: number;
  readonly n: number;
  readonly first_ts: number;
  readonly last_ts: number;
  readonly first: readonly (number | null)[];
  readonly last: readonly (number | null)[];
  readonly sum: readonly (number | null)[];
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  readonly value_n: readonly (number | null)[] | null;
  readonly value_first_ts: readonly (number | null)[] | null;
  readonly value_last_ts: readonly (number | null)[] | null;
}

/** Stored days of a device, both ends inclusive. Index: primary key of reading_day. */
export async function daysStored(
  client: Client,
  { id, from, to }: { readonly id: number; readonly from: Day; readonly to: Day },
): Promise<StoredDay[]> {
  const { rows } = await client.query<StoredDay>({
    name: "recounts-days",
    text: `select msg_type, day - '1970-01-01'::date as day, field_set_id, hours, n, first_ts, last_ts, first, last,
        sum, min, max, value_n, value_first_ts::float8[] as value_first_ts, value_last_ts::float8[] as value_last_ts
      from reading_day where device_id = $1::int4 and day >= $2::date and day <= $3::date`,
    values: [id, dayText(from), dayText(to)],
  });
  return rows;
}

/** Spans of devices that wait to be computed by a kind; those that failed too often wait no longer. */
export async function waitingSpans(
  client: Client,
  kind: DueKind,
  ids: readonly number[],
): Promise<TimeSpan[]> {
  const { rows } = await client.query<TimeSpan>({
    name: "recounts-due",
    text: `select from_ts as "from", to_ts as "to" from reading_due
      where kind = $1::int2 and device_id = any($2::int4[]) and attempts < ${String(mostAttempts)}`,
    values: [kind, int4Array(ids)],
  });
  return rows;
}

/** Whether all of a device waits to be counted in another zone. */
export async function isZoneDue(client: Client, id: number): Promise<boolean> {
  const { rows } = await client.query(
    `select from zone_due where device_id = $1::int4 and attempts < ${String(mostAttempts)}`,
    [id],
  );
  return rows.length > 0;
}

/** Message types and sets of a device, of messages and of latest values. Rows: keys of its messages. */
export async function setsUsed(
  client: Client,
  id: number,
): Promise<{ msg_type: number; field_set_id: number }[]> {
  const { rows } = await client.query<{ msg_type: number; field_set_id: number }>({
    name: "recounts-sets",
    text: `select distinct msg_type, field_set_id from message where device_id = $1::int4
      union select msg_type, field_set_id from device_latest where device_id = $1::int4 order by 1, 2`,
    values: [id],
  });
  return rows;
}

/** Times of a device in the list, and what they follow from. */
export interface DeviceTimes {
  readonly last_data_at: number | null;
  readonly silent_at: number | null;
  readonly warning_sec: number;
  /** The last receipt that its messages prove. */
  readonly received: number | null;
}

const { imported, calculated } = sources;
const receipt = (ts: string, at: string, source: string): string =>
  `case when ${source} <= ${String(imported)} or ($2 and ${source} = ${String(calculated)})
    then case when ${source} >= ${String(imported)} then least(${ts}, ${at}) else ${at} end end`;

/**
 * A receipt is that of a polled or pushed value; an imported one, or one of a virtual device, was there at its slot.
 * Rows: all messages of the device.
 */
export async function deviceTimes(
  client: Client,
  { id, isVirtual }: { readonly id: number; readonly isVirtual: boolean },
): Promise<DeviceTimes | undefined> {
  const { rows } = await client.query<DeviceTimes>({
    name: "recounts-times",
    text: `select s.last_data_at, s.silent_at, d.warning_report_period as warning_sec,
        greatest((select max(${receipt("ts", "ts + received_at_offset", "source")}) from message
            where device_id = $1::int4),
          (select max(${receipt("m.ts", "(o ->> 'received_at')::int8", "(o ->> 'source')::int2")}) from message m
            cross join lateral jsonb_path_query(m.by_field, '$.*') o
            where m.device_id = $1::int4 and m.by_field is not null)) as received
      from device d join device_state s on s.device_id = d.id where d.id = $1::int4`,
    values: [id, isVirtual],
  });
  return rows[0];
}

/** The definition of a virtual device, by primary key. */
export async function propertiesOf(
  client: Client,
  id: number,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { rows } = await client.query<{ properties: Readonly<Record<string, unknown>> }>(
    "select properties from device where id = $1::int4 and removed_at is null",
    [id],
  );
  return rows[0]?.properties;
}

export interface WaitingCounts {
  readonly stored: number;
  readonly counted: number;
  /** When the first of them was received. */
  readonly first: number | null;
}

/** Readings of a device that wait in quarantine. Rows: those of the device, by the primary key of its partitions. */
export async function waitingInQuarantine(client: Client, id: number): Promise<WaitingCounts> {
  const { rows } = await client.query<WaitingCounts>({
    name: "recounts-quarantine",
    text: `select coalesce((select waiting from quarantine_count where device_id = $1::int4), 0) as stored,
        count(*)::int as counted, min(received_at)::float8 as first
      from reading_quarantine where device_id = $1::int4 and state = ${String(quarantineStates.waiting)}`,
    values: [id],
  });
  return rows[0] ?? { stored: 0, counted: 0, first: null };
}
