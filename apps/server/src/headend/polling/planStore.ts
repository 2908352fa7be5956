import { exchangeKinds } from "@metrum/contract/headend";
import { sql, type RawBuilder } from "kysely";
import { companyDevices, tiedDevices, type Db, type Scope } from "#core";
import { polledColumns, polledTables } from "#headend/exchanges";
import { neverPolled } from "#metering/device-state";
import { groupColumns, pauseColumns, withGroup, withStation, type DueDevice } from "./store.ts";

/** A device with its schedule and the names that a plan shows. */
export interface PlanDevice extends DueDevice {
  readonly name: string;
  readonly gatewayName: string | null;
  /** Its next slot; 0: it gets one within a moment; null: it is polled no more. */
  readonly nextPollAt: number | null;
}

export interface PlanScope {
  readonly groupId?: number | undefined;
  /** Resolved ids. */
  readonly deviceIds?: readonly number[] | undefined;
}

const columns = sql`${polledColumns}, ${groupColumns}, ${pauseColumns}, d.name, g.name as "gatewayName",
  case when s.next_poll_at is null then 0 when s.next_poll_at < ${neverPolled}::bigint then s.next_poll_at end
    as "nextPollAt"`;

/**
 * Devices of a plan, those whose slot is next first. Rows: at most `limit`; of a group by poll_group_device_of,
 * of the company by a scan of its rows of device_state (100,000 at most) before anything is joined.
 */
export async function planDevices(
  db: Db,
  scope: Scope,
  { groupId, deviceIds, limit }: PlanScope & { readonly limit: number },
): Promise<PlanDevice[]> {
  const conditions: RawBuilder<unknown>[] = [
    sql`state.company_id = ${scope.companyId}`,
    tiedDevices(scope, sql`state.device_id`),
    ...(groupId === undefined
      ? []
      : [sql`state.device_id in (select device_id from poll_group_device where group_id = ${groupId})`]),
    ...(deviceIds === undefined ? [] : [sql`state.device_id = any(${[...deviceIds]}::int[])`]),
  ];
  const { rows } = await sql<PlanDevice>`
    with chosen as materialized (
      select state.device_id as id from device_state state where ${sql.join(conditions, sql` and `)}
      order by state.next_poll_at, state.device_id limit ${limit}
    )
    select ${columns} from ${polledTables} join chosen on chosen.id = d.id ${withGroup} ${withStation}
    where ${companyDevices(scope.companyId, { as: "d", archive: "excluded" })}`.execute(db);
  return rows;
}

/** Other devices behind these gateways, which share their lines. Rows: at most `limit`, by device_by_gateway. */
export async function devicesBeside(
  db: Db,
  scope: Scope,
  of: { readonly gatewayIds: readonly number[]; readonly except: readonly number[]; readonly limit: number },
): Promise<PlanDevice[]> {
  const { rows } = await sql<PlanDevice>`
    select ${columns} from ${polledTables} ${withGroup} ${withStation}
    where d.gateway_id = any(${[...of.gatewayIds]}::int[]) and not d.id = any(${[...of.except]}::int[])
      and ${companyDevices(scope.companyId, { as: "d", archive: "excluded" })}
    limit ${of.limit}`.execute(db);
  return rows;
}

/** Median time of the last exchanges of a device, scheduled and requested ones apart. */
export interface ExchangeTimes {
  readonly pollSec: number | null;
  readonly requestSec: number | null;
}

/** Exchanges of a device that are measured, of the last days. */
const measured = 6;
const measuredDays = 14;
const daySec = 86_400;

/**
 * How long exchanges with these devices took, failed ones included. An exchange without an attempt had no
 * line and took no time. Rows: six per device, by the primary key of poll_log; the ids come from a query on
 * `device`.
 */
export async function exchangeTimes(
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, ExchangeTimes>> {
  const medianOf = (kind: keyof typeof exchangeKinds) =>
    sql`percentile_disc(0.5) within group (order by l.duration_ms)
      filter (where l.kind = ${exchangeKinds[kind].id}) / 1000.0`;
  const { rows } = await sql<{ id: number; pollSec: number | null; requestSec: number | null }>`
    select d.id, (${medianOf("poll")})::float8 as "pollSec", (${medianOf("request")})::float8 as "requestSec"
    from unnest(${[...ids]}::int[]) as d (id)
    cross join lateral (
      select kind, duration_ms from poll_log
      where device_id = d.id and started_ms > ${(now - measuredDays * daySec) * 1000}::bigint and tries > 0
        and kind in (${exchangeKinds.poll.id}, ${exchangeKinds.request.id})
      order by started_ms desc limit ${measured}
    ) l
    group by d.id`.execute(db);
  return new Map(rows.map(({ id, ...times }) => [id, times]));
}

/** Until when these lines are lent to transparent ports. Index transparent_port_line. */
export async function lentUntil(system: Db, lines: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ line: string; until: number }>`
    select line, ends_at as until from transparent_port
    where line = any(${[...lines]}::text[]) and state <> 'closed'`.execute(system);
  return new Map(rows.map(({ line, until }) => [line, until]));
}
