/**
 * Exact decimals as whole numbers of 10^-24: amounts have up to 18 decimals and coefficients up to 6, so that their
 * product is exact.
 */
export type Exact = bigint;

const amountDecimals = 18;
const factorDecimals = 6;
const decimals = amountDecimals + factorDecimals;
const shownDecimals = 6;
/** A millionth: what is shown, and what most amounts are whole numbers of. */
export const microUnit: Exact = 10n ** BigInt(decimals - shownDecimals);

/** Whole number of 10^-`places` nearest to a decimal text of PostgreSQL: "-12.5", never an exponent. */
export function wholeOf(text: string, places: number): bigint {
  const point = text.indexOf(".");
  if (point < 0) return BigInt(text) * 10n ** BigInt(places);
  const fraction = text.slice(point + 1);
  const kept = BigInt(text.slice(0, point) + fraction.slice(0, places).padEnd(places, "0"));
  const isRoundedUp = (fraction[places] ?? "0") >= "5";
  if (!isRoundedUp) return kept;
  return text.startsWith("-") ? kept - 1n : kept + 1n;
}

/** An amount times a coefficient. */
export const amountOf = (text: string, factor: bigint): Exact => wholeOf(text, amountDecimals) * factor;

/** A coefficient as a factor of `amountOf`. */
export const factorOf = (text: string): bigint => wholeOf(text, factorDecimals);

/** The coefficient 1. */
export const oneFactor = 10n ** BigInt(factorDecimals);

/** Millionths times a coefficient. */
export const amountOfMicro = (micro: number, factor: bigint): Exact =>
  BigInt(micro) * 10n ** BigInt(amountDecimals - shownDecimals) * factor;

/** A decimal text as an exact number. */
export const exactOf = (text: string): Exact => wholeOf(text, decimals);

/** A share of an amount, rounded half away from zero; `text` is the share as a decimal. */
export function shareOf(amount: Exact, text: string): Exact {
  const unit = 10n ** 12n;
  return divided(amount * wholeOf(text, 12), unit);
}

/** `part` / `of` of an amount, rounded half away from zero; both are positive whole numbers. */
export const partOf = (amount: Exact, part: number, of: number): Exact =>
  divided(amount * BigInt(part), BigInt(of));

/** Quotient, rounded half away from zero; `by` is positive. */
function divided(value: bigint, by: bigint): bigint {
  const half = by / 2n;
  return value < 0n ? -((-value + half) / by) : (value + half) / by;
}

/** The number that is shown: six decimals, exactly rounded. */
export const shown = (value: Exact): number => Number(divided(value, microUnit)) / 10 ** shownDecimals;

/** `part` in percent of `whole`, with six decimals; null of nothing. */
export function percentOf(part: Exact, whole: Exact): number | null {
  if (whole === 0n) return null;
  const scaled = part * 100n * 10n ** BigInt(shownDecimals);
  return Number(divided(whole < 0n ? -scaled : scaled, whole < 0n ? -whole : whole)) / 10 ** shownDecimals;
}

export const absolute = (value: Exact): Exact => (value < 0n ? -value : value);
