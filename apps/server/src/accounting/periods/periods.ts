import { periodBounds, type periods } from "@metrum/contract/accounting";
import { pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import { record, resolveOne } from "#core";
import type { Acting } from "./acting.ts";
import { lockPeriods } from "#accounting/closed-periods";
import { openInMonth } from "#accounting/validation";
import { countChanged, presentLosses } from "./differing.ts";
import * as live from "./liveStore.ts";
import { daysOfMonth, isOver, refuseFuture } from "./months.ts";
import * as read from "./readStore.ts";
import { recomputingPoints } from "./recomputing.ts";
import { shownPeriod } from "./shown.ts";
import { stateOf } from "./state.ts";
import * as store from "./store.ts";

type Shown = ReplyOf<typeof periods.close>["period"];
type Of<Name extends "close" | "correct" | "reopen" | "preview"> = ParsedOf<(typeof periods)[Name]>["body"];

const usualPage = 100;

/** What a closing would store now. */
export async function preview(ctx: Acting, body: Of<"preview">): Promise<ReplyOf<typeof periods.preview>> {
  const { db, scope, clock } = ctx;
  const days = daysOfMonth(body.month);
  const limit = pageSize(body.per_page ?? usualPage, periodBounds.totals);
  const page = body.page ?? 1;
  const losses = await presentLosses(db, scope, days);
  // Of a running month the days to come lack nothing.
  const counted = { ...days, at: clock.now() };
  const { ends, counted_to, ...counts } = await live.livePreview(db, scope, { days: counted, losses });
  const isRunning = !isOver(days, ends, clock.now());
  const [row] = await read.periodsOf(db, scope, { from_days: [days.from_day] });
  return {
    preview: {
      ...counts,
      month: body.month,
      ...days,
      counted_to: counted_to ?? days.to_day,
      state: stateOf(row, !isRunning),
      recomputing: await recomputingPoints(ctx, days),
      exceptions: await openInMonth(db, scope, body.month),
    },
    incomplete: {
      data: await live.incompletePoints(db, scope, counted, { limit, offset: (page - 1) * limit }),
      current_page: page,
      last_page: Math.max(1, Math.ceil(counts.lacking / limit)),
      per_page: limit,
      total: counts.lacking,
    },
  };
}

/**
 * Closes a month: its totals are those that the user has seen. Problems: tied_devices_only, period_is_closed,
 * period_running, period_empty, period_limit, and those of `storeSeen`.
 */
export async function closeMonth(ctx: Acting, body: Of<"close">): Promise<Shown> {
  const { db, scope, clock } = ctx;
  refuseTied(ctx);
  await lockPeriods(db, scope);
  const days = daysOfMonth(body.month);
  refuseFuture(days, clock.now());
  const [row] = await read.periodsOf(db, scope, { from_days: [days.from_day] });
  if (row?.state === "closed") throw problem("period_is_closed");
  const ends = await live.endOf(db, scope, days);
  if (!isOver(days, ends, clock.now())) throw problem("period_running");
  const id = row?.id ?? (await addPeriod(ctx, days));
  const version = (row?.version ?? 0) + 1;
  const stored = await storeSeen(ctx, days, body.digest, {
    id,
    version,
    kind: "close",
    reason: body.reason ?? "",
  });
  if (stored.points === 0) throw problem("period_empty");
  if (stored.lacking > 0 && body.accepts_incomplete !== true)
    throw problem("period_incomplete", { params: { count: stored.lacking } });
  await store.markClosed(db, id, { version, at: clock.now(), userId: scope.userId });
  await store.markGapEnds(db, scope.companyId, days);
  await recordPeriod(ctx, "period.close", id, { month: body.month, version, ...stored });
  return shownPeriod(ctx, id);
}

async function addPeriod({ db, scope }: Acting, days: live.Days) {
  if ((await store.countPeriods(db, scope)) >= periodBounds.months)
    throw problem("period_limit", { params: { max: periodBounds.months } });
  return store.insertPeriod(db, scope, days);
}

/**
 * Stores a version, if its totals are those that the user has seen. Problems: period_recomputing,
 * period_changed, period_limit.
 */
async function storeSeen(
  ctx: Acting,
  days: live.Days,
  digest: string,
  version: Omit<store.NewVersion, "made_at" | "losses">,
): Promise<live.TotalsSummary & { readonly digest: string }> {
  if (version.version > periodBounds.versions)
    throw problem("period_limit", { params: { max: periodBounds.versions } });
  const count = await recomputingPoints(ctx, days);
  if (count > 0) throw problem("period_recomputing", { params: { count } });
  const losses = await presentLosses(ctx.db, ctx.scope, days);
  const stored = await store.storeVersion(ctx.db, ctx.scope, days, {
    ...version,
    losses,
    made_at: ctx.clock.now(),
  });
  if (stored.digest !== digest) throw problem("period_changed");
  return stored;
}

/**
 * Stores the present totals of a closed period as a further version. Problems: tied_devices_only, not_found,
 * period_is_open, period_same, and those of `storeSeen`.
 */
export async function correctPeriod(
  ctx: Acting,
  body: Of<"correct">,
): Promise<{ period: Shown; version: number }> {
  const { db, scope, clock } = ctx;
  refuseTied(ctx);
  await lockPeriods(db, scope);
  const row = await closedPeriod(ctx, body.id);
  const { id } = row;
  const version = row.version + 1;
  const differing = await countChanged(db, scope, row);
  if (differing === 0) throw problem("period_same");
  const stored = await storeSeen(ctx, row, body.digest, {
    id,
    version,
    kind: "correction",
    reason: body.reason,
  });
  await store.markCorrected(db, id, version, clock.now());
  await store.markGapEnds(db, scope.companyId, row);
  await recordPeriod(ctx, "period.correct", id, { version, differing, reason: body.reason, ...stored });
  return { period: await shownPeriod(ctx, id), version };
}

/** Problems: not_found, period_is_open. */
export async function reopenPeriod(ctx: Acting, body: Of<"reopen">): Promise<Shown> {
  const { db, scope, clock } = ctx;
  await lockPeriods(db, scope);
  const row = await closedPeriod(ctx, body.id);
  const { id, version } = row;
  await store.markOpen(db, id, { at: clock.now(), userId: scope.userId, reason: body.reason });
  await store.markGapEnds(db, scope.companyId, row);
  await recordPeriod(ctx, "period.reopen", id, { version, reason: body.reason });
  return shownPeriod(ctx, id);
}

async function closedPeriod(ctx: Acting, given: number): Promise<read.PeriodRow> {
  const id = await resolveOne(ctx, "settlementPeriod", given);
  const [row] = await read.periodsOf(ctx.db, ctx.scope, { id });
  if (row?.state !== "closed") throw problem("period_is_open");
  return row;
}

/** Whoever sees only some points does not decide about the totals of all. */
function refuseTied({ scope }: Acting): void {
  if (scope.onlyTiedDevices) throw problem("tied_devices_only");
}

const recordPeriod = (
  ctx: Acting,
  action: "period.close" | "period.correct" | "period.reopen",
  id: number,
  after: object,
): Promise<void> => record(ctx, { action, subject: `settlement period ${String(id)}`, after: { ...after } });
