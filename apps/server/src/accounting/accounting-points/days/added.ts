import { statuses } from "@metrum/vocabulary";
import { microScale, share, type Decimal } from "#core";

/** Consumption that a person has added; `to` exclusive. */
export interface AddedAmount {
  readonly field: string;
  readonly from: number;
  readonly to: number;
  readonly amount: Decimal;
  readonly note: string;
}

/** The part of an added amount in a day. */
export interface AddedPart {
  readonly from: number;
  readonly to: number;
  readonly amount: Decimal;
  readonly status: number;
  readonly note: string;
}

/**
 * Parts of added amounts in a day, by time: the parts of one amount add up to it exactly. They are estimates.
 */
export function addedTo(
  added: readonly AddedAmount[],
  { field, start, end }: { readonly field: string; readonly start: number; readonly end: number },
): AddedPart[] {
  return added.flatMap((each) => {
    if (each.field !== field || each.from >= end || each.to <= start) return [];
    const [from, to] = [Math.max(each.from, start), Math.min(each.to, end)];
    const scale = Math.max(each.amount.scale, microScale);
    const whole = each.amount.units * 10n ** BigInt(scale - each.amount.scale);
    const until = (ts: number): bigint => share(whole, ts - each.from, each.to - each.from);
    const amount = { units: until(to) - until(from), scale };
    return [{ from, to, amount, status: statuses.estimated.id, note: each.note }];
  });
}
