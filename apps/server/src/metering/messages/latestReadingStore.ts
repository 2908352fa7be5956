import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { LatestOrigin } from "./latest.ts";
import type { ByField } from "./trust.ts";

/** The message type shown in a list for a device. */
const readingsType = 1;

/** The newest value of each field of a device; `ts` is that of its newest message. */
export interface LatestReading {
  readonly ts: number;
  readonly values: Readonly<Record<string, number | null>>;
  readonly status: number;
  readonly source: number;
  /** Time, status and source of the values that do not come from the newest message. */
  readonly by_field: ByField<LatestOrigin> | null;
}

interface LatestRow extends Omit<LatestReading, "values"> {
  readonly device_id: DeviceId;
  readonly fields: readonly string[];
  readonly v: readonly (number | null)[];
}

/**
 * Newest readings of the devices of one page. Rows: one per device, by the primary key of device_latest. The
 * ids must come from a query on `device` in the same transaction.
 */
export async function latestReadings(
  db: Db,
  ids: readonly DeviceId[],
): Promise<Map<DeviceId, LatestReading>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<LatestRow>`
    select l.device_id, l.ts, l.status, l.source, l.by_field, s.fields, l.v
    from device_latest l join field_set s on s.id = l.field_set_id
    where l.device_id = any(${ids}::int[]) and l.msg_type = ${readingsType}::smallint
  `.execute(db);
  return new Map(
    rows.map(({ device_id, fields, v, ...rest }) => [
      device_id,
      { ...rest, values: Object.fromEntries(fields.map((name, at) => [name, v[at] ?? null])) },
    ]),
  );
}
