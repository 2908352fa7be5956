import type { CommandState } from "@metrum/contract/headend";
import type { CompanyId, DeviceId } from "@metrum/vocabulary";
import { sql } from "kysely";
import { tiedDevices, type Db, type Scope } from "#core";
import { json, keptSec, type NewCommands } from "./commandStore.ts";

/** A command as it is carried out. */
export interface OpenCommand {
  readonly id: number;
  readonly companyId: CompanyId;
  readonly taskId: number;
  readonly deviceId: DeviceId;
  /** Who has requested it; null: the user was removed since. */
  readonly userId: number | null;
  readonly key: string;
  readonly arguments: unknown;
  readonly actuates: boolean;
  readonly state: CommandState;
  readonly attempts: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly followTries: number;
  /** The device may have carried out an earlier attempt. */
  readonly mayBeDone: boolean;
  /** It is sent right after an uplink of its device. */
  readonly awaitsUplink: boolean;
}

/** Columns of `OpenCommand`, of the command `c`. */
export const openColumns = sql`
  c.id::float8 as id, c.company_id as "companyId", c.task_id as "taskId", c.device_id as "deviceId",
  c.user_id as "userId", c.key, c.arguments, c.actuates, c.state, c.attempts, c.created_at as "createdAt", c.expires_at as "expiresAt",
  c.follow_tries as "followTries", c.result is not null as "mayBeDone", c.awaits_uplink as "awaitsUplink"`;

/** Whether an equal command to one of these devices is open, or was requested since a time. */
export async function isRepeated(
  db: Db,
  scope: Scope,
  command: Pick<NewCommands, "deviceIds" | "key" | "given">,
  since: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from device_command
    where company_id = ${scope.companyId} and device_id = any(${[...command.deviceIds]}::int[]) and key = ${command.key}
      and arguments = ${json(command.given)} and (state in ('queued', 'sending') or created_at > ${since})
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Actuations of a company and of a user that were requested since a time. Index device_command_recent. */
export async function requestedSince(
  db: Db,
  { companyId, userId }: Scope,
  since: number,
): Promise<{ readonly company: number; readonly user: number }> {
  const { rows } = await sql<{ company: number; user: number }>`
    select count(*)::int as company, (count(*) filter (where user_id = ${userId}::int))::int as user
    from device_command where company_id = ${companyId}::int and actuates and created_at > ${since}`.execute(
    db,
  );
  return rows[0] ?? { company: 0, user: 0 };
}

/** Devices that a user has switched off since a time. Index device_command_recent. */
export async function switchedOffSince(db: Db, { companyId, userId }: Scope, since: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct device_id)::int as count from device_command
    where company_id = ${companyId}::int and user_id = ${userId}::int and actuates and switches_off
      and created_at > ${since} and state <> 'cancelled'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Commands whose outcome is due for so long that nothing seems to work on them. */
export async function stuckCommands(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device_command
    where state = 'sending' and order_id is null and sent_at < ${now - stuckSec}
      or state = 'queued' and expires_at < ${now - stuckSec}`.execute(db);
  return rows[0]?.count ?? 0;
}

const stuckSec = 300;

/** The oldest open commands of devices, of those that can be sent now. Index device_command_open. */
export async function headsOf(db: Db, deviceIds: readonly number[], now: number): Promise<OpenCommand[]> {
  const { rows } = await sql<OpenCommand & { nextAt: number }>`
    select ${openColumns}, c.next_at as "nextAt" from unnest(${[...deviceIds]}::int[]) as wanted (id)
    cross join lateral (
      select * from device_command where device_id = wanted.id and state in ('queued', 'sending') order by id limit 1
    ) c`.execute(db);
  return rows.filter(({ state, nextAt }) => state === "queued" && nextAt <= now);
}

/** The oldest open command of a device; undefined: none can be sent now. */
export const headOf = async (db: Db, deviceId: number, now: number): Promise<OpenCommand | undefined> =>
  (await headsOf(db, [deviceId], now))[0];

/** The newest commands of devices with an unknown outcome whose state is to be read. Index device_command_follow. */
export async function followsOf(db: Db, deviceIds: readonly number[]): Promise<OpenCommand[]> {
  const { rows } = await sql<OpenCommand>`
    select distinct on (c.device_id) ${openColumns} from device_command c
    where c.device_id = any(${[...deviceIds]}::int[]) and c.follow_at is not null
    order by c.device_id, c.id desc`.execute(db);
  return rows;
}

/** Number of actuations of companies sent since a time, by user. Index device_command_recent. */
export async function sentSince(
  db: Db,
  companyIds: readonly number[],
  since: number,
): Promise<{ readonly companyId: number; readonly userId: number | null; readonly count: number }[]> {
  if (companyIds.length === 0) return [];
  const { rows } = await sql<{ companyId: number; userId: number | null; count: number }>`
    select company_id as "companyId", user_id as "userId", count(*)::int as count
    from device_command where company_id = any(${[...companyIds]}::int[]) and actuates and sent_at > ${since}
      and created_at > ${since - keptSec}
    group by company_id, user_id`.execute(db);
  return rows;
}

/** Devices of a task for which the command may be sent again: it was not carried out, or is harmless. */
export async function repeatable(
  db: Db,
  scope: Scope,
  taskId: number,
  isHarmless: boolean,
): Promise<DeviceId[]> {
  const { rows } = await sql<{ id: DeviceId }>`
    select distinct device_id as id from device_command
    where company_id = ${scope.companyId} and task_id = ${taskId} and ${tiedDevices(scope, sql`device_id`)}
      and (state in ('failed', 'expired') or ${isHarmless} and state = 'unknown') order by 1`.execute(db);
  return rows.map(({ id }) => id);
}
