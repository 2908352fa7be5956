import { boolArray, float8Array, int4Array } from "./arrays.ts";

/**
 * Arrays of different length in one parameter: all values concatenated, with the bounds of each row. A null
 * is sent as NaN (no reading contains one) and becomes null again in the table.
 */
export function flatten(arrays: readonly (readonly (number | null)[])[]): {
  values: Buffer;
  from: Buffer;
  to: Buffer;
  hasHoles: Buffer;
} {
  const values: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const hasHoles: boolean[] = [];
  for (const array of arrays) {
    from.push(values.length + 1);
    let holes = false;
    for (const value of array) {
      if (value === null) holes = true;
      values.push(value ?? Number.NaN);
    }
    hasHoles.push(holes);
    to.push(values.length);
  }
  return {
    values: float8Array(values),
    from: int4Array(from),
    to: int4Array(to),
    hasHoles: boolArray(hasHoles),
  };
}

/** Only the values, if the bounds are those of other arrays with the same lengths and nulls. */
export function flattenValues(arrays: readonly (readonly (number | null)[])[]): Buffer {
  const values: number[] = [];
  for (const array of arrays) for (const value of array) values.push(value ?? Number.NaN);
  return float8Array(values);
}

/**
 * SQL that restores the array of a row: the part of a values parameter bounded by the columns `from` and `to`
 * of `row`. Its column `holes` says whether NaN must become null again.
 */
export function sliceOf(parameter: number, row = "t", [from, to] = ["a", "b"]): string {
  const slice = `($${String(parameter)}::float8[])[${row}.${from}:${row}.${to}]`;
  return `case when ${row}.holes then array_replace(${slice}, 'NaN'::float8, null) else ${slice} end`;
}

/**
 * SQL: two arrays of one length have nulls at the same positions. Without any nulls, as nearly always, they
 * are not listed.
 */
export function sameHoles(a: string, b: string): string {
  const isWhole = (array: string): string => `array_position(${array}, null) is null`;
  return `case when ${isWhole(a)} then ${isWhole(b)} else array_positions(${a}, null) = array_positions(${b}, null) end`;
}
