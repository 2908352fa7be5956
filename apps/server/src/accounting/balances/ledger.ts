import type { Balance, BalancePoint, BalanceRole } from "@metrum/contract/accounting";
import type { Language } from "@metrum/vocabulary";
import { absolute, shareOf, shown } from "#core";
import type { Result } from "./compute.ts";
import { said } from "./words.ts";

/** Parts of a bar that are told apart. */
const mostParts = 8;

/**
 * Bars of the ledger: what came in above, what left, was lost and is not explained below. Both have one scale, that of
 * the longer one.
 */
export function ledgerOf(
  points: readonly BalancePoint[],
  { exacts }: Result,
  { allowed, language }: { readonly allowed: number; readonly language: Language },
): Balance["ledger"] {
  if (!exacts) return { in: [], out: [], losses: null, imbalance: null, limit_at: null };
  const [into, out, losses] = [exacts.in, exacts.out, exacts.losses].map(shown) as [number, number, number];
  const whole = Math.max(Math.abs(into), Math.abs(out) + Math.abs(losses));
  const width = (amount: number): number =>
    whole === 0 ? 0 : Math.round((Math.abs(amount) / whole) * 100_000) / 1000;
  const partsOf = (role: BalanceRole) => {
    const own = points.filter((point) => point.role === role && (point.amount ?? 0) !== 0);
    const named = own.length > mostParts + 1 ? own.slice(0, mostParts) : own;
    const parts = named.map(({ point_id, name, amount }) => ({
      point_id: point_id as number | null,
      name,
      amount: amount ?? 0,
      width: width(amount ?? 0),
    }));
    if (named.length === own.length) return parts;
    const amount = own.slice(mostParts).reduce((sum, each) => sum + (each.amount ?? 0), 0);
    const name = said("other_points", language, { count: own.length - mostParts });
    return [...parts, { point_id: null, name, amount, width: width(amount) }];
  };
  const of = (name: "losses_name" | "imbalance_name", amount: number) =>
    amount === 0 ? null : { point_id: null, name: said(name, language), amount, width: width(amount) };
  const limit = shown(shareOf(absolute(exacts.in), String(allowed)) / 100n);
  const end = Math.min(Math.abs(into), Math.abs(out) + Math.abs(losses));
  return {
    in: partsOf("in"),
    out: partsOf("out"),
    losses: of("losses_name", losses),
    imbalance: of("imbalance_name", shown(exacts.imbalance)),
    limit_at: end + limit > whole ? null : width(end + limit),
  };
}
