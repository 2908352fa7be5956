import { fieldNames, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { sql } from "kysely";
import type pg from "pg";
import type { Db } from "#core";
import type { SeriesRow, SeriesWanted } from "../read/index.ts";

import type { Values } from "../rows/index.ts";
import { valuesOf, type Event } from "./events.ts";

const nameOf = (event: Pick<Event, "deviceId" | "ts" | "journal" | "code" | "digest" | "record">): string =>
  [event.deviceId, event.ts, event.journal, event.code, event.digest, event.record].join(" ");

const largestOffset = 2 ** 31 - 1;
const offset = (at: number, ts: number): number => Math.max(-largestOffset, Math.min(largestOffset, at - ts));

/**
 * Adds events not stored yet; returns for each whether it was new. One statement, by the primary key of
 * journal_event.
 */
export async function insertEvents(pool: pg.Pool, events: readonly Event[]): Promise<boolean[]> {
  const { rows } = await pool.query<{ name: string }>({
    name: "journal-insert",
    text: `insert into journal_event (device_id, ts, journal, code, digest, record, real_ts_offset, received_at_offset, status, source, params)
      select * from unnest($1::int4[], $2::int8[], $3::int2[], $4::int4[], $5::int8[], $6::int8[], $7::int4[], $8::int4[], $9::int2[],
        $10::int2[], $11::jsonb[])
      on conflict do nothing returning concat_ws(' ', device_id, ts, journal, code, digest, record) as name`,
    values: [
      events.map(({ deviceId }) => deviceId),
      events.map(({ ts }) => ts),
      events.map(({ journal }) => journal),
      events.map(({ code }) => code),
      events.map(({ digest }) => digest),
      events.map(({ record }) => record),
      events.map(({ meterAt, ts }) => (meterAt === null ? null : offset(meterAt, ts))),
      events.map(({ receivedAt, ts }) => offset(receivedAt, ts)),
      events.map(({ status }) => status),
      events.map(({ source }) => source),
      events.map(({ params }) => (params === null ? null : JSON.stringify(params))),
    ],
  });
  const added = new Set(rows.map(({ name }) => name));
  // Of equal ones in a batch the first is new.
  return events.map((event) => added.delete(nameOf(event)));
}

interface EventRow extends Pick<Event, "journal" | "code"> {
  readonly ts: number;
  readonly real: number | null;
  readonly received: number;
  readonly status: number;
  readonly source: number;
  readonly params: Values | null;
}

const columns = sql`ts, real_ts_offset as real, received_at_offset as received, status, source, journal, code, params`;

/**
 * The newest events of a device in a period, oldest first, those of one second in the order of journal, code
 * and record. Rows: at most `limit`. Index: primary key of journal_event, backwards, of the partitions of the
 * period.
 */
export async function readEvents(
  db: Db,
  { deviceId, from, to, limit }: Omit<SeriesWanted, "msgType">,
): Promise<SeriesRow[]> {
  const { rows } = await sql<EventRow>`
    select ${columns} from journal_event
    where device_id = ${deviceId}::int and ts >= ${from}::bigint and ts <= ${to}::bigint
    order by ts desc, journal desc, code desc, digest desc, record desc limit ${limit}::int`.execute(db);
  return rows.reverse().map(shown);
}

/** The newest event of a device. One row, by the primary key. */
export async function readNewestEvent(db: Db, deviceId: DeviceId): Promise<SeriesRow | undefined> {
  const { rows } = await sql<EventRow>`
    select ${columns} from journal_event where device_id = ${deviceId}::int
    order by ts desc, journal desc, code desc, digest desc, record desc limit 1`.execute(db);
  return rows.map(shown)[0];
}

function shown({ journal, code, params, ...row }: EventRow): SeriesRow {
  const values = valuesOf({ journal, code, params });
  const fields: FieldName[] = fieldNames.filter((name) => values[name] !== undefined);
  return {
    ...row,
    by_field: null,
    extra: null,
    set: { fields },
    v: fields.map((name) => values[name] ?? null),
  };
}
