import { quarantineReasons, quarantineStates, type QuarantineReason } from "@metrum/contract/metering";
import { sql, type RawBuilder } from "kysely";
import { visibleDevices, type Db, type Scope } from "#core";
import type { Incoming } from "../rows/index.ts";

/** Identifies one reading in quarantine. */
export interface QuarantineKey {
  readonly device_id: number;
  readonly received_at: number;
  readonly msg_type: number;
  readonly ts: number;
  readonly n: number;
}

/** Filter; its device came through `resolve`. */
export interface QuarantineFilter {
  readonly device_id?: number | undefined;
  readonly reason?: QuarantineReason | undefined;
  readonly startDate?: number | undefined;
  readonly stopDate?: number | undefined;
}

export interface QuarantineRow {
  readonly device_id: number;
  readonly device_name: string;
  readonly deviceID: string;
  readonly device_group_id: number;
  readonly received_at: number;
  readonly msg_type: number;
  readonly ts: number;
  readonly n: number;
  readonly reason: number;
  readonly source: number;
  readonly state: number;
  readonly decided_at: number | null;
  readonly decided_by: string | null;
  readonly reading: Pick<Incoming, "values" | "extra" | "meterAt" | "status" | "reason">;
}

/** Condition of the index reading_quarantine_waiting, which is used only if it is repeated literally. */
const isWaiting = sql`q.state = ${sql.lit(quarantineStates.waiting)}`;

function matches({ device_id, reason, startDate, stopDate }: QuarantineFilter): RawBuilder<unknown> {
  return sql`${device_id === undefined ? sql`true` : sql`q.device_id = ${device_id}::int`}
    ${reason === undefined ? sql`` : sql`and q.reason = ${quarantineReasons[reason]}::smallint`}
    ${startDate === undefined ? sql`` : sql`and q.received_at >= ${startDate}::bigint`}
    ${stopDate === undefined ? sql`` : sql`and q.received_at <= ${stopDate}::bigint`}`;
}

/**
 * A page, the newest receipt first. Rows: those of the visible devices in this state, 200,000 waiting ones of
 * a company at most; index reading_quarantine_waiting, else the primary key.
 */
export async function quarantinePage(
  db: Db,
  scope: Scope,
  asked: QuarantineFilter & { readonly state: number; readonly limit: number; readonly offset: number },
): Promise<{ rows: QuarantineRow[]; total: number }> {
  const of = sql`from reading_quarantine q join device d on d.id = q.device_id
    where ${visibleDevices(scope, { as: "d" })} and q.state = ${sql.lit(asked.state)} and ${matches(asked)}`;
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n ${of}`.execute(db);
  const { rows } = await sql<QuarantineRow>`
    select page.*, u.name as decided_by from (
      select q.device_id, d.name as device_name, d."deviceID", d.device_group_id, q.received_at, q.msg_type, q.ts, q.n, q.reason, q.source, q.state,
        q.decided_at, q.decided_by as decided_by_id, q.reading ${of}
      order by q.received_at desc, q.device_id, q.msg_type, q.ts, q.n limit ${asked.limit}::int offset ${asked.offset}::int
    ) page left join users u on u.id = page.decided_by_id
    order by page.received_at desc, page.device_id, page.msg_type, page.ts, page.n`.execute(db);
  return { rows, total: counted[0]?.n ?? 0 };
}

/** Waiting readings by reason. Rows and index as in `quarantinePage`. */
export async function waitingByReason(
  db: Db,
  scope: Scope,
  filter: QuarantineFilter,
): Promise<{ reason: number; count: number; devices: number[] }[]> {
  const { rows } = await sql<{ reason: number; count: number; devices: number[] }>`
    select q.reason, count(*)::int as count, array_agg(distinct q.device_id) as devices
    from reading_quarantine q join device d on d.id = q.device_id
    where ${visibleDevices(scope, { as: "d" })} and ${isWaiting} and ${matches(filter)} group by q.reason order by q.reason`.execute(
    db,
  );
  return rows;
}

/**
 * Readings that arrived when the quarantine of their device or company was full. Index quarantine_count_open.
 */
export async function notKept(db: Db, scope: Scope, deviceId?: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(c.not_kept), 0)::float8 as n from quarantine_count c join device d on d.id = c.device_id
    where c.not_kept > 0 and ${visibleDevices(scope, { as: "d" })}
      and ${deviceId === undefined ? sql`true` : sql`c.device_id = ${deviceId}::int`}`.execute(db);
  return rows[0]?.n ?? 0;
}

export type LockedRow = Omit<
  QuarantineRow,
  "device_name" | "deviceID" | "device_group_id" | "decided_at" | "decided_by" | "state"
>;

/**
 * Those of these readings that still wait, locked until the end of the transaction. Rows: one per key, by
 * primary key.
 */
export async function lockKeys(db: Db, keys: readonly QuarantineKey[]): Promise<LockedRow[]> {
  const { rows } = await sql<LockedRow>`
    select q.device_id, q.received_at, q.msg_type, q.ts, q.n, q.reason, q.source, q.reading
    from reading_quarantine q
    join unnest(${keys.map((key) => key.device_id)}::int[], ${keys.map((key) => key.received_at)}::bigint[],
      ${keys.map((key) => key.msg_type)}::smallint[], ${keys.map((key) => key.ts)}::bigint[], ${keys.map((key) => key.n)}::smallint[])
      as k(device_id, received_at, msg_type, ts, n) using (device_id, received_at, msg_type, ts, n)
    where ${isWaiting} order by q.device_id, q.received_at, q.msg_type, q.ts, q.n for update of q`.execute(
    db,
  );
  return rows;
}

/**
 * The oldest waiting ones that match the filter. Index reading_quarantine_waiting of the devices of the
 * session. Locked by `lockKeys` afterwards: in one statement the planner, without statistics of a table that
 * was just empty, compares every row with every other (8 s for 5,000).
 */
export async function matchingKeys(
  db: Db,
  scope: Scope,
  filter: QuarantineFilter,
  limit: number,
): Promise<QuarantineKey[]> {
  const { rows } = await sql<QuarantineKey>`
    select q.device_id, q.received_at, q.msg_type, q.ts, q.n from reading_quarantine q join device d on d.id = q.device_id
    where ${visibleDevices(scope, { as: "d" })} and ${isWaiting} and ${matches(filter)}
    order by q.received_at, q.device_id, q.msg_type, q.ts, q.n limit ${limit}::int`.execute(db);
  return rows;
}
