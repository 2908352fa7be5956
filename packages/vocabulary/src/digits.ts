/**
 * Decimals that a value is kept with, in its unit: a millionth of a kWh, Gcal, m³ or t is finer than any meter counts.
 */
export const storedDecimals = 6;

/**
 * Decimals that amounts and registers of accounting points are shown with: those of every counter of energy, volume and
 * mass, so that a column of different resources has one number of decimals.
 */
export const amountDecimals = 3;

const million = 10 ** storedDecimals;
/** From here on a double has fewer decimals than are kept. */
const coarse = 1e9;

/**
 * A value after a conversion of its unit, without the digits that the conversion has added: a double has 15 for
 * certain, and further decimals than are kept are noise. Infinite if it is too large to be counted in millionths.
 */
export function withoutNoise(value: number): number {
  // Nearly every value: texts take a hundred times as long.
  if (Math.abs(value) < coarse && Math.round(value * million) / million === value) return value + 0;
  const exact = Number(value.toPrecision(15));
  if (Math.abs(exact) < coarse) return Math.round(exact * million) / million + 0;
  return Number.isFinite(exact * million) ? exact : exact * million;
}
