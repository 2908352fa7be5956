import { boolArray, float8Array, int4Array } from "./arrays.ts";

/**
 * Arrays of different length in one parameter: all values behind each other, and for each row where its own begin and
 * end. A hole is NaN on the way (no reading holds one) and null again in the table.
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

/** The values alone, where the bounds are those of other arrays of the same lengths and holes. */
export function flattenValues(arrays: readonly (readonly (number | null)[])[]): Buffer {
  const values: number[] = [];
  for (const array of arrays) for (const value of array) values.push(value ?? Number.NaN);
  return float8Array(values);
}

/**
 * One array of a row again: the SQL of the part of a parameter of values that the columns `from` and `to` of `row` bound.
 * Its column `holes` says whether there are any to be made null again.
 */
export function sliceOf(parameter: number, row = "t", [from, to] = ["a", "b"]): string {
  const slice = `($${String(parameter)}::float8[])[${row}.${from}:${row}.${to}]`;
  return `case when ${row}.holes then array_replace(${slice}, 'NaN'::float8, null) else ${slice} end`;
}

/** SQL: two arrays of one length have their holes at the same places. That of arrays without any, nearly all, is told without listing them. */
export function sameHoles(a: string, b: string): string {
  const isWhole = (array: string): string => `array_position(${array}, null) is null`;
  return `case when ${isWhole(a)} then ${isWhole(b)} else array_positions(${a}, null) = array_positions(${b}, null) end`;
}
