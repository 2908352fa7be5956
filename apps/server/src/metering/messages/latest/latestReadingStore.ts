import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { LatestOrigin } from "./latest.ts";
import { parseValues, type ByField } from "../rows/index.ts";

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
  /** JSON: rows share a few sets of fields. */
  readonly fields: string;
  readonly v: string;
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
    select l.device_id, l.ts, l.status, l.source, l.by_field, to_json(s.fields)::text as fields, l.v::text as v
    from device_latest l join field_set s on s.id = l.field_set_id
    where l.device_id = any(${`{${ids.join()}}`}::int[]) and l.msg_type = ${readingsType}::smallint
  `.execute(db);
  const known = new Map<string, readonly string[]>();
  const namesOf = (fields: string): readonly string[] => {
    const names = known.get(fields) ?? (JSON.parse(fields) as string[]);
    known.set(fields, names);
    return names;
  };
  return new Map(
    rows.map(({ device_id, ts, status, source, by_field, fields, v }) => {
      const numbers = parseValues(v);
      const values = Object.fromEntries(namesOf(fields).map((name, at) => [name, numbers[at] ?? null]));
      return [device_id, { ts, status, source, by_field, values }];
    }),
  );
}
