import { problem } from "@metrum/contract/core";
import type { Ctx } from "#core";
import { closedSpans, type ClosedSpan } from "#accounting/closed-periods";
import { isTrusted } from "../judged/index.ts";
import type { Opened } from "./sources.ts";

/** Time whose consumption rests on the values of an exception: from the known value before to the one after them. */
function reachOf({ judged, row }: Opened): { readonly from: number; readonly to: number } {
  if (judged?.isProfile) return { from: row.from_ts, to: row.to_ts + judged.everySec };
  const values = judged?.levels.get(row.field) ?? [];
  const before = values.findLast(({ ts, status }) => ts < row.from_ts && isTrusted(status));
  const after = values.find(({ ts, status }) => ts > row.to_ts && isTrusted(status));
  return { from: before?.ts ?? row.from_ts - 1, to: after?.ts ?? row.to_ts + 1 };
}

/** The closed settlement period that bills the values of an exception, in the zone of the point that they measure. */
export async function closedPeriodOf(ctx: Pick<Ctx, "db">, opened: Opened): Promise<ClosedSpan | undefined> {
  const { device, row } = opened;
  const reach = reachOf(opened);
  const touched = (device?.points ?? []).filter(
    ({ from_ts, to_ts }) => from_ts < reach.to && (to_ts ?? Infinity) > reach.from,
  );
  for (const { zone, from_ts, to_ts } of touched) {
    const span = { from: Math.max(reach.from, from_ts), to: Math.min(reach.to, to_ts ?? Infinity) };
    const [closed] = await closedSpans(ctx.db, row.company_id, { ...span, zone });
    if (closed) return closed;
  }
  return undefined;
}

export const periodClosed = ({ from_day, to_day }: ClosedSpan) =>
  problem("period_closed", { params: { from: from_day, to: to_day } });
