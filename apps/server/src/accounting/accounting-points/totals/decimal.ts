/** An exact decimal: `units` / 10 ^ `scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const zero: Decimal = { units: 0n, scale: 0 };
export const one: Decimal = { units: 1n, scale: 0 };

/** Decimals of stored readings. */
export const microScale = 6;

/** Reads a decimal as PostgreSQL writes it: `12`, `-0.5`. Throws SyntaxError for anything else. */
export function decimal(text: string): Decimal {
  const [whole = "", part = ""] = text.split(".");
  return { units: BigInt(whole + part), scale: part.length };
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

/** Millionths as a decimal. */
export const ofMicro = (units: bigint): Decimal => ({ units, scale: microScale });

/** Below it the product with a million has no error of half a millionth. */
const exactBelow = 1e9;

/** A stored reading, which has at most six decimals, in millionths. */
export function microOf(value: number): bigint {
  if (Math.abs(value) < exactBelow) return BigInt(Math.round(value * 1e6));
  return decimal(value.toFixed(microScale)).units;
}

/** Millionths as a number, for registers shown as the device shows them. */
export const numberOf = (micro: bigint): number => Number(textOf(ofMicro(micro)));

/** `whole` * `part` / `of`, rounded half up; for a part from nothing to the whole. */
export function share(whole: bigint, part: number, of: number): bigint {
  const [numerator, denominator] = [whole * BigInt(part) * 2n + BigInt(of), BigInt(of) * 2n];
  const cut = numerator / denominator;
  return numerator < 0n && cut * denominator !== numerator ? cut - 1n : cut;
}

/** Millionths of which two still add up without an error. */
export const mostMicro = 2 ** 52;

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
