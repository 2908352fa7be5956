import { periodBounds, type periods } from "@metrum/contract/accounting";
import { pageSize, problem, type ParsedOf, type ReplyOf } from "@metrum/contract/core";
import { resolveOne, type Ctx } from "#core";
import { registerWords } from "#accounting/accounting-points";
import type { Acting } from "./acting.ts";
import { countChanged, presentLosses } from "./differing.ts";
import { liveSummary, livePreview } from "./liveStore.ts";
import { daysOfMonth, isOver, monthOf, monthOfDay, monthsBack, type Month } from "./months.ts";
import { stateOf } from "./state.ts";
import * as read from "./readStore.ts";
import { recomputingPoints } from "./recomputing.ts";
import type { PeriodId } from "#accounting/closed-periods";

type Shown = ReplyOf<typeof periods.get>["period"];

/** Open months of a page whose completeness is counted: the newest ones. The preview counts any. */
const mostCounted = 3;
const usualPage = 12;
const usualTotals = 100;

export async function periodList(
  ctx: Acting,
  body: ParsedOf<typeof periods.list>["body"],
): Promise<ReplyOf<typeof periods.list>["periods"]> {
  const { db, scope, clock } = ctx;
  const limit = Math.min(body.per_page ?? usualPage, periodBounds.listed);
  const page = body.page ?? 1;
  const newest = monthOf(clock.now());
  const oldest = monthOfDay((await read.firstDay(db, scope)) ?? `${newest}-01`);
  const all = monthsBack(newest, oldest, periodBounds.months);
  const months = all.slice((page - 1) * limit, page * limit);
  const rows = await read.periodsOf(db, scope, { from_days: months.map((each) => `${each}-01`) });
  const byMonth = new Map(rows.map((row) => [monthOfDay(row.from_day), row]));
  const open = months.filter((month) => byMonth.get(month)?.state !== "closed").slice(0, mostCounted);
  const data: Shown[] = [];
  for (const month of months)
    data.push(await shownMonth(ctx, month, byMonth.get(month), open.includes(month)));
  return {
    data,
    current_page: page,
    last_page: Math.max(1, Math.ceil(all.length / limit)),
    per_page: limit,
    total: all.length,
  };
}

async function shownMonth(
  ctx: Acting,
  month: Month,
  row: read.PeriodRow | undefined,
  isCounted: boolean,
): Promise<Shown> {
  const days = daysOfMonth(month);
  const state = stateOf(row, isOver(days, null, ctx.clock.now()));
  if (row?.state === "closed") return { ...headOf(month, row), state, ...(await closedNumbers(ctx, row)) };
  const counted = { ...days, at: ctx.clock.now() };
  const summary = isCounted ? await liveSummary(ctx.db, ctx.scope, counted) : null;
  return {
    ...(row ? headOf(month, row) : neverClosed(month)),
    state,
    summary,
    differing: null,
    is_comparing: false,
  };
}

type Numbers = "state" | "summary" | "differing" | "is_comparing";

const neverClosed = (month: Month): Omit<Shown, Numbers> => ({
  id: null,
  month,
  ...daysOfMonth(month),
  version: 0,
  closed_at: null,
  closed_by: null,
  reopened_at: null,
  reopened_by: null,
  reopen_reason: null,
});

function headOf(month: Month, row: read.PeriodRow): Omit<Shown, Numbers> {
  const { differing: _, is_stale: __, state: ___, ...head } = row;
  return { ...head, month };
}

const closedNumbers = async (ctx: Acting, row: read.PeriodRow) => ({
  summary: await read.storedSummary(ctx.db, ctx.scope, row),
  differing: await differingOf(ctx, row),
  is_comparing: row.is_stale,
});

/** As counted in the background; for a user who sees only some points, counted now for these. */
async function differingOf({ db, scope }: Acting, row: read.PeriodRow): Promise<number> {
  if (!scope.onlyTiedDevices) return row.differing;
  return countChanged(db, scope, row);
}

export async function shownPeriod(ctx: Acting, id: PeriodId): Promise<Shown> {
  const [row] = await read.periodsOf(ctx.db, ctx.scope, { id });
  if (!row) throw problem("not_found");
  return shownMonth(ctx, monthOfDay(row.from_day), row, true);
}

/** A period with its versions, and totals beside others. Problem: not_found. */
export async function openPeriod(
  ctx: Acting & Pick<Ctx, "language">,
  body: ParsedOf<typeof periods.get>["body"],
): Promise<ReplyOf<typeof periods.get>> {
  const { db, scope } = ctx;
  const id = await resolveOne(ctx, "settlementPeriod", body.id);
  const period = await shownPeriod(ctx, id);
  const losses = await presentLosses(db, scope, period);
  const sides = { version: body.version ?? period.version, compare: body.compare ?? 0 };
  if (Math.max(sides.version, sides.compare) > period.version) throw problem("not_found");
  const compared = { id, days: period, losses, ...sides };
  const { digest } = await livePreview(db, scope, { days: period, losses });
  return {
    period,
    versions: await versionsOf(ctx, id, compared.version),
    now: {
      differing: await read.countDiffering(db, scope, { ...compared, version: period.version, compare: 0 }),
      recomputing: await recomputingPoints(ctx, period),
      digest,
    },
    resources: await read.resourcesOf(db, scope, compared),
    totals: await totalsOf(ctx, compared, body),
  };
}

/** The digest of the shown version is checked against its totals. */
async function versionsOf({ db, scope }: Acting, id: PeriodId, shown: number) {
  const rows = await read.versionsOf(db, scope, id);
  const digest = await read.storedDigest(db, id, shown);
  return rows.map((row) => ({ ...row, is_intact: row.version === shown ? row.digest === digest : null }));
}

async function totalsOf(
  { db, scope, language }: Acting & Pick<Ctx, "language">,
  compared: read.Compared,
  body: ParsedOf<typeof periods.get>["body"],
): Promise<ReplyOf<typeof periods.get>["totals"]> {
  const limit = pageSize(body.per_page ?? usualTotals, periodBounds.totals);
  const page = body.page ?? 1;
  const { total, rows } = await read.totalsPage(db, scope, {
    ...compared,
    onlyDifferent: body.only_different ?? false,
    search: body.search_string ?? "",
    limit,
    offset: (page - 1) * limit,
  });
  return {
    data: rows.map(({ b_amount, b_carried, b_estimated, b_covered, b_start, b_end, b_loss, ...row }) => ({
      ...row,
      register: registerWords(row, language),
      other: {
        amount: b_amount,
        carried: b_carried,
        estimated: b_estimated,
        covered: b_covered,
        start_value: b_start,
        end_value: b_end,
        loss: b_loss,
      },
    })),
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / limit)),
    per_page: limit,
    total,
  };
}
