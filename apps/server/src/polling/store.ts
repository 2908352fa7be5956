import { pollResults, exchangeKinds, type ExchangeKind, type PollResult } from "@metrum/contract";
import type { DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import type { Db } from "#core";
import type { SecretName } from "#devices";
import type { LoggedStep } from "./exchange.ts";

/** What a poll or uplink must know of a device; its line is where the gateway is, or what its own properties say. */
export interface PolledDevice {
  readonly id: DeviceId;
  readonly companyId: number;
  readonly modelId: number;
  readonly deviceID: string;
  readonly insideAddr: string;
  readonly impulseWeight: number;
  readonly startingValue: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly intervalSec: number;
  readonly failures: number;
  /** Switched on, neither archived nor in the trash, and so are its gateway and company. */
  readonly isPolled: boolean;
  /** Archived or in the trash: not even a person can ask it. */
  readonly isPutAway: boolean;
  readonly gatewayId: number | null;
  readonly gatewayModelId: number | null;
  readonly host: string | null;
  readonly port: number | null;
}

const columns = sql`
  d.id, d.company_id as "companyId", d.model_id as "modelId", d."deviceID", d.inside_addr as "insideAddr",
  d.impulse_weight as "impulseWeight", d.starting_value as "startingValue", d.properties,
  d.report_period_update as "intervalSec", s.poll_failures as failures,
  (d.is_active and not d.is_archived and d.deleted_at is null and c.is_active and coalesce(g.is_active, true)
    and g.deleted_at is null) as "isPolled",
  (d.is_archived or d.deleted_at is not null) as "isPutAway",
  d.gateway_id as "gatewayId", g.model_id as "gatewayModelId", g.host, g.port`;
const joined = sql`
  device_state s join device d on d.id = s.device_id join company c on c.id = d.company_id
  left join gateway g on g.id = d.gateway_id`;

/** A device with its secrets, which stay sealed until they are used: base64 by name. */
export interface AskedDevice extends PolledDevice {
  readonly sealed: Readonly<Partial<Record<SecretName, string>>>;
}

const sealed = sql`
  (select coalesce(jsonb_object_agg(x.name, encode(x.sealed, 'base64')), '{}') from device_secret x
    where x.device_id = d.id) as sealed`;

/** One device by primary key. */
export async function polledDevice(db: Db, id: number): Promise<AskedDevice | undefined> {
  const { rows } =
    await sql<AskedDevice>`select ${columns}, ${sealed} from ${joined} where d.id = ${id}`.execute(db);
  return rows[0];
}

/** The device of a company with this network id; index device_by_network_id. */
export async function deviceByNetworkId(
  db: Db,
  companyId: number,
  networkId: string,
): Promise<AskedDevice | undefined> {
  const { rows } = await sql<AskedDevice>`
    select ${columns}, ${sealed} from ${joined}
    where lower(d."deviceID") = ${networkId.toLowerCase()} and d.company_id = ${companyId} and d.deleted_at is null
    order by d.id limit 1`.execute(db);
  return rows[0];
}

/** Devices whose slot has come, oldest first, locked for this planner; another one takes the next. Index device_state_due. */
export async function dueDevices(db: Db, now: number, limit: number): Promise<PolledDevice[]> {
  const { rows } = await sql<PolledDevice>`
    select ${columns} from ${joined} where s.next_poll_at <= ${now}
    order by s.next_poll_at limit ${limit} for update of s skip locked`.execute(db);
  return rows;
}

/** Devices that have no slot yet; index device_state_unplanned. */
export async function unplannedDevices(
  db: Db,
  limit: number,
): Promise<{ id: number; modelId: number; hasLine: boolean }[]> {
  const { rows } = await sql<{ id: number; modelId: number; hasLine: boolean }>`
    select d.id, d.model_id as "modelId", (d.gateway_id is not null or d.properties ? 'host') as "hasLine"
    from device_state s join device d on d.id = s.device_id where s.next_poll_at is null
    limit ${limit} for update of s skip locked`.execute(db);
  return rows;
}

export async function setSlots(db: Db, slots: readonly { id: number; at: number }[]): Promise<void> {
  await sql`
    update device_state set next_poll_at = slot.at
    from unnest(${slots.map(({ id }) => id)}::int[], ${slots.map(({ at }) => at)}::bigint[]) as slot (id, at)
    where device_id = slot.id`.execute(db);
}

/** After the clock was set back: slots that are farther away than any plan puts them come near again. */
export async function pullSlotsNear(db: Db, now: number, slowestSec: number, never: number): Promise<void> {
  await sql`
    update device_state s
    set next_poll_at = ${now}::bigint + (s.next_poll_at - ${now}::bigint) % d.report_period_update
    from device d where d.id = s.device_id and s.next_poll_at < ${never}::bigint
      and s.next_poll_at > ${now}::bigint + 2 * greatest(d.report_period_update, ${slowestSec}::int)`.execute(
    db,
  );
}

/** The line is back: whoever was left out because of it is asked soon instead of at the end of its pause. */
export async function hurrySilent(db: Db, gatewayId: number, now: number): Promise<void> {
  await sql`
    update device_state s set next_poll_at = ${now}::bigint + 1 + s.device_id % 10
    from device d where d.id = s.device_id and d.gateway_id = ${gatewayId} and s.poll_failures > 0
      and s.next_poll_at > ${now}::bigint + 15`.execute(db);
}

export interface ExchangeRow {
  readonly deviceId: number;
  readonly startedMs: number;
  readonly receivedAt: number | null;
  readonly kind: ExchangeKind;
  readonly result: PollResult;
  readonly tries: number;
  readonly durationMs: number;
  readonly line: string;
  readonly readings: number;
  readonly message: string;
  readonly taskId: number | null;
  readonly steps: readonly LoggedStep[];
}

/** Days that exchanges are kept. */
const keptDays = 30;

/** Adds exchanges to the log. Two of one device that began in the same millisecond get neighbouring names. */
export async function logExchanges(db: Db, rows: readonly ExchangeRow[]): Promise<void> {
  for (const row of rows) {
    for (let startedMs = row.startedMs; !(await insertExchange(db, row, startedMs));) startedMs += 1;
    // Now and then, by the device's own key only, so that no sweep over the whole log is needed.
    if (row.startedMs % 97 === 0)
      await sql`delete from poll_log where device_id = ${row.deviceId}
        and started_ms < ${row.startedMs - keptDays * 86_400_000}`.execute(db);
  }
}

async function insertExchange(db: Db, row: ExchangeRow, startedMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into poll_log (device_id, started_ms, received_at, kind, result, tries, duration_ms, line, readings,
      message, device_task_id, steps)
    values (${row.deviceId}, ${startedMs}, ${row.receivedAt}, ${exchangeKinds[row.kind].id},
      ${pollResults[row.result].id}, ${row.tries}, ${row.durationMs}, ${row.line}, ${row.readings}, ${row.message},
      ${row.taskId}, ${JSON.stringify(row.steps)}::jsonb)
    on conflict do nothing returning device_id`.execute(db);
  return rows.length > 0;
}

/** Notes how the last poll ended. Nothing is written when nothing changed, which is the rule. */
export async function noteResult(db: Db, deviceIds: readonly number[], result: PollResult): Promise<void> {
  const { id } = pollResults[result];
  await sql`
    update device_state set last_poll_result = ${id},
      poll_failures = case when ${id} = 0 then 0 else least(poll_failures + 1, 1000) end
    where device_id = any(${[...deviceIds]}::int[])
      and (poll_failures > 0 or ${id} > 0 or last_poll_result is distinct from ${id})`.execute(db);
}

/** Processes that hold these lines. */
export async function holdersOf(db: Db, lines: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (lines.length === 0) return new Map();
  const { rows } = await sql<{ line: string; process_id: number }>`
    select line, process_id from line_holder where line = any(${[...lines]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.line, row.process_id]));
}

export interface LineJob {
  /** Name of the work: of the process that holds the line, or of any. */
  readonly task: string;
  readonly payload: object;
  readonly line: string;
  /** A job of the same key that has not begun is replaced. */
  readonly key: string;
  readonly priority: number;
}

/** Jobs of one line run one after another, whoever runs them: the queue is named by the line. */
export async function addJobs(db: Db, jobs: readonly LineJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    select graphile_worker.add_jobs(array(
      select row(job.task, job.payload::json, 'line:' || job.line, now(), 3, job.key, job.priority, null)::graphile_worker.job_spec
      from unnest(${jobs.map((job) => job.task)}::text[], ${jobs.map((job) => JSON.stringify(job.payload))}::text[],
        ${jobs.map((job) => job.line)}::text[], ${jobs.map((job) => job.key)}::text[],
        ${jobs.map((job) => job.priority)}::smallint[]) as job (task, payload, line, key, priority)
    ))`.execute(db);
}
