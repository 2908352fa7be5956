import { decimal, microScale, numberOf, unitsAt } from "#core";

const micro = 10n ** BigInt(microScale);
/** Between the ratios of current and voltage transformers: x of both alphabets, and signs of a product. */
const product = /[x×хX·*]/;
const pair = /^(\d{1,9}(?:[.,]\d{1,6})?)\s*[/:]\s*(\d{1,9}(?:[.,]\d{1,6})?)\s*[АAВV]?$/;
const single = /^\d{1,9}(?:[.,]\d{1,6})?$/;

/**
 * The ratio of transformers as registers have it: 40, 200/5, 200/5 x 10000/100. Undefined for other texts, for
 * a pair whose secondary value is the greater one, and for a quotient that six decimals do not hold.
 */
export function ratioIn(text: string): number | undefined {
  let [primary, secondary] = [1n, 1n];
  for (const part of text.split(product)) {
    const factor = factorOf(part.trim());
    if (!factor) return undefined;
    primary *= factor.primary;
    secondary *= factor.secondary;
  }
  if (secondary === 0n || (primary * micro) % secondary !== 0n) return undefined;
  const ratio = (primary * micro) / secondary;
  return ratio > 0n ? numberOf(ratio) : undefined;
}

interface Factor {
  readonly primary: bigint;
  readonly secondary: bigint;
}

function factorOf(part: string): Factor | undefined {
  const [, first, second] = pair.exec(part) ?? [];
  if (first === undefined || second === undefined)
    return single.test(part) ? { primary: microOf(part), secondary: micro } : undefined;
  const [primary, secondary] = [microOf(first), microOf(second)];
  return primary < secondary ? undefined : { primary, secondary };
}

const microOf = (digits: string): bigint => unitsAt(decimal(digits.replace(",", ".")), microScale);
