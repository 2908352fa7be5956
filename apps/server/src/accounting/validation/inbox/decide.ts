import {
  validationBounds,
  type EstimationMethod,
  type validation,
  type ValidationOutcome,
} from "@metrum/contract/accounting";
import { problem, type ParsedOf } from "@metrum/contract/core";
import { statuses, type DeviceId, type FieldName } from "@metrum/vocabulary";
import { record, resolve, resolveOne, type Ctx } from "#core";
import {
  growth,
  ingestEach,
  sourceName,
  statusName,
  vouched,
  mostGiven,
  type Incoming,
} from "#metering/messages";
import { holdPeriods, type ClosedSpan } from "#accounting/closed-periods";
import { closedPeriodOf, periodClosed } from "./closed.ts";
import * as list from "./listStore.ts";
import { addStep, closeException, reopenException } from "../run/index.ts";
import { openSources, type Opened } from "./sources.ts";
import { estimateBy, propose, standingValues, type Proposal } from "../estimate/index.ts";
import { isTrusted, type Judged, type Value } from "../judged/index.ts";
import { settledBy, type Settled } from "./settled.ts";
import type { BeforeValue, ExceptionId } from "../tables.ts";
import { filterOf } from "./shown.ts";

type Chosen = ParsedOf<typeof validation.accept>["body"];
type Verb = "accept" | "reject" | "estimate";
export type Wanted = Chosen & {
  readonly method?: EstimationMethod | undefined;
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
};

/** Values that one call may write: a decision about hundreds of exceptions is taken in several. */
const mostValues = 20_000;

const outcomes: Readonly<Record<Verb, ValidationOutcome>> = {
  accept: "accepted",
  reject: "rejected",
  estimate: "estimated",
};

/** Open exceptions of a decision, locked: two people cannot decide one. Problems: not_found, validation_closed. */
async function lockChosen(
  ctx: Ctx,
  { exception_ids, filter }: Chosen,
): Promise<{ rows: list.ExceptionRow[]; total: number }> {
  const { db, scope } = ctx;
  const narrowed = await filterOf(ctx, filter ?? {});
  if (exception_ids) {
    const ids = await resolve(ctx, "exception", exception_ids);
    const rows = await list.exceptionsById(db, scope, ids, true);
    if (rows.some(({ outcome }) => outcome !== null)) throw problem("validation_closed");
    return { rows, total: rows.length };
  }
  const { ids, total } = await list.openIds(db, scope, narrowed, validationBounds.decided);
  const rows = await list.exceptionsById(db, scope, ids, true);
  return { rows: rows.filter(({ outcome }) => outcome === null), total };
}

/**
 * Decides exceptions; each is audited. Those without a base for an estimate stay open, and of a filter those whose
 * values are billed, or too many for one decision. Problems: not_found, validation_closed, validation_too_large,
 * period_closed; wrong_input without the amount of the method "given".
 */
export async function decide(
  ctx: Ctx,
  verb: Verb,
  wanted: Wanted,
): Promise<{ decided: number; left: number }> {
  if (wanted.method === "given" && wanted.amount === undefined)
    throw problem("wrong_input", { attributes: { amount: ["required"] } });
  await holdPeriods(ctx.db, ctx.scope);
  const { rows, total } = await lockChosen(ctx, wanted);
  let [decided, written] = [0, 0];
  let billed: ClosedSpan | undefined;
  for (const row of rows) {
    if (written > mostValues) break;
    const opened = await openSources(ctx, row);
    const proposal = verb === "estimate" ? proposalOf(opened, wanted) : undefined;
    if (verb === "estimate" && !proposal) continue;
    if (isTooLarge(opened, wanted)) continue;
    const closed = await billedIn(ctx, opened, proposal);
    if (closed && wanted.exception_ids) throw periodClosed(closed);
    if (closed) {
      billed = closed;
      continue;
    }
    const decision = { verb, row, opened, proposal, reason: wanted.reason };
    const before = await writeDecision(ctx, decision);
    await noteDecision(ctx, decision, before);
    written += before.length;
    decided += 1;
  }
  if (decided === 0 && billed) throw periodClosed(billed);
  return { decided, left: total - decided };
}

/** Too many values for one decision; of a filter such an exception stays open. Problem: validation_too_large. */
function isTooLarge({ isWhole }: Opened, { exception_ids }: Wanted): boolean {
  if (!isWhole && exception_ids) throw problem("validation_too_large", { params: { max: mostGiven } });
  return !isWhole;
}

/** The exception is closed, and the log has what was done with it. */
async function noteDecision(
  ctx: Ctx,
  { verb, row, proposal, reason }: Omit<Writing, "opened">,
  before: readonly BeforeValue[],
): Promise<void> {
  const at = ctx.clock.now();
  const userId = ctx.scope.userId;
  await closeException(ctx.db, row.id, { outcome: outcomes[verb], at, userId, before });
  await addStep(ctx.db, {
    exceptionId: row.id,
    companyId: row.company_id,
    at,
    userId,
    action: verb,
    text: proposal ? proposal.method : (reason ?? ""),
  });
  await record(ctx, {
    action: `validation.${verb}`,
    subject: `device ${String(row.device_id)}`,
    before: { values: before.slice(0, 20) },
    after: {
      exception: row.id,
      rule: row.kind,
      from: row.from_ts,
      to: row.to_ts,
      values: before.length,
      ...(proposal ? { method: proposal.method, total: proposal.total } : {}),
      ...(reason ? { reason } : {}),
    },
  });
}

/** The closed period that bills what a decision would write; what writes nothing alters no bill. */
const billedIn = async (ctx: Ctx, opened: Opened, proposal: Proposal | undefined) =>
  doubted(opened).length > 0 || proposal ? closedPeriodOf(ctx, opened) : undefined;

/** Values that a decision is about, as they stand. */
const doubted = ({ judged, row }: Opened): readonly Value[] =>
  judged ? standingValues(judged, spanOf(row)) : [];

/** Kinds whose values can be replaced by an estimate: the others doubt how much was used, not what was read. */
export const estimated: readonly string[] = ["spike", "gap", "negative", "unit"];

function proposalOf({ sources }: Opened, { method, amount }: Wanted): Proposal | undefined {
  if (!sources) return undefined;
  return method === undefined ? propose(sources) : estimateBy(method, sources, amount);
}

interface Writing {
  readonly verb: Verb;
  readonly row: list.ExceptionRow;
  readonly opened: Opened;
  readonly proposal: Proposal | undefined;
  readonly reason: string | undefined;
}

/** Writes a decision through ingest; returns the values as they stood before. */
async function writeDecision(
  ctx: Ctx,
  { verb, row, opened, proposal, reason }: Writing,
): Promise<BeforeValue[]> {
  const { judged, register } = opened;
  if (!judged || !register) return [];
  const userId = ctx.scope.userId;
  const why = reason ?? `validation: ${row.kind}`;
  const own = { deviceId: row.device_id, field: row.field, userId, reason: why };
  const standing = doubted(opened);
  const settled = verb === "estimate" ? undefined : settledBy(verb, opened);
  if (settled) return settle(ctx, own, { ...settled, standing });
  if (verb === "accept") {
    const vouching = { userId, reason: why };
    await ingestEach(
      ctx,
      standing.map((value) => vouched(verdict(own, value, value.status), vouching)),
    );
    return standing.map(beforeOf);
  }
  const cleared = judged.isProfile ? [] : clearedBy(judged, row, standing);
  await ingestEach(ctx, [
    ...standing.map((value) => verdict(own, value, statuses.rejected.id)),
    ...cleared.map((value) => verdict(own, value, statuses.measured.id)),
  ]);
  const before = [...standing, ...cleared].map(beforeOf);
  if (!proposal) return before;
  const receivedAt = ctx.clock.now();
  const extra = { method: proposal.method, reason: why, exception: row.id };
  const estimates = proposal.values.flatMap(({ msgTypes, ts, value }) =>
    msgTypes.map((msgType): Incoming => ({
      deviceId: row.device_id,
      msgType,
      ts,
      receivedAt,
      source: "calculated",
      status: "estimated",
      values: { [row.field]: value },
      extra,
      isReleased: true,
      userId,
      reason: why,
    })),
  );
  await ingestEach(ctx, estimates);
  const replaced = new Set(before.map(({ msgType, ts }) => `${String(msgType)} ${String(ts)}`));
  const added = estimates
    .filter(({ msgType, ts }) => !replaced.has(`${String(msgType)} ${String(ts)}`))
    .map(({ msgType, ts }) => ({ msgType, ts, value: null, status: 0, source: 0, receivedAt }));
  return [...before, ...added];
}

/** Writes which of contradicting values are right; returns the values as they stood before. */
async function settle(
  ctx: Ctx,
  own: Own,
  { right, wrong, standing }: Settled & { readonly standing: readonly Value[] },
): Promise<BeforeValue[]> {
  await ingestEach(ctx, [
    ...right.map((value) => vouched(verdict(own, value, value.status), own)),
    ...wrong.map((value) => verdict(own, value, statuses.rejected.id)),
  ]);
  return standing.map(beforeOf);
}

export const spanOf = (row: list.ExceptionRow) => ({
  kind: row.kind,
  field: row.field,
  from: row.from_ts,
  to: row.to_ts,
});

const beforeOf = ({ msgType, ts, value, status, source, receivedAt }: Value): BeforeValue => ({
  msgType,
  ts,
  value,
  status,
  source,
  receivedAt,
});

interface Own {
  readonly deviceId: DeviceId;
  readonly field: FieldName;
  readonly userId: number;
  readonly reason: string;
}

/** A status for a value that stands, with its source and receipt: the way down to its bytes stays. */
function verdict({ field, ...own }: Own, value: BeforeValue, status: number): Incoming {
  return {
    ...own,
    msgType: value.msgType,
    ts: value.ts,
    receivedAt: value.receivedAt,
    source: sourceName(value.source),
    status: statusName(status),
    values: { [field]: value.value },
    isReleased: true,
    isVerdict: true,
  };
}

/**
 * Suspects after refused values that are in line with the trusted value before them: only what is refused now
 * made them look like a fall.
 */
function clearedBy(judged: Judged, row: list.ExceptionRow, refused: readonly Value[]): readonly Value[] {
  if (refused.length === 0) return [];
  const values = judged.levels.get(row.field) ?? [];
  const before = values.findLast(({ ts, status }) => ts < row.from_ts && isTrusted(status));
  const next = values.filter(({ ts }) => ts > row.to_ts).slice(0, 3);
  return next.filter((value, at) => {
    if (value.status !== statuses.suspect.id || !before) return false;
    const after = next.slice(at + 1).find((each) => isTrusted(each.status));
    const range = judged.rangeOf(value.field);
    const isAfterAll = growth(before, value, range) !== null;
    return isAfterAll && (!after || growth(value, after, range) !== null);
  });
}

/** Whether a value stood beside another before it was accepted. */
const isRival = (judged: Judged | undefined, value: Value | undefined): boolean =>
  judged?.rivals?.some(
    (each) => each.ts === value?.ts && each.msgType === value.msgType && each.value === value.value,
  ) === true;

interface Standing {
  readonly before: BeforeValue;
  readonly value: Value;
}

/** Values that a decision has written and that still stand, with what was before: a better value that came since stays. */
export function writtenBy({ row, judged }: Opened): readonly Standing[] {
  const keyOf = ({ msgType, ts }: Pick<BeforeValue, "msgType" | "ts">) => `${String(msgType)} ${String(ts)}`;
  const now = new Map((judged?.levels.get(row.field) ?? []).map((value) => [keyOf(value), value]));
  return (row.before ?? []).flatMap((before) => {
    const value = now.get(keyOf(before));
    const isWritten = value?.value === before.value || value?.method !== undefined || isRival(judged, value);
    return value && isWritten ? [{ before, value }] : [];
  });
}

/**
 * Takes a decision back: every value stands as before it. Returns how many; null without a decision. Problems:
 * not_found, period_closed.
 */
export async function undo(ctx: Ctx, exceptionId: number): Promise<number | null> {
  const id = await resolveOne(ctx, "exception", exceptionId);
  await holdPeriods(ctx.db, ctx.scope);
  const [row] = await list.exceptionsById(ctx.db, ctx.scope, [id], true);
  if (!row || row.outcome === null || row.outcome === "gone") return null;
  const opened = await openSources(ctx, row);
  const own = {
    deviceId: row.device_id,
    field: row.field,
    userId: ctx.scope.userId,
    reason: "validation: undo",
  };
  const mine = writtenBy(opened);
  const closed = mine.length > 0 ? await closedPeriodOf(ctx, opened) : undefined;
  if (closed) throw periodClosed(closed);
  await ingestEach(
    ctx,
    mine.flatMap(({ before, value }) =>
      value.value === before.value ? [] : [verdict(own, value, statuses.rejected.id)],
    ),
  );
  await ingestEach(
    ctx,
    mine.flatMap(({ before }) => (before.value === null ? [] : [verdict(own, before, before.status)])),
  );
  const at = ctx.clock.now();
  await reopenException(ctx.db, row.id);
  await addStep(ctx.db, {
    exceptionId: row.id,
    companyId: row.company_id,
    at,
    userId: ctx.scope.userId,
    action: "undo",
  });
  await record(ctx, {
    action: "validation.undo",
    subject: `device ${String(row.device_id)}`,
    before: { outcome: row.outcome },
    after: { exception: row.id, rule: row.kind, values: mine.length },
  });
  return mine.length;
}

/** Adds a comment. Problems: not_found, too_many_comments. */
export async function comment(ctx: Ctx, exceptionId: number, text: string): Promise<number> {
  const id: ExceptionId = await resolveOne(ctx, "exception", exceptionId);
  const [row] = await list.exceptionsById(ctx.db, ctx.scope, [id], true);
  if (!row) throw problem("not_found");
  if (row.comments >= validationBounds.steps)
    throw problem("too_many_comments", { params: { max: validationBounds.steps } });
  await addStep(ctx.db, {
    exceptionId: id,
    companyId: row.company_id,
    at: ctx.clock.now(),
    userId: ctx.scope.userId,
    action: "comment",
    text,
  });
  await record(ctx, {
    action: "validation.comment",
    subject: `device ${String(row.device_id)}`,
    after: { exception: id, text },
  });
  return row.comments + 1;
}
