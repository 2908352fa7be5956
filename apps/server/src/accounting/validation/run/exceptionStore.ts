import { validationBounds, type ValidationKind, type ValidationOutcome } from "@metrum/contract/accounting";
import type { DeviceId, FieldName } from "@metrum/vocabulary";
import { sql } from "kysely";
import { storableText, type Db } from "#core";
import type { Found } from "./findings.ts";
import type { Evidence, Numbers } from "../judged/index.ts";
import type { BeforeValue, ExceptionId, StepAction } from "../tables.ts";

/** An exception as the run compares it with what it finds now. */
export interface StandingException {
  readonly id: ExceptionId;
  readonly kind: ValidationKind;
  readonly field: FieldName;
  readonly msg_type: number;
  readonly from_ts: number;
  readonly to_ts: number;
  readonly values_n: number;
  readonly code: string;
  readonly evidence: Evidence;
  readonly outcome: ValidationOutcome | null;
}

/** One run at a time writes the exceptions of a device: others wait for the end of its transaction. */
export async function lockDevice(db: Db, deviceId: DeviceId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('validation'), ${deviceId}::int)`.execute(db);
}

/** Exceptions of a device that touch a span. Rows: a few, by the unique index of the device. */
export async function standingExceptions(
  db: Db,
  of: { readonly deviceId: DeviceId; readonly from: number; readonly to: number },
): Promise<StandingException[]> {
  const { rows } = await sql<StandingException>`
    select id, kind, field, msg_type, from_ts, to_ts, values_n, code, evidence, outcome from validation_exception
    where device_id = ${of.deviceId}::int and to_ts >= ${of.from}::bigint and from_ts <= ${of.to}::bigint`.execute(
    db,
  );
  return rows;
}

interface NewException {
  readonly companyId: number;
  readonly deviceId: DeviceId;
  readonly pointId: number | null;
  readonly found: Found;
  readonly numbers: Numbers;
  readonly at: number;
}

/** A finding that is new, unless the rule has as many open ones as it may: then it is counted. */
export async function addException(
  db: Db,
  { companyId, deviceId, pointId, found, numbers, at }: NewException,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into validation_exception (company_id, device_id, point_id, kind, field, msg_type, from_ts, to_ts, values_n, code,
      evidence, numbers, found_at)
    select ${companyId}::int, ${deviceId}::int, ${pointId}::int, ${found.kind}, ${found.field}, ${found.msgType}::smallint,
      ${found.from}::bigint, ${found.to}::bigint, ${found.values}::int, ${found.code}, ${JSON.stringify(found.evidence)}::jsonb,
      ${JSON.stringify(numbers)}::jsonb, ${at}::bigint
    where (select count(*) from (select from validation_exception where company_id = ${companyId}::int and kind = ${found.kind}
      and outcome is null limit ${validationBounds.openOfRule}) open) < ${validationBounds.openOfRule}
    on conflict (device_id, kind, field, msg_type, from_ts) do nothing returning id`.execute(db);
  if (rows.length > 0) return;
  await sql`
    insert into validation_overflow as o (company_id, kind, not_kept, last_at)
    values (${companyId}::int, ${found.kind}, 1, ${at}::bigint)
    on conflict (company_id, kind) do update set not_kept = o.not_kept + 1, last_at = excluded.last_at`.execute(
    db,
  );
}

/** An open exception as it is found now: longer, shorter, or with other numbers. */
export async function updateException(
  db: Db,
  id: ExceptionId,
  found: Found,
  numbers: Numbers,
): Promise<void> {
  await sql`
    update validation_exception e set from_ts = case when exists (select from validation_exception other
        where other.device_id = e.device_id and other.kind = e.kind and other.field = e.field
          and other.msg_type = ${found.msgType}::smallint and other.from_ts = ${found.from}::bigint and other.id <> e.id)
      then e.from_ts else ${found.from}::bigint end, to_ts = ${found.to}::bigint, msg_type = ${found.msgType}::smallint,
      values_n = ${found.values}::int, code = ${found.code}, evidence = ${JSON.stringify(found.evidence)}::jsonb,
      numbers = ${JSON.stringify(numbers)}::jsonb
    where id = ${id}::int`.execute(db);
}

/** Opens a closed exception again: its cause has come back. */
export async function reopenException(db: Db, id: ExceptionId): Promise<void> {
  await sql`
    update validation_exception set outcome = null, reason = null, closed_at = null, closed_by = null, before = null
    where id = ${id}::int`.execute(db);
}

export async function closeException(
  db: Db,
  id: ExceptionId,
  how: {
    readonly outcome: ValidationOutcome;
    readonly at: number;
    readonly reason?: string;
    readonly userId?: number;
    readonly before?: readonly BeforeValue[];
  },
): Promise<void> {
  await sql`
    update validation_exception set outcome = ${how.outcome}, reason = ${how.reason ?? null}, closed_at = ${how.at}::bigint,
      closed_by = ${how.userId ?? null}::int, before = ${how.before ? JSON.stringify(how.before) : null}::jsonb
    where id = ${id}::int`.execute(db);
}

/**
 * Adds a step. Of steps without words the newest are kept: what fails and heals each hour would fill the table, and
 * the audit log has each decision. Comments are bounded by their own number. Index validation_step_of.
 */
export async function addStep(
  db: Db,
  step: {
    readonly exceptionId: ExceptionId;
    readonly companyId: number;
    readonly at: number;
    readonly action: StepAction;
    readonly userId?: number;
    readonly text?: string;
  },
): Promise<void> {
  await sql`
    insert into validation_step (exception_id, company_id, at, user_id, action, text)
    values (${step.exceptionId}::int, ${step.companyId}::int, ${step.at}::bigint, ${step.userId ?? null}::int, ${step.action},
      ${storableText(step.text ?? "")})`.execute(db);
  if (step.action !== "comment") {
    await sql`
      delete from validation_step where exception_id = ${step.exceptionId}::int and action <> 'comment' and id < (
        select min(id) from (
          select id from validation_step where exception_id = ${step.exceptionId}::int and action <> 'comment'
          order by id desc limit ${validationBounds.steps}::int) kept)`.execute(db);
    return;
  }
  await sql`update validation_exception set comments = comments + 1 where id = ${step.exceptionId}::int`.execute(
    db,
  );
}

/** Deletes exceptions closed before an instant, some at a time; returns how many. Index validation_exception_closed. */
export async function deleteClosed(db: Db, before: number, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gone as (
      delete from validation_exception where id in (
        select id from validation_exception where outcome is not null and closed_at < ${before}::bigint limit ${limit}::int)
      returning 1
    ) select count(*)::int as n from gone`.execute(db);
  return rows[0]?.n ?? 0;
}
