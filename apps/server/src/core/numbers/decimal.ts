/**
 * Exact decimals: the only arithmetic of amounts and readings that is shown or billed. A double stands for its
 * shortest decimal, which is what its text means: 1000000000000.878 has three decimals although its binary value
 * has more. Whole digits and decimals together have at most 15 places that a double holds for certain.
 */
export interface Decimal {
  /** The value is `units` / 10 ^ `scale`. */
  readonly units: bigint;
  readonly scale: number;
}

export const zero: Decimal = { units: 0n, scale: 0 };
export const one: Decimal = { units: 1n, scale: 0 };

/** Decimals of readings: further ones are noise of a unit conversion. */
export const microScale = 6;
const million = 1e6;
/** Below it the product with a million has no error of half a millionth. */
const exactBelow = 1e9;
/** Millionths of which two still add up without an error. */
export const mostMicro = 2 ** 52;

/** Reads a decimal as PostgreSQL writes it: `12`, `-0.5`. Throws SyntaxError for anything else. */
export function decimal(text: string): Decimal {
  const [whole = "", part = ""] = text.split(".");
  return { units: BigInt(whole + part), scale: part.length };
}

/** The shortest decimal of a number. Throws SyntaxError for NaN and the infinities. */
export function decimalOf(value: number): Decimal {
  const [digits = "", exponent = "0"] = String(value).split("e");
  const { units, scale } = decimal(digits);
  const places = scale - Number(exponent);
  return places < 0 ? { units: units * 10n ** BigInt(-places), scale: 0 } : { units, scale: places };
}

/** Shortest form: `12.5`, without zeros at the end. */
export function textOf({ units, scale }: Decimal): string {
  if (scale === 0) return units.toString();
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const part = digits.slice(-scale).replace(/0+$/, "");
  return `${sign}${digits.slice(0, -scale)}${part === "" ? "" : `.${part}`}`;
}

const shifted = ({ units, scale }: Decimal, to: number): bigint => units * 10n ** BigInt(to - scale);

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: shifted(a, scale) + shifted(b, scale), scale };
}

export const minus = (a: Decimal, { units, scale }: Decimal): Decimal => plus(a, { units: -units, scale });

export function times(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

export function isEqual(a: Decimal, b: Decimal): boolean {
  const scale = Math.max(a.scale, b.scale);
  return shifted(a, scale) === shifted(b, scale);
}

/** Units of a decimal at another scale, rounded half away from zero. */
export const unitsAt = (value: Decimal, scale: number): bigint =>
  value.scale <= scale ? shifted(value, scale) : divided(value.units, 10n ** BigInt(value.scale - scale));

/** Millionths as a decimal. */
export const ofMicro = (units: bigint): Decimal => ({ units, scale: microScale });

/** A reading in millionths. */
export const microOf = (value: number): bigint =>
  Math.abs(value) < exactBelow ? BigInt(Math.round(value * million)) : unitsAt(decimalOf(value), microScale);

/** Whether a number keeps the digits of its text, to a millionth; one with an exponent has none to lose. */
export function keepsDigits(value: number, text: string): boolean {
  if (/e/i.test(text)) return true;
  const lost = microOf(value) - unitsAt(decimal(text), microScale);
  return lost >= -1n && lost <= 1n;
}

/** Millionths as a number, for registers shown as the device shows them. */
export function numberOf(micro: bigint): number {
  const units = Number(micro);
  return Math.abs(units) <= mostMicro ? units / million : Number(textOf(ofMicro(micro)));
}

/** A number with six decimals. */
export const rounded = (value: number): number =>
  Math.abs(value) < exactBelow ? Math.round(value * million) / million : numberOf(microOf(value));

/** A number with so many decimals, rounded half away from zero. */
export const roundedTo = (value: number, decimals: number): number =>
  Number(textOf({ units: unitsAt(decimalOf(value), decimals), scale: decimals }));

/** The product of numbers, with all its decimals. */
export const exactProduct = (a: number, b: number): number =>
  Number(textOf(times(decimalOf(a), decimalOf(b))));

/** `a` - `b`, exact to six decimals: consecutive differences add up to that of the first and the last. */
export const difference = (a: number, b: number): number =>
  areSmall(a, b)
    ? (Math.round(a * million) - Math.round(b * million)) / million + 0
    : numberOf(microOf(a) - microOf(b));

const areSmall = (a: number, b: number): boolean => Math.abs(a) < exactBelow && Math.abs(b) < exactBelow;

/** Exact sum of readings, six decimals. */
export function sum(values: readonly number[]): number {
  let [micro, rest] = [0, 0n];
  for (const value of values) {
    if (Math.abs(value) < exactBelow) micro += Math.round(value * million);
    else rest += microOf(value);
    if (Math.abs(micro) <= mostMicro) continue;
    rest += BigInt(micro);
    micro = 0;
  }
  return rest === 0n ? micro / million : numberOf(rest + BigInt(micro));
}

/** A reading times factors, rounded half away from zero to six decimals. */
export function product(value: number, ...factors: readonly number[]): number {
  const [factor = 1] = factors;
  const micro = factors.length > 1 ? Number.NaN : smallProduct(value, factor);
  if (!Number.isNaN(micro)) return micro / million;
  const exact = factors.reduce((all, each) => times(all, decimalOf(each)), decimalOf(value));
  return numberOf(unitsAt(exact, microScale));
}

/** Millionths of a product whose whole numbers a double holds; NaN: it holds them not, or there are more decimals. */
function smallProduct(value: number, factor: number): number {
  const micro = Math.round(value * million);
  if (micro / million !== value) return Number.NaN;
  if (Number.isInteger(factor))
    return Math.abs(micro * factor) <= mostMicro ? micro * factor + 0 : Number.NaN;
  const parts = Math.round(factor * million);
  const exact = micro * parts;
  if (parts / million !== factor || Math.abs(exact) > mostMicro) return Number.NaN;
  return Math.sign(exact) * Math.round(Math.abs(exact) / million) + 0;
}

/** `whole` * `part` / `of`, rounded half up; for a part from nothing to the whole. */
export function share(whole: bigint, part: number, of: number): bigint {
  const [numerator, denominator] = [whole * BigInt(part) * 2n + BigInt(of), BigInt(of) * 2n];
  const cut = numerator / denominator;
  return numerator < 0n && cut * denominator !== numerator ? cut - 1n : cut;
}

const [minusCode, pointCode, zeroCode] = ["-", ".", "0"].map((each) => each.charCodeAt(0)) as [
  number,
  number,
  number,
];
const microOfDecimals = Array.from(
  { length: microScale + 1 },
  (_, decimals) => 10 ** (microScale - decimals),
);

/** The whole number that stands in digits between two places of a text. */
export function wholeIn(text: string, from: number, to: number): number {
  let whole = 0;
  for (let at = from; at < to; at += 1) whole = whole * 10 + (text.charCodeAt(at) - zeroCode);
  return whole;
}

/**
 * Millionths of the decimal that stands between two places of a text, as PostgreSQL writes it; no text is made for it.
 * NaN: it has more than six decimals, or is larger than `mostMicro`.
 */
export function microIn(text: string, from: number, to: number): number {
  const isNegative = text.charCodeAt(from) === minusCode;
  let units = 0;
  let point = to - 1;
  for (let at = isNegative ? from + 1 : from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === pointCode) point = at;
    else units = units * 10 + (code - zeroCode);
  }
  const micro = units * (microOfDecimals[to - 1 - point] ?? Number.NaN);
  if (!(micro <= mostMicro)) return Number.NaN;
  return isNegative ? -micro : micro;
}

/**
 * Amounts of balances as whole numbers of 10^-24: they have up to 18 decimals and coefficients up to 6, so that their
 * product is exact.
 */
export type Exact = bigint;

const amountDecimals = 18;
const factorDecimals = 6;
const exactDecimals = amountDecimals + factorDecimals;
/** A millionth: what is shown, and what most amounts are whole numbers of. */
export const microUnit: Exact = 10n ** BigInt(exactDecimals - microScale);

/** Powers of ten: to compute one takes longer than to multiply with it. */
const powers = Array.from({ length: exactDecimals + 1 }, (_, places) => 10n ** BigInt(places));
const power = (places: number): bigint => powers[places] ?? 10n ** BigInt(places);
const microPower = power(amountDecimals - microScale);

/** Whole number of 10^-`places` nearest to a decimal text of PostgreSQL: "-12.5", never an exponent. */
export function wholeOf(text: string, places: number): bigint {
  const point = text.indexOf(".");
  if (point < 0) return BigInt(text) * power(places);
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

const oneMicro = microPower * oneFactor;

/** Millionths times a coefficient. */
export const amountOfMicro = (micro: number, factor: bigint): Exact =>
  BigInt(micro) * (factor === oneFactor ? oneMicro : microPower * factor);

/** A decimal text as an exact amount. */
export const exactOf = (text: string): Exact => wholeOf(text, exactDecimals);

/** A share of an amount, rounded half away from zero; `text` is the share as a decimal. */
export const shareOf = (amount: Exact, text: string): Exact =>
  divided(amount * wholeOf(text, 12), 10n ** 12n);

/** `part` / `of` of an amount, rounded half away from zero; both are positive whole numbers. */
export const partOf = (amount: Exact, part: number, of: number): Exact =>
  divided(amount * BigInt(part), BigInt(of));

/** Quotient, rounded half away from zero; `by` is positive. */
function divided(value: bigint, by: bigint): bigint {
  const half = by / 2n;
  return value < 0n ? -((-value + half) / by) : (value + half) / by;
}

/** An amount as the number that is shown: six decimals, exactly rounded. */
export const shown = (value: Exact): number => numberOf(divided(value, microUnit));

const percentScale = 100n * power(microScale);

/** `part` in percent of `whole`, with six decimals; null of nothing. */
export function percentOf(part: Exact, whole: Exact): number | null {
  if (whole === 0n) return null;
  const scaled = part * percentScale;
  return numberOf(divided(whole < 0n ? -scaled : scaled, whole < 0n ? -whole : whole));
}

export const absolute = (value: Exact): Exact => (value < 0n ? -value : value);
