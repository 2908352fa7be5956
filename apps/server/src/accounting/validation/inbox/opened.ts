import type { OpenedException, validation } from "@metrum/contract/accounting";
import { problem, type ParsedOf } from "@metrum/contract/core";
import { dayOf, resolveOne, rounded, startOfDay, type Ctx } from "#core";
import { readEvents } from "#metering/messages";
import { balancesOf, changesOf } from "./changes.ts";
import { closedPeriodOf } from "./closed.ts";
import { estimated, spanOf, writtenBy } from "./decide.ts";
import { estimateBy, preferred, propose, standingValues, type Proposal } from "../estimate/index.ts";
import { otherEvidence } from "./evidence.ts";
import { isTrusted, type Judged, type Step } from "../judged/index.ts";
import * as store from "./listStore.ts";
import { methodTitles, methodWords } from "./methodWords.ts";
import { decisionsOf, limitOf, momentText, unitOfField } from "./words.ts";
import { shownException } from "./shown.ts";
import { openSources, type Opened } from "./sources.ts";

type Body = ParsedOf<typeof validation.get>["body"];
type Chart = OpenedException["chart"];
type Window = Chart["window"];

const hourSec = 3600;
const daySec = 86_400;
/** Steps of a chart: a month of half-hours. */
const mostShown = 1_600;

/** One exception with its evidence. Problems: not_found, estimate_impossible. */
export async function openException(ctx: Ctx, body: Body): Promise<OpenedException> {
  const id = await resolveOne(ctx, "exception", body.exception_id);
  const [row] = await store.exceptionsById(ctx.db, ctx.scope, [id]);
  if (!row) throw problem("not_found");
  const opened = await openSources(ctx, row);
  const proposal = proposalOf(opened, body);
  const window = body.window ?? "around";
  const closed = await closedPeriodOf(ctx, opened);
  const { language } = ctx;
  const { title, decimals } = unitOfField(row.field, row.device_group_id);
  return {
    exception: shownException(row, ctx),
    limit: limitOf(row, language),
    facts: {
      highest: numberOf(row, "highest"),
      usual: numberOf(row, "usual"),
      limit: numberOf(row, "limit"),
      ratio: opened.ratioOver({ from: row.from_ts, to: row.from_ts + 1 }) ?? 1,
      clock_offset: opened.register?.clock.at(-1)?.offset ?? null,
      in_30_days: await store.timesIn30Days(ctx.db, row),
      consumer: row.point_id === null ? null : await store.consumerAt(ctx.db, row.point_id, row.from_ts),
      model: row.model_title,
    },
    closed_period: closed ? { id: closed.period_id, from_day: closed.from_day, to_day: closed.to_day } : null,
    evidence: await otherEvidence(ctx, opened, proposal),
    unit: title[language],
    decimals,
    zone: row.zone,
    chart: await chartOf(ctx, opened, { window, proposal }),
    proposal: proposal ? shownProposal(opened, proposal, ctx) : null,
    changes: changesOf(opened, proposal),
    balances: await balancesOf(ctx, opened, proposal),
    steps: await store.stepsOf(ctx.db, row.id),
    decides: decisionsOf(row, language),
    can: canOf(opened, proposal, closed !== undefined),
  };
}

/** A number of the evidence of an exception; null: it has none of this name. */
function numberOf({ evidence }: store.ExceptionRow, name: string): number | null {
  const value = evidence[name];
  return typeof value === "number" ? value : null;
}

function proposalOf({ row, sources }: Opened, { method, amount }: Body): Proposal | undefined {
  if (!sources || row.outcome !== null || !estimated.includes(row.kind)) return undefined;
  if (method === undefined) return propose(sources);
  const found = estimateBy(method, sources, amount);
  if (!found) throw problem("estimate_impossible");
  return found;
}

function shownProposal(
  { sources, row }: Opened,
  proposal: Proposal,
  { language }: Ctx,
): OpenedException["proposal"] {
  const methods = sources ? [...preferred(sources), "given" as const] : [];
  return {
    method: proposal.method,
    text: methodWords(proposal, language, row.zone),
    total: String(proposal.total),
    methods: methods.map((method) => ({
      method,
      title: methodTitles[method][language],
      is_possible: method === "given" || (sources !== undefined && estimateBy(method, sources) !== undefined),
    })),
  };
}

/** Values that are billed stay; what writes none can be decided. */
function canOf(opened: Opened, proposal: Proposal | undefined, isBilled: boolean): OpenedException["can"] {
  const { row, judged } = opened;
  const isOpen = row.outcome === null;
  const isHeld = isBilled && judged !== undefined && standingValues(judged, spanOf(row)).length > 0;
  return {
    accept: isOpen && !isHeld,
    reject: isOpen && !isHeld,
    estimate: proposal !== undefined && !isBilled,
    ask: isOpen,
    undo: !isOpen && row.outcome !== "gone" && !(isBilled && writtenBy(opened).length > 0),
  };
}

function spanOfWindow({ row, judged }: Opened, window: Window): { from: number; to: number } {
  const { zone } = row;
  if (window === "around") {
    const half = Math.ceil((row.to_ts - row.from_ts) / 2);
    const side = Math.max(6 * hourSec, half, 3 * Math.ceil(judged?.everySec ?? hourSec));
    return { from: row.from_ts - side, to: row.to_ts + side };
  }
  const day = dayOf(zone, row.from_ts);
  const days = { day: [0, 1], week: [-3, 4], month: [-15, 16] }[window];
  return {
    from: startOfDay(zone, day + (days[0] ?? 0)),
    to: Math.max(startOfDay(zone, day + (days[1] ?? 1)), Math.min(row.to_ts, row.from_ts + 62 * daySec)),
  };
}

async function chartOf(
  ctx: Ctx,
  opened: Opened,
  { window, proposal }: { readonly window: Window; readonly proposal: Proposal | undefined },
): Promise<Chart> {
  const { judged, row } = opened;
  const span = spanOfWindow(opened, window);
  const stepSec = judged?.everySec ?? hourSec;
  const shown = judged ? doubtfulSteps(judged, row) : { measured: [], suspect: [] };
  const isShown = ({ from, to }: Pick<Step, "from" | "to">): boolean => to > span.from && from < span.to;
  const events = await readEvents(ctx.db, { deviceId: row.device_id, ...span, limit: 20 });
  return {
    window,
    startDate: span.from,
    stopDate: span.to,
    stepSec: Math.max(1, Math.round(stepSec)),
    measured: withHoles(shown.measured.filter(isShown).slice(-mostShown), stepSec),
    suspect: shown.suspect.filter(isShown).slice(-mostShown).map(moment),
    estimate: (proposal?.amounts ?? []).map(({ at, amount }) => ({ at, value: rounded(amount) })),
    limit: row.kind === "spike" ? numberOf(row, "limit") : null,
    marks: events.map(({ ts }) => ({ at: ts, text: momentText(ts, row.zone) })),
  };
}

const moment = ({ from, amount }: Step) => ({ at: from, value: rounded(amount) });

/** Steps by whether the exception doubts the value that they rest on. */
function doubtfulSteps(judged: Judged, row: store.ExceptionRow): { measured: Step[]; suspect: Step[] } {
  const doubted = new Set(
    standingValues(judged, { kind: row.kind, field: row.field, from: row.from_ts, to: row.to_ts }).map(
      ({ ts }) => ts,
    ),
  );
  const isPoint = row.kind === "spike" || row.kind === "negative" || row.kind === "unit";
  const isDoubted = ({ value, from }: Step): boolean =>
    isPoint ? doubted.has(value.ts) : from >= row.from_ts && from <= row.to_ts && row.kind !== "gap";
  return {
    measured: [...judged.steps],
    suspect: judged.steps.filter((step) => isDoubted(step) && isTrusted(step.value.status)),
  };
}

/** A null where a value is missing, so that the line breaks there. */
function withHoles(steps: readonly Step[], stepSec: number): Chart["measured"] {
  return steps.flatMap((step, at) => {
    const before = steps[at - 1];
    const isLong = step.to - step.from > stepSec * 1.9;
    const hole = before && step.from - before.to > stepSec / 2 ? [{ at: before.to, value: null }] : [];
    // Consumption over a hole belongs to no single step.
    return isLong ? [...hole, { at: step.from, value: null }] : [...hole, moment(step)];
  });
}
