import { pollResults, type PollResult } from "@metrum/contract/headend";
import { sources } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import type pg from "pg";
import type { Db } from "#core";

/** Seconds over which soon-due polls are spread; a slot within this time is left alone. */
const [spreadSec, nearSec] = [10, 15];
const dayMs = 86_400_000;
/** Seconds by which clocks of several machines may differ. */
const clockSec = 60;
/** Consecutive failed polls are counted up to this. */
const mostFailures = 1_000;

/** States to be updated, locked in the order of their ids as in every update of many: two cannot block each other. */
const inOrder = (wanted: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select s.device_id from device_state s join device d on d.id = s.device_id
    where ${wanted} order by s.device_id for no key update of s)`;
/** The group of a device, whose interval takes precedence. Primary keys. */
const withGroup = sql`
  left join poll_group_device m on m.device_id = d.id left join poll_group pg on pg.id = m.group_id`;
const interval = sql`coalesce(pg.report_period_update, d.report_period_update)`;

/** Slot of a device that is not polled: the last second of the year 9999. */
export const neverPolled = 253_402_300_799;

/** When devices are polled next. */
export async function setSlots(db: Db, slots: readonly { id: number; at: number }[]): Promise<void> {
  const ids = slots.map(({ id }) => id);
  await sql`
    with locked as materialized ${inOrder(sql`s.device_id = any(${ids}::int[])`)}
    update device_state s set next_poll_at = slot.at
    from unnest(${ids}::int[], ${slots.map(({ at }) => at)}::bigint[]) as slot (id, at), locked
    where s.device_id = slot.id and locked.device_id = s.device_id`.execute(db);
}

/** A slot within the present interval on the same grid, of a state `s` with its device and group. */
const nearSlot = (now: number) =>
  sql`${now}::bigint + 1 + (s.next_poll_at - ${now}::bigint - 1) % ${interval}`;

/** After the clock was set back: brings slots beyond the interval of their device near again. */
export async function pullSlotsNear(db: Db, now: number): Promise<void> {
  const isFarOff = sql`s.next_poll_at < ${neverPolled}::bigint and s.next_poll_at > ${now}::bigint + ${interval}`;
  await setNear(db, now, isFarOff);
}

/** A device answers again: its slot is that of its interval, without the pause of its failures. */
export async function endPause(db: Db, id: number, now: number): Promise<void> {
  const isPaused = sql`s.device_id = ${id} and s.next_poll_at < ${neverPolled}::bigint
    and s.next_poll_at > ${now}::bigint + ${interval}`;
  await setNear(db, now, isPaused);
}

async function setNear(db: Db, now: number, wanted: RawBuilder<unknown>): Promise<void> {
  await sql`
    with near as materialized (
      select s.device_id, ${nearSlot(now)} as at from device_state s join device d on d.id = s.device_id ${withGroup}
      where ${wanted} order by s.device_id for no key update of s
    )
    update device_state s set next_poll_at = near.at from near where s.device_id = near.device_id`.execute(
    db,
  );
}

/** Failed polls that are repeated within the interval, and the intervals that are long enough for it. */
const [mostRepeats, leastIntervalSec, longestPauseSec] = [3, 900, 900];

/**
 * A failed poll is repeated after a twelfth of the interval, then twice and four times that: an hourly meter behind a
 * busy gateway does not lose the hour. Shorter intervals have their next slot soon, and a device that has failed more
 * often waits for its slots.
 */
export async function repeatInInterval(db: Db, id: number, now: number): Promise<void> {
  await sql`
    update device_state s set next_poll_at = least(s.next_poll_at,
      ${now}::bigint + least(${longestPauseSec}::int, ${interval} / 12 * (1 << s.poll_failures - 1)))
    from device d ${withGroup}
    where d.id = s.device_id and s.device_id = ${id} and s.next_poll_at < ${neverPolled}::bigint
      and s.poll_failures between 1 and ${mostRepeats}::int and ${interval} >= ${leastIntervalSec}::int`.execute(
    db,
  );
}

/** Devices whose slot is further away than any plan sets it. */
export async function strayedSlots(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device_state s join device d on d.id = s.device_id ${withGroup}
    where s.next_poll_at < ${neverPolled}::bigint
      and s.next_poll_at > ${now}::bigint + ${mostIntervals}::int * greatest(${interval}, ${longestPauseSec}::int)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Pauses of gateways and base stations put a slot off beyond its interval. */
const mostIntervals = 3;

/** The device is polled now, outside the schedule. */
export async function pollSoon(db: Db, id: number, now: number): Promise<void> {
  await setSlots(db, [{ id, at: now }]);
}

const soon = (now: number) => sql`${now}::bigint + 1 + s.device_id % ${spreadSec}::int`;
const isFar = (now: number) => sql`s.next_poll_at > ${now + nearSec}::bigint`;

/** The line is back: devices skipped because of it are polled soon instead of after their pause. */
export async function hurrySilent(db: Db, gatewayId: number, now: number): Promise<void> {
  await sql`
    update device_state s set next_poll_at = ${soon(now)}
    where s.device_id in ${inOrder(sql`d.gateway_id = ${gatewayId} and s.poll_failures > 0 and ${isFar(now)}`)}`.execute(
    db,
  );
}

/**
 * Devices whose last polls ended with this result since a given time are polled soon. Rows: those given, and
 * their exchanges of a day.
 */
export async function hurryRefused(
  db: Db,
  deviceIds: readonly number[],
  { result, sinceMs, now }: { readonly result: PollResult; readonly sinceMs: number; readonly now: number },
): Promise<void> {
  await sql`
    update device_state s set next_poll_at = ${soon(now)}
    where s.device_id in ${inOrder(sql`s.device_id = any(${[...deviceIds]}::int[]) and ${isFar(now)} and exists (
      select from poll_log l where l.device_id = s.device_id and l.started_ms >= ${sinceMs - dayMs}
        and coalesce(l.last_ms, l.started_ms) >= ${sinceMs} and l.result = ${pollResults[result].id})`)}`.execute(
    db,
  );
}

/** The devices were configured: they get a new slot from the planner, as new ones do. Primary key. */
export async function planAnew(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update device_state set next_poll_at = null, poll_failures = 0
    where device_id in ${inOrder(sql`s.device_id = any(${[...ids]}::int[])`)}`.execute(db);
}

/** The warning period was changed: when the devices begin to count as silent follows. */
export async function renewSilence(db: Db, ids: readonly number[]): Promise<void> {
  await sql`
    update device_state s set silent_at = s.last_data_at + d.warning_report_period
    from device d where d.id = s.device_id
      and s.device_id in ${inOrder(sql`s.device_id = any(${[...ids]}::int[]) and s.last_data_at is not null`)}`.execute(
    db,
  );
}

/** Stores the outcome of the last poll. Usually nothing has changed and nothing is written. */
export async function noteResult(db: Db, deviceIds: readonly number[], result: PollResult): Promise<void> {
  const { id } = pollResults[result];
  const isOk = result === "ok";
  await sql`
    update device_state set last_poll_result = ${id},
      poll_failures = ${isOk ? sql`0` : sql`least(poll_failures + 1, ${mostFailures}::int)`}
    where device_id in ${inOrder(sql`s.device_id = any(${[...deviceIds]}::int[])
      and (s.poll_failures > 0 or ${!isOk}::boolean or s.last_poll_result is distinct from ${id})`)}`.execute(
    db,
  );
}

/**
 * Times when devices were last received, never moved back unless they are after `latest`: a clock was ahead. Ids and times in the binary format of PostgreSQL:
 * a busy second brings thousands. Locked in the order of ids, like every update of many devices.
 */
export async function noteReceipts(
  pool: pg.Pool,
  { ids, times, latest }: { readonly ids: Buffer; readonly times: Buffer; readonly latest: number },
): Promise<void> {
  await pool.query({
    name: "messages-heard",
    text: `with heard as (
        select s.device_id, t.at from device_state s join unnest($1::int4[], $2::int8[]) as t(id, at) on t.id = s.device_id
        where s.device_id = any($1::int4[]) and (s.last_data_at is null or s.last_data_at < t.at or s.last_data_at > $3::int8)
        order by s.device_id for no key update of s
      )
      update device_state s set last_data_at = heard.at, silent_at = heard.at + d.warning_report_period
      from heard join device d on d.id = heard.device_id where s.device_id = heard.device_id`,
    values: [ids, times, latest],
  });
}

/** Devices that were received in the future. */
export async function receivedAhead(db: Db, latest: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device_state where last_data_at > ${latest}::bigint`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Repairs state after a kill: a few rows per device, once per start. */
export async function recountReceipts(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `with heard as (
        select device_id, max(case when source = ${String(sources.imported)} then least(ts, received_at) else received_at end) as at
        from (
          select device_id, ts, received_at, source from device_latest
          union all
          select device_id, (o ->> 'ts')::int8, (o ->> 'received_at')::int8, (o ->> 'source')::int2
          from device_latest cross join lateral jsonb_path_query(by_field, '$.*') o where by_field is not null
        ) origins
        where source <= ${String(sources.imported)} group by device_id
      )
      update device_state s set last_data_at = heard.at, silent_at = heard.at + d.warning_report_period
      from heard join device d on d.id = heard.device_id
      where s.device_id = heard.device_id and coalesce(s.last_data_at, 0) < heard.at`,
  );
  return rowCount ?? 0;
}

/**
 * The last receipt of a device as its readings prove it: not before that, nor in the future. When it begins to count as
 * silent follows. Primary key.
 */
export async function putReceipt(
  client: pg.ClientBase,
  { id, received, now }: { readonly id: number; readonly received: number | null; readonly now: number },
): Promise<void> {
  await client.query(
    `update device_state s set last_data_at = k.at, silent_at = k.at + d.warning_report_period
      from device d, (
        select greatest($2::int8, case when last_data_at <= greatest($3::int8, $2::int8) then last_data_at end) as at
        from device_state where device_id = $1::int4
      ) k where d.id = s.device_id and s.device_id = $1::int4`,
    [id, received, now + clockSec],
  );
}
