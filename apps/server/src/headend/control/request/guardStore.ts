import type { ControlFreeze } from "@metrum/contract/headend";
import { sql } from "kysely";
import { freezeChannel, freezesOver, isControlStopped, type Db } from "#core";

const columns = sql`f.frozen_company_id as company_id, f.reason, f.since,
  (select name from company where id = f.frozen_company_id) as company_name,
  (select name from users where id = f.user_id) as user_name`;

/** Active freezes of the installation and of a company. Rows: two at most. */
export async function freezesOf(system: Db, companyId: number): Promise<ControlFreeze[]> {
  const { rows } = await sql<ControlFreeze>`
    select ${columns} ${freezesOver(sql`${companyId}::int`)}
    order by f.frozen_company_id nulls first`.execute(system);
  return rows;
}

/** All active freezes, that of the installation first. Rows: one a frozen company, by control_freeze_active. */
export async function activeFreezes(system: Db): Promise<ControlFreeze[]> {
  const { rows } = await sql<ControlFreeze>`
    select ${columns} from control_freeze f where f.released_at is null
    order by company_name nulls first, f.id`.execute(system);
  return rows;
}

/** The companies for which nothing that changes a device may leave now, among these. */
export async function stoppedCompanies(
  system: Db,
  companyIds: readonly number[],
  now: number,
): Promise<ReadonlySet<number>> {
  if (companyIds.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select wanted.id from unnest(${[...companyIds]}::int[]) as wanted (id) where ${isControlStopped(sql`wanted.id`, now)}`.execute(
    system,
  );
  return new Set(rows.map(({ id }) => id));
}

export interface FreezeChange {
  /** Null: the whole installation. */
  readonly companyId: number | null;
  readonly reason: string;
  readonly userId: number;
  readonly now: number;
}

/** Stops outgoing actuation; one that is already stopped gets the new reason. */
export async function freeze(system: Db, { companyId, reason, userId, now }: FreezeChange): Promise<void> {
  await sql`
    insert into control_freeze (frozen_company_id, reason, user_id, since)
    values (${companyId}::int, ${reason}, ${userId}::int, ${now})
    on conflict (coalesce(frozen_company_id, 0)) where released_at is null
    do update set reason = excluded.reason`.execute(system);
  await tellFreeze(system);
}

export async function release(system: Db, companyId: number | null, now: number): Promise<void> {
  await sql`
    update control_freeze set released_at = ${now}
    where released_at is null and coalesce(frozen_company_id, 0) = ${companyId ?? 0}::int`.execute(system);
  await tellFreeze(system);
}

/** Every process looks at what it is sending, on commit. */
async function tellFreeze(system: Db): Promise<void> {
  await sql`select pg_notify(${freezeChannel}, '')`.execute(system);
}

/** Whether commands of a company that change devices ask for a second factor. */
export async function asksSecondFactor(db: Db, companyId: number): Promise<boolean> {
  const { rows } = await sql<{ asks: boolean }>`
    select asks_second_factor as asks from control_policy where company_id = ${companyId}::int`.execute(db);
  return rows[0]?.asks ?? false;
}

export async function putPolicy(db: Db, companyId: number, asks: boolean): Promise<void> {
  await sql`
    insert into control_policy (company_id, asks_second_factor) values (${companyId}::int, ${asks})
    on conflict (company_id) do update set asks_second_factor = excluded.asks_second_factor`.execute(db);
}
