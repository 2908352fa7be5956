import {
  pollResults,
  type CommandMessage,
  type CommandState,
  type PollResult,
} from "@metrum/contract/headend";
import type { DeviceId, DeviceState } from "@metrum/vocabulary";
import { sql, type RawBuilder } from "kysely";
import { storableJson, tiedDevices, type Db, type Scope } from "#core";
import { justHeard } from "./listeningStore.ts";
import type { OpenCommand } from "./openStore.ts";

/** A command was stored or is due; no payload. */
export const wantedChannel = "device_command_wanted";
export const json = (value: unknown) => sql`${value === undefined ? null : storableJson(value)}::jsonb`;

export interface NewCommands {
  readonly taskId: number;
  readonly deviceIds: readonly number[];
  readonly key: string;
  readonly given: unknown;
  readonly actuates: boolean;
  readonly switchesOff: boolean;
  readonly now: number;
  readonly expiresAt: number;
}

/** Stores a command for each device with its last known state; wakes on commit who sends them. */
export async function addCommands(
  db: Db,
  { companyId, userId }: Pick<Scope, "companyId" | "userId">,
  given: NewCommands,
): Promise<void> {
  await sql`
    insert into device_command (company_id, task_id, device_id, user_id, key, arguments, actuates, switches_off, created_at,
      expires_at, next_at, before)
    select ${companyId}::int, ${given.taskId}::int, device_id, ${userId}::int, ${given.key}, ${json(given.given)},
      ${given.actuates}::boolean, ${given.switchesOff}::boolean, ${given.now}::bigint, ${given.expiresAt}::bigint,
      ${given.now}::bigint, (select state from device_status s where s.device_id = wanted.device_id)
    from unnest(${[...given.deviceIds]}::int[]) as wanted (device_id) order by device_id`.execute(db);
  await sql`select pg_notify(${wantedChannel}, '')`.execute(db);
}

export interface NewRequest {
  readonly onceKey: string | undefined;
  readonly asked: Buffer;
  readonly taskId: number;
  readonly stopAfter: number | undefined;
  readonly now: number;
}

/** How long a repeat of an idempotency key gets the first task. */
export const keptSec = 86_400;

/** The task of an earlier request with this key of the company; undefined: there is none. */
export async function requestOf(
  db: Db,
  companyId: number,
  onceKey: string,
  now: number,
): Promise<{ readonly taskId: number; readonly asked: Buffer } | undefined> {
  // Requests of a company with keys are serialised: a concurrent one with this key is waited for.
  await sql`select pg_advisory_xact_lock(hashtext(${`command:${String(companyId)}:${onceKey}`}))`.execute(db);
  await sql`delete from command_request where company_id = ${companyId}::int and created_at < ${now - keptSec}`.execute(
    db,
  );
  const { rows } = await sql<{ taskId: number; asked: Buffer }>`
    select task_id as "taskId", asked from command_request
    where company_id = ${companyId}::int and once_key = ${onceKey}`.execute(db);
  return rows[0];
}

export async function addRequest(db: Db, companyId: number, given: NewRequest): Promise<void> {
  await sql`
    insert into command_request (task_id, company_id, once_key, asked, stop_after, created_at)
    values (${given.taskId}, ${companyId}::int, ${given.onceKey ?? null}, ${given.asked}, ${given.stopAfter ?? null},
      ${given.now})`.execute(db);
}

/** Serialises the requests of companies for actuation, so that their limits hold for concurrent ones. */
export async function lockActuation(db: Db, companyIds: readonly number[]): Promise<void> {
  if (companyIds.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(hashtext('actuation:' || id))
    from (select id from unnest(${[...companyIds]}::int[]) as id order by id) companies`.execute(db);
}

/** A device that could not be planned is tried again after this time. */
const plannedForSec = 5;
/** A planned device whose job seems lost is planned again after this time. */
const lostJobSec = 60;

/**
 * Devices with a command that can be sent, or a state to be read, and no recent plan; locked. One that awaits an uplink
 * can be sent right after it.
 */
export async function dueDevices(
  db: Db,
  { now, nowMs, limit }: { readonly now: number; readonly nowMs: number; readonly limit: number },
): Promise<{ readonly ids: readonly DeviceId[]; readonly isMore: boolean }> {
  const { rows } = await sql<{ id: DeviceId }>`
    update device_command c set planned_at = ${now}
    from (
      select id from device_command q
      where state = 'queued' and next_at <= ${now} and (planned_at is null or planned_at < ${now - plannedForSec})
        and (not awaits_uplink or ${justHeard("q", nowMs)})
        and not exists (
          select from device_command s
          where s.device_id = q.device_id and s.state in ('queued', 'sending') and s.id < q.id)
      order by planned_at nulls first, id limit ${limit} for update skip locked
    ) head
    where c.id = head.id returning c.device_id as id`.execute(db);
  const { rows: followed } = await sql<{ id: DeviceId }>`
    update device_command c set follow_at = ${now + plannedForSec}
    from (select id from device_command where follow_at <= ${now} order by follow_at limit ${limit} for update skip locked) due
    where c.id = due.id returning c.device_id as id`.execute(db);
  const ids = [...new Set([...rows, ...followed].map(({ id }) => id))];
  return { ids, isMore: rows.length === limit };
}

/** The command waits for an uplink of its device. */
export async function awaitUplink(db: Db, id: number): Promise<void> {
  await sql`update device_command set awaits_uplink = true, planned_at = null, message = '', message_code = 'awaits_uplink'
    where id = ${id}::bigint and state = 'queued'`.execute(db);
}

/** Queued commands of devices, locked in the order of their ids: see `lockCommands`. Index device_command_open. */
const queuedOf = (deviceIds: readonly number[], condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select id from device_command
    where device_id = any(${[...deviceIds]}::int[]) and state = 'queued' and ${condition} order by id for update)`;

/** The commands of these devices have a job on their lines. */
export async function notePlanned(db: Db, deviceIds: readonly DeviceId[], now: number): Promise<void> {
  await sql`update device_command set planned_at = ${now + lostJobSec - plannedForSec}
    where id in ${queuedOf(deviceIds, sql`planned_at = ${now}`)}`.execute(db);
}

/** The commands of these devices wait in a running job. */
export async function keepPlanned(db: Db, deviceIds: readonly number[], now: number): Promise<void> {
  await sql`update device_command set planned_at = ${now + lostJobSec - plannedForSec}
    where id in ${queuedOf(deviceIds, sql`planned_at is not null`)}`.execute(db);
}

/** The job has left the commands of these devices: they are planned again. */
export async function replanDevices(db: Db, deviceIds: readonly number[]): Promise<void> {
  await sql`update device_command set planned_at = null where id in ${queuedOf(deviceIds, sql`true`)}`.execute(
    db,
  );
}

/** Processes have died, and their jobs may be lost with them: queued commands are planned again. */
export async function replanAll(db: Db): Promise<void> {
  await sql`
    update device_command set planned_at = null
    where id in (select id from device_command where state = 'queued' and planned_at is not null order by id for update)`.execute(
    db,
  );
}

/**
 * After the clock was set back: commands of a time that is still to come were requested so much earlier, and expire then;
 * those that wait do so for that much less. Rows: the open ones, those to be read back, and those of that time, which
 * count for the limits. After a scan of the table.
 */
export async function pullCommandsNear(db: Db, now: number, bySec: number): Promise<void> {
  const near = (column: RawBuilder<unknown>) =>
    sql`case when ${column} > ${now}::bigint then greatest(${now}::bigint, ${column} - ${bySec}::bigint) else ${column} end`;
  await sql`
    update device_command set next_at = ${near(sql`next_at`)}, follow_at = ${near(sql`follow_at`)}, planned_at = null,
      sent_at = ${near(sql`sent_at`)},
      expires_at = case when created_at > ${now}::bigint then expires_at - ${bySec}::bigint else expires_at end,
      created_at = case when created_at > ${now}::bigint then created_at - ${bySec}::bigint else created_at end
    where id in (
      select id from device_command
      where state in ('queued', 'sending') or follow_at is not null or created_at > ${now}::bigint or sent_at > ${now}::bigint
      order by id for update)`.execute(db);
}

/** The job has left a command that could not be sent now: it is planned again. */
export async function replan(db: Db, id: number, now: number): Promise<void> {
  await sql`update device_command set planned_at = ${now} where id = ${id}::bigint and state = 'queued'`.execute(
    db,
  );
}

/** Locks commands in the order of their ids, in which every transaction locks several: two cannot block each other. */
export async function lockCommands(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length < 2) return;
  await sql`select from device_command where id = any(${[...ids]}::bigint[]) order by id for update`.execute(
    db,
  );
}

/**
 * Marks queued commands, one of a device at most, as being sent by a process. Returns the ids of those that were
 * still queued, with no other command of their device being sent.
 */
export async function markSending(
  db: Db,
  marks: readonly { readonly id: number; readonly processId: number }[],
  now: number,
): Promise<ReadonlySet<number>> {
  if (marks.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    update device_command c set state = 'sending', sent_at = ${now}, process_id = mark.process_id,
      attempts = attempts + 1, message = '', message_code = null
    from unnest(${marks.map(({ id }) => id)}::bigint[], ${marks.map(({ processId }) => processId)}::int[])
      as mark (id, process_id)
    where c.id = mark.id and c.state = 'queued' and c.expires_at > ${now}
      and not exists (select from device_command s where s.device_id = c.device_id and s.state = 'sending')
    returning c.id::float8 as id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The process that marked a command does not send it. False: it was not marked, or has ended since. */
export async function unmarkSending(
  db: Db,
  { id, attempts, processId }: Pick<OpenCommand, "id" | "attempts"> & { readonly processId: number },
): Promise<boolean> {
  const { rows } = await sql`
    update device_command set state = 'queued', process_id = null, planned_at = null, attempts = ${attempts}
    where id = ${id}::bigint and state = 'sending' and order_id is null and process_id = ${processId}::int
      and attempts = ${attempts + 1}
    returning id`.execute(db);
  return rows.length > 0;
}

/** The command is carried by an order, written in the same transaction. */
export async function noteOrderOf(db: Db, id: number, orderId: number, nowMs: number): Promise<void> {
  await sql`update device_command set order_id = ${orderId}::bigint, order_ms = ${nowMs}::bigint, judged_ms = null
    where id = ${id}::bigint`.execute(db);
}

/** The uplinks that have arrived until now prove nothing of these ordered commands. */
export async function noteJudged(db: Db, ids: readonly number[], nowMs: number): Promise<void> {
  await sql`update device_command set judged_ms = ${nowMs}::bigint where id = any(${[...ids]}::bigint[])`.execute(
    db,
  );
}

export interface PutBack {
  readonly id: number;
  readonly nextAt: number;
  readonly message: string;
  readonly says?: CommandMessage | undefined;
  /** Result of an attempt that the device may have carried out. */
  readonly ambiguous?: PollResult | undefined;
}

/** The attempt was in vain: another one is made later. False: it has ended. */
export async function putBack(db: Db, { id, nextAt, message, says, ambiguous }: PutBack): Promise<boolean> {
  const result = ambiguous === undefined ? null : pollResults[ambiguous].id;
  const { rows } = await sql`
    update device_command set state = 'queued', process_id = null, order_id = null, next_at = ${nextAt}, planned_at = null,
      result = coalesce(${result}::smallint, result), message = ${message.slice(0, 255)},
      message_code = ${says ?? null}
    where id = ${id}::bigint and state in ('queued', 'sending') returning id`.execute(db);
  return rows.length > 0;
}

export interface CommandEnd {
  readonly id: number;
  readonly state: Exclude<CommandState, "queued" | "sending">;
  readonly result: PollResult;
  readonly message: string;
  readonly says?: CommandMessage | undefined;
  readonly after?: DeviceState | undefined;
  /** When its state is read, for an unknown outcome. */
  readonly followAt?: number | undefined;
}

/** Ends open commands; returns the ids of those that had not ended before. */
export async function endCommands(
  db: Db,
  ends: readonly CommandEnd[],
  now: number,
): Promise<ReadonlySet<number>> {
  if (ends.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    update device_command c set state = ended.state, result = ended.result, message = ended.message,
      message_code = ended.says, after = ended.after, ended_at = ${now}, process_id = null, follow_at = ended.follow_at
    from unnest(${ends.map(({ id }) => id)}::bigint[], ${ends.map(({ state }) => state)}::text[],
      ${ends.map(({ result }) => pollResults[result].id)}::smallint[],
      ${ends.map(({ message }) => message.slice(0, 255))}::text[], ${ends.map(({ says }) => says ?? null)}::text[],
      ${ends.map(({ after }) => (after === undefined ? null : storableJson(after)))}::jsonb[],
      ${ends.map(({ followAt }) => followAt ?? null)}::bigint[])
      as ended (id, state, result, message, says, after, follow_at)
    where c.id = ended.id and c.state in ('queued', 'sending') returning c.id::float8 as id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The state after an unknown outcome was read, or is not read again. */
export async function endFollow(db: Db, id: number, after: DeviceState | undefined): Promise<void> {
  await sql`update device_command set follow_at = null, after = coalesce(${json(after)}, after)
    where id = ${id}::bigint`.execute(db);
}

/** Reading the state has failed: it is tried again later. */
export async function delayFollow(db: Db, id: number, at: number): Promise<void> {
  await sql`update device_command set follow_at = ${at}, follow_tries = follow_tries + 1
    where id = ${id}::bigint and follow_at is not null`.execute(db);
}

export interface CancelledCommands {
  readonly taskIds?: readonly number[] | undefined;
  readonly deviceId?: number | undefined;
  readonly pollGroupId?: number | undefined;
}

/** A command that ended unknown when it was cancelled. */
export interface Uncertain {
  readonly taskId: number;
  readonly deviceId: DeviceId;
}

/**
 * Cancels commands that are not being sent. Those of which the device may have carried out an attempt end unknown instead,
 * and are read back; they are returned.
 */
export async function cancelQueued(
  db: Db,
  scope: Scope,
  { taskIds, deviceId, pollGroupId }: CancelledCommands,
  now: number,
): Promise<Uncertain[]> {
  const conditions: RawBuilder<unknown>[] = [
    sql`company_id = ${scope.companyId}`,
    sql`state = 'queued'`,
    tiedDevices(scope, sql`device_id`),
    ...(taskIds ? [sql`task_id = any(${[...taskIds]}::int[])`] : []),
    ...(deviceId === undefined ? [] : [sql`device_id = ${deviceId}`]),
    ...(pollGroupId === undefined
      ? []
      : [
          sql`task_id in (select id from device_task where poll_group_id = ${pollGroupId} and ended_at is null)`,
        ]),
  ];
  const { rows } = await sql<Uncertain & { state: CommandState }>`
    update device_command set ended_at = ${now}, state = case when result is null then 'cancelled' else 'unknown' end,
      follow_at = case when result is not null then ${now}::bigint end
    where id in (select id from device_command where ${sql.join(conditions, sql` and `)} order by id for update)
    returning task_id as "taskId", device_id as "deviceId", state`.execute(db);
  return rows.filter(({ state }) => state === "unknown");
}

/**
 * Commands of unknown outcome whose network server has reported on since: their message is another one. Rows:
 * by device_command_listed.
 */
export async function replaceMessages(
  db: Db,
  orders: readonly { readonly id: number; readonly deviceId: number }[],
  { from, to }: { readonly from: CommandMessage; readonly to: CommandMessage },
): Promise<readonly Pick<OpenCommand, "companyId" | "taskId" | "deviceId">[]> {
  if (orders.length === 0) return [];
  const { rows } = await sql<Pick<OpenCommand, "companyId" | "taskId" | "deviceId">>`
    update device_command c set message_code = ${to}
    from device d
    where d.id = c.device_id and c.device_id = any(${orders.map(({ deviceId }) => deviceId)}::int[])
      and c.order_id = any(${orders.map(({ id }) => id)}::bigint[]) and c.state = 'unknown' and c.message_code = ${from}
    returning d.company_id as "companyId", c.task_id as "taskId", c.device_id as "deviceId"`.execute(db);
  return rows;
}
