import type { meterlessMethods } from "@metrum/contract/accounting";
import { problem } from "@metrum/contract/core";
import type { AccountingPointId } from "@metrum/vocabulary";
import type { Ctx } from "#core";
import {
  amountsBefore,
  deleteAmountsBefore,
  insertAmount,
  meterlessAmount,
  type AmountBefore,
} from "../ties/index.ts";
import { refuseBilled, type PointDevice, type PointDeviceId } from "../records/index.ts";

type Method = (typeof meterlessMethods)[number];

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Time without a meter before an interval, as it was and as a correction makes it; null: there is none. */
export interface Gap {
  /** The interval after it: amounts belong to that one. */
  readonly tieId: PointDeviceId;
  /** The interval before it, whose load can fill it. */
  readonly old: PointDevice;
  readonly before: Span | null;
  readonly after: Span | null;
  /** The corrected end. */
  readonly field: "from" | "to";
}

/** Times without a meter that become longer, shorter or none when an interval of a point is corrected. */
export function changedGaps(
  all: readonly PointDevice[],
  tie: PointDevice,
  { from, to }: { readonly from: number; readonly to: number | null },
): Gap[] {
  const at = all.indexOf(tie);
  const [previous, next] = [all[at - 1], all[at + 1]];
  const gaps: Gap[] = [];
  if (previous && from !== tie.from_ts)
    gaps.push({
      tieId: tie.id,
      old: previous,
      before: gapOf(previous.to_ts, tie.from_ts),
      after: gapOf(previous.to_ts, from),
      field: "from",
    });
  if (next && to !== tie.to_ts)
    gaps.push({
      tieId: next.id,
      old: { ...tie, from_ts: from },
      before: gapOf(tie.to_ts, next.from_ts),
      after: gapOf(to, next.from_ts),
      field: "to",
    });
  return gaps;
}

const gapOf = (from: number | null, to: number): Span | null =>
  from === null || from >= to ? null : { from, to };

interface Said {
  readonly meterless?: Method | undefined;
  readonly meterless_amount?: number | undefined;
  readonly note?: string | undefined;
}

/**
 * Amounts of the time without a meter follow a correction: by the load before they are computed again, an entered one
 * has to be entered again, and time that a meter has measured has none. Returns the amounts before and after.
 * Problems: period_closed, point_load_unknown, wrong_input.
 */
export async function recountGaps(
  ctx: Ctx,
  pointId: AccountingPointId,
  { gaps, said }: { readonly gaps: readonly Gap[]; readonly said: Said },
): Promise<{ readonly before: readonly AmountBefore[]; readonly after: readonly AmountBefore[] }> {
  const before = await amountsBefore(ctx.db, { pointId, tieIds: gaps.map(({ tieId }) => tieId) });
  const counted = gaps.flatMap((gap) => {
    const stored = before.find(({ tieId }) => tieId === gap.tieId);
    const method = said.meterless ?? (stored?.method as Method | undefined);
    return method === undefined ? [] : [{ ...gap, method, note: said.note ?? stored?.note ?? "" }];
  });
  refuseTwoEntered(counted);
  const after: AmountBefore[] = [];
  for (const { tieId, old, before: was, after: span, method, note, field } of counted) {
    const [from, to] = [least(was, span), most(was, span)];
    await refuseBilled(ctx, pointId, { from, to, field });
    await deleteAmountsBefore(ctx.db, { pointId, tieId });
    if (span === null) continue;
    const swap = { old, removed: span.from, installed: span.to };
    const amount = await meterlessAmount(ctx, { ...swap, ...said, pointId, meterless: method });
    if (amount === null) continue;
    await insertAmount(ctx.db, ctx.scope, {
      ...{ pointId, field: "main", ...span, amount, method, note },
      pointDeviceId: tieId,
    });
    after.push({ tieId, ...span, amount, method, note });
  }
  return { before, after };
}

/** One amount cannot be that of two times. Problem: wrong_input. */
function refuseTwoEntered(counted: readonly (Pick<Gap, "after"> & { readonly method: Method })[]): void {
  if (counted.filter(({ after, method }) => after !== null && method === "entered").length > 1)
    throw problem("wrong_input", { attributes: { meterless_amount: ["one_gap"] } });
}

const least = (one: Span | null, other: Span | null): number =>
  Math.min(one?.from ?? Infinity, other?.from ?? Infinity);
const most = (one: Span | null, other: Span | null): number =>
  Math.max(one?.to ?? -Infinity, other?.to ?? -Infinity);
