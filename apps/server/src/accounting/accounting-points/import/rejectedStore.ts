import type { AccountingPointId, DeviceId, FieldName } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { containing, visiblePoints, type Db, type Scope } from "#core";
import { untrustedValues } from "#metering/messages";

/** A value of a point that is suspect or rejected. */
export interface RejectedRow {
  readonly point_id: AccountingPointId;
  readonly point_name: string;
  readonly device_id: DeviceId;
  readonly device_name: string;
  readonly deviceID: string;
  readonly device_group_id: number;
  readonly msg_type: number;
  readonly ts: number;
  readonly received_at: number;
  readonly field: FieldName;
  readonly value: number;
  readonly status: number;
  readonly source: number;
}

export interface RejectedPage {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
  readonly statuses: readonly number[];
  readonly point?: AccountingPointId | undefined;
  readonly search?: string | undefined;
  readonly sort_field: "datetime" | "accounting_point" | "device";
  readonly sort: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

const keys = {
  datetime: sql`found.ts`,
  accounting_point: sql`lower(found.point_name)`,
  device: sql`lower(found.device_name)`,
} as const;

/**
 * A page of the suspect and rejected values of all points that the session sees, each while its device measured it.
 * Rows: the untrusted ones of these devices, by message_untrusted of the partitions of the period.
 */
export async function rejectedPage(
  db: Db,
  scope: Scope,
  asked: RejectedPage,
): Promise<{ readonly total: number; readonly rows: RejectedRow[] }> {
  const direction = asked.sort === "asc" ? sql`asc` : sql`desc`;
  const { rows } = await sql<RejectedRow & { total: number }>`
    with found as materialized (${found(scope, asked)})
    select *, (select count(*)::int from found) as total from found
    order by ${keys[asked.sort_field]} ${direction}, ts desc, device_id, msg_type, field
    limit ${asked.limit} offset ${asked.offset}`.execute(db);
  if (rows.length > 0 || asked.offset === 0) return { total: rows[0]?.total ?? 0, rows };
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::int as n from (${found(scope, asked)}) found`.execute(db);
  return { total: counted[0]?.n ?? 0, rows };
}

function found(scope: Scope, asked: RejectedPage): RawBuilder<unknown> {
  const { from, to, point, search } = asked;
  const text = search ? containing(search.toLowerCase()) : undefined;
  return sql`
    select p.id as point_id, p.name as point_name, d.id as device_id, d.name as device_name, d."deviceID",
      d.device_group_id, m.msg_type, m.ts, m.received_at, m.field, m.value, m.status, m.source
    from accounting_point p
      join point_device pd on pd.point_id = p.id
      join device d on d.id = pd.device_id
      cross join lateral (${untrustedValues({ device: sql.ref("pd.device_id"), from, to, statuses: asked.statuses })}) m
    where ${visiblePoints(scope)} and m.ts >= pd.from_ts and (pd.to_ts is null or m.ts < pd.to_ts)
      ${point === undefined ? sql`` : sql`and p.id = ${point}::int`}
      ${text === undefined ? sql`` : sql`and (p.search like ${text} or d.search like ${text})`}`;
}
