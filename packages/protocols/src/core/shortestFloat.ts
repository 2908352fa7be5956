/** The shortest decimal number that rounds to the same 32-bit float: what a meter displays. */
export function shortestFloat(value: number): number {
  if (Object.is(value, -0)) return value;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
