import type { PointWhy } from "@metrum/contract/accounting";
import { amountDecimals, storedDecimals } from "@metrum/vocabulary";
import { decimal, decimalOf, textOf } from "#core";

type Exact = string | number | null | undefined;

/** Decimals of an exact amount without the zeros at its end; readings that were interpolated may have all of them. */
function scaleOf(amount: Exact): number {
  if (amount === null || amount === undefined) return 0;
  const { scale } = typeof amount === "number" ? decimalOf(amount) : decimal(textOf(decimal(amount)));
  return Math.min(scale, storedDecimals);
}

const mostOf = (amounts: readonly Exact[]): number => Math.max(amountDecimals, ...amounts.map(scaleOf));

/**
 * Decimals of all readings and of all amounts of an explanation: those of every table, more where the numbers have more,
 * so that the parts add up to the total as they are shown.
 */
export function whyDecimals(
  { parts, earlier }: Pick<PointWhy, "parts" | "earlier">,
  totals: readonly Exact[],
): PointWhy["decimals"] {
  const ends = parts.flatMap(({ start, end }) => [start, end]).filter((each) => each !== null);
  const all = ends.flatMap((each) => [each, ...each.around]);
  const readings = [
    ...parts.map(({ register_growth }) => register_growth),
    ...[...all, ...all.flatMap(({ rivals }) => rivals), ...earlier].map(({ value }) => value),
  ];
  return {
    values: mostOf(readings),
    amounts: mostOf([...totals, ...parts.map(({ amount_exact }) => amount_exact)]),
  };
}
