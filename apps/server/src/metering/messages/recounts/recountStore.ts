import { quarantineStates } from "@metrum/contract/metering";
import type { DeviceId } from "@metrum/vocabulary";
import type pg from "pg";
import { dayText, type Day } from "#core";
import { int4Array } from "../rows/index.ts";
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

/** The first and the last stored day of devices. Rows: keys of their days. */
export async function extentOfDays(
  client: Client,
  ids: readonly number[],
): Promise<{ readonly first: Day | null; readonly last: Day | null }> {
  const { rows } = await client.query<{ first: Day | null; last: Day | null }>({
    name: "recounts-extent",
    text: `select min(day) - '1970-01-01'::date as first, max(day) - '1970-01-01'::date as last
      from reading_day where device_id = any($1::int4[])`,
    values: [int4Array(ids)],
  });
  return rows[0] ?? { first: null, last: null };
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

/** Times of a device in the list, and how long after the last data it is silent. */
export interface DeviceTimes {
  readonly last_data_at: number | null;
  readonly silent_at: number | null;
  readonly warning_sec: number;
}

/** One row, by primary key. */
export async function deviceTimes(client: Client, id: number): Promise<DeviceTimes | undefined> {
  const { rows } = await client.query<DeviceTimes>({
    name: "recounts-times",
    text: `select s.last_data_at, s.silent_at, d.warning_report_period as warning_sec
      from device d join device_state s on s.device_id = d.id where d.id = $1::int4`,
    values: [id],
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
