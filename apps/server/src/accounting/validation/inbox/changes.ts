import type { OpenedException } from "@metrum/contract/accounting";
import { dayOf, dayText, difference, startOfDay, type Ctx } from "#core";
import { balancesWith, type ChangedBalance } from "#accounting/balances";
import { pointAt } from "../judged/index.ts";
import { changedDays, totalsWith, type Proposal } from "../estimate/index.ts";
import type { Opened } from "./sources.ts";

/** The calendar month of a day, as days since 1970-01-01; `to` exclusive. */
function monthOf(day: number): { readonly from: number; readonly to: number } {
  const [year = 1970, month = 1] = dayText(day).split("-").map(Number);
  const first = (index: number): number => Date.UTC(year, index, 1) / 86_400_000;
  return { from: first(month - 1), to: first(month) };
}

/** Day and month of the exception, as they are and with the estimate. */
export function changesOf(
  { judged, row, ratioOver }: Opened,
  proposal: Proposal | undefined,
): OpenedException["changes"] {
  if (!judged || !proposal) return [];
  const day = dayOf(row.zone, row.from_ts);
  const spans = [
    { period: "day" as const, from: day, to: day + 1 },
    { period: "month" as const, ...monthOf(day) },
  ];
  return spans.map(({ period, from, to }) => {
    const span = { from: startOfDay(row.zone, from), to: startOfDay(row.zone, to) };
    const { before, after, change, isLower } = totalsWith(judged, proposal, { ...span, ratioOver });
    return { period, startDate: span.from, stopDate: span.to, before, after, change, is_lower: isLower };
  });
}

/**
 * Balances of the month that rest on the point, as they are and with the estimate. A profile is in none: they rest on
 * the register.
 */
export async function balancesOf(
  ctx: Ctx,
  { judged, row, device, ratioOver }: Opened,
  proposal: Proposal | undefined,
): Promise<OpenedException["balances"]> {
  const point = device && pointAt(device, row.from_ts);
  if (!judged || !proposal || judged.isProfile || point?.field !== row.field) return [];
  const { zone } = point;
  const { from, to } = monthOf(dayOf(zone, row.from_ts));
  const range = { first: from, last: Math.min(to, dayOf(zone, ctx.clock.now())) - 1 };
  const changed = changedDays(judged, proposal, { zone, ...range, ratioOver });
  const named = { first: dayOf(zone, row.from_ts), last: dayOf(zone, row.to_ts) };
  const found = await balancesWith(ctx, { pointId: point.point_id, named, range, changed });
  return found.map(shownBalance);
}

function shownBalance(balance: ChangedBalance): OpenedException["balances"][number] {
  const { id, name, allowed, before, after, isWithin } = balance;
  const [one, other] = [before.imbalance, after.imbalance];
  return {
    balance_group_id: id,
    name,
    before: one,
    after: other,
    change: one === null || other === null ? null : difference(other, one),
    before_percent: before.imbalance_percent,
    after_percent: after.imbalance_percent,
    allowed_percent: allowed,
    is_within: isWithin,
  };
}
