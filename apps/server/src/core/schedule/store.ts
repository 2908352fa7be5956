import { sql } from "kysely";
import type { Db } from "../database/database.ts";

/** A planned moment that this process has taken. */
export interface TakenRun {
  readonly name: string;
  /** Epoch seconds. */
  readonly plannedAt: number;
  /** Planned in time, but for what the platform was down or busy with. */
  readonly isLate: boolean;
  /** Which attempt this is: 1 at first. */
  readonly tries: number;
}

/** What the planner has to know of a work before it locks anything. */
export interface Plan {
  readonly name: string;
  /** Moments until here are rows or have passed. */
  readonly plannedTo: number;
  /** A run waits to be taken, or its process has died. */
  readonly hasWork: boolean;
}

/** Times by which runs are taken, in epoch seconds. */
export interface TakingTimes {
  readonly now: number;
  /** End of a lease that begins now. */
  readonly leaseEnds: number;
  /** A time after this one is of a clock that was set back. */
  readonly farAhead: number;
  readonly mostTries: number;
}

const isLeased = ({ now, farAhead }: TakingTimes) =>
  sql`(r.state = 'running' and r.leased_until > ${now}::bigint and r.leased_until <= ${farAhead}::bigint)`;

const isOpen = (times: TakingTimes) => sql`
  (r.state = 'waiting' and (r.due_at <= ${times.now}::bigint or r.due_at > ${times.farAhead}::bigint)
    or r.state = 'running' and not ${isLeased(times)})`;

/** The plans of these works. Rows: one a work, its open runs by schedule_run_open. */
export async function plansOf(system: Db, names: readonly string[], times: TakingTimes): Promise<Plan[]> {
  const { rows } = await sql<Plan>`
    select name, planned_to as "plannedTo",
      exists (select from schedule_run r where r.name = p.name and ${isOpen(times)}) as "hasWork"
    from schedule_plan p where name = any(${[...names]}::text[])`.execute(system);
  return rows;
}

/** Works that are new are planned from now on. */
export async function addPlans(system: Db, names: readonly string[], now: number): Promise<void> {
  await sql`
    insert into schedule_plan (name, planned_to) select name, ${now}::bigint from unnest(${[...names]}::text[]) name
    on conflict (name) do nothing`.execute(system);
}

/** Locks the plan of a work for the transaction and returns until when it is planned; undefined while another has it. */
export async function lockPlan(db: Db, name: string): Promise<number | undefined> {
  const { rows } = await sql<{ planned_to: number }>`
    select planned_to from schedule_plan where name = ${name} for update skip locked`.execute(db);
  return rows[0]?.planned_to;
}

/** After the clock was set back: moments of a time that is still to come have not been. */
export async function planAgain(db: Db, name: string, now: number): Promise<void> {
  await sql`delete from schedule_run where name = ${name} and planned_at > ${now}::bigint`.execute(db);
  await sql`update schedule_plan set planned_to = ${now}::bigint where name = ${name}`.execute(db);
}

/**
 * Adds moments, of which the last one is to be done and those before it were missed, as is what has not begun yet.
 * The plan is locked.
 */
export async function addMoments(
  db: Db,
  { name, moments, isLate }: { name: string; moments: readonly number[]; isLate: boolean },
  now: number,
): Promise<void> {
  await sql`
    update schedule_run set state = case when tries = 0 then 'missed' else 'failed' end, ended_at = ${now}::bigint
    where name = ${name} and state = 'waiting'`.execute(db);
  await sql`
    insert into schedule_run (name, planned_at, state, is_late, due_at)
    select ${name}, at, case when at = ${moments.at(-1)}::bigint then 'waiting' else 'missed' end,
      ${isLate} and at = ${moments.at(-1)}::bigint, ${now}::bigint
    from unnest(${[...moments]}::bigint[]) at on conflict (name, planned_at) do nothing`.execute(db);
  await sql`update schedule_plan set planned_to = ${now}::bigint where name = ${name}`.execute(db);
}

/**
 * Takes the run of a work that is due, or whose process has died, unless another one is running. One that has ended
 * the process in each of its tries has failed. The plan is locked.
 */
export async function takeRun(db: Db, name: string, times: TakingTimes): Promise<TakenRun | undefined> {
  await sql`
    update schedule_run r set state = 'failed', ended_at = ${times.now}::bigint, error = 'its process ended in each try'
    where name = ${name} and state = 'running' and tries >= ${times.mostTries} and not ${isLeased(times)}`.execute(
    db,
  );
  const { rows } = await sql<TakenRun>`
    update schedule_run r set state = 'running', tries = tries + 1, leased_until = ${times.leaseEnds}::bigint,
      started_at = ${times.now}::bigint
    where name = ${name} and planned_at = (
      select r.planned_at from schedule_run r where r.name = ${name} and ${isOpen(times)}
        and not exists (select from schedule_run r where r.name = ${name} and ${isLeased(times)})
      order by r.planned_at limit 1)
    returning name, planned_at as "plannedAt", is_late as "isLate", tries`.execute(db);
  return rows[0];
}

/** Keeps taken runs from being taken by another process. */
export async function renewLeases(
  system: Db,
  runs: readonly TakenRun[],
  { leaseEnds }: TakingTimes,
): Promise<void> {
  for (const { name, plannedAt, tries } of runs)
    await sql`
      update schedule_run set leased_until = ${leaseEnds}::bigint
      where name = ${name} and planned_at = ${plannedAt} and tries = ${tries} and state = 'running'`.execute(
      system,
    );
}

/** How an attempt has ended; `dueAt` is that of the next one. */
export type RunEnd =
  | { readonly state: "done" }
  | { readonly state: "waiting"; readonly dueAt: number; readonly error: string }
  | { readonly state: "failed"; readonly error: string };

/** Records the end of an attempt, if no other process has taken the run since. */
export async function endRun(
  system: Db,
  { name, plannedAt, tries }: TakenRun,
  end: RunEnd,
  now: number,
): Promise<void> {
  await sql`
    update schedule_run set state = ${end.state}, leased_until = null, ended_at = ${now}::bigint,
      error = ${end.state === "done" ? null : end.error},
      due_at = coalesce(${end.state === "waiting" ? end.dueAt : null}::bigint, due_at)
    where name = ${name} and planned_at = ${plannedAt} and tries = ${tries} and state = 'running'`.execute(
    system,
  );
}

/** Deletes runs planned before this time. Rows: all, some ten thousand. */
export async function forgetRuns(db: Db, before: number): Promise<void> {
  await sql`delete from schedule_run where planned_at < ${before}::bigint`.execute(db);
}

/** What became of the planned moments of a work. */
export interface ScheduleReport {
  readonly name: string;
  /** When it was last done; null: not yet, or longer ago than runs are kept. */
  readonly doneAt: number | null;
  readonly missed: number;
  readonly failed: number;
  /** Why the last attempt failed; null if it did not. */
  readonly error: string | null;
}

/** One line a work that was ever planned, by name. Rows: all runs, some ten thousand. */
export async function scheduleReports(system: Db): Promise<ScheduleReport[]> {
  const { rows } = await sql<ScheduleReport>`
    select p.name, max(r.ended_at) filter (where r.state = 'done') as "doneAt",
      count(*) filter (where r.state = 'missed')::int as missed,
      count(*) filter (where r.state = 'failed')::int as failed,
      (array_agg(r.error order by r.planned_at desc) filter (where r.started_at is not null))[1] as error
    from schedule_plan p left join schedule_run r on r.name = p.name
    group by p.name order by p.name`.execute(system);
  return rows;
}
