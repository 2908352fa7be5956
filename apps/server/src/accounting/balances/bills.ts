import type { Balance, BalancePoint } from "@metrum/contract/accounting";
import { amountDecimals, storedDecimals, type AccountingPointId, type Language } from "@metrum/vocabulary";
import { numberText } from "#core";
import type { ClosedBill, ClosedBills } from "#accounting/accounting-points";
import { monthText, said } from "./words.ts";

interface Words {
  readonly unit: string;
  readonly language: Language;
}

/** Closed months of the days of a balance: whether their bills are what the balance is computed of. */
export const shownClosed = (closed: readonly ClosedBills[], language: Language): Balance["closed"] =>
  closed.map(({ from_day, to_day, version, differing: { size: differing } }) => ({
    ...{ from_day, to_day, version, differing },
    text: said(differing === 0 ? "closed_same" : "closed_other", language, {
      month: monthText(from_day),
      ...{ version, count: differing },
    }),
  }));

/** What closed months bill of a point, where its days give something else now. */
export const billsOf = (
  closed: readonly ClosedBills[],
  pointId: AccountingPointId,
  words: Words,
): BalancePoint["bills"] =>
  closed.flatMap((period) => {
    const bill = period.differing.get(pointId);
    if (!bill) return [];
    const { from_day, to_day, version } = period;
    return [
      {
        ...{ from_day, to_day, version, text: textOf(period, bill, words) },
        ...{ amount: numberOf(bill.amount), now: numberOf(bill.now), difference: numberOf(bill.difference) },
      },
    ];
  });

const numberOf = (exact: string | null): number | null => (exact === null ? null : Number(exact));

const codeOf = ({ amount, now }: ClosedBill) => {
  if (amount === null) return "bill_without";
  return now === null ? "bill_gone" : "bill_other";
};

function textOf({ from_day, version }: ClosedBills, bill: ClosedBill, { unit, language }: Words): string {
  const shown = (exact: string | null, most = amountDecimals) =>
    `${numberText(Number(exact ?? "0"), language, { least: amountDecimals, most })} ${unit}`;
  const sign = bill.difference === null || bill.difference.startsWith("-") ? "" : "+";
  return said(codeOf(bill), language, {
    ...{ month: monthText(from_day), version },
    ...{
      billed: shown(bill.amount),
      now: shown(bill.now),
      // A difference may be smaller than what amounts are shown with.
      difference: `${sign}${shown(bill.difference, storedDecimals)}`,
    },
  });
}
